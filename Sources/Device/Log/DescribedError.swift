package import LocalAPI
package import Logging
package import Node

/// An error that says for itself what people, the log and the state of storage are told of it, so that
/// this target does not know the targets that errors come from.
package protocol DescribedError: Error {
    /// What people are told.
    var sentence: APIError { get }
    /// As the log may show it: without the paths of a person's files, without titles.
    var logged: String { get }
    /// What it says of the disk.
    var storageFailure: StorageState.Failure { get }
}

extension DescribedError {
    package var logged: String { "\(self)" }
    package var storageFailure: StorageState.Failure { .other }
}

extension Logger.MetadataValue {
    /// An error as the log may show it: without the paths of a person's files, without titles.
    package static func reason(_ error: any Error) -> Logger.MetadataValue {
        switch error {
        // Its sentence is for the person who asked, and may name a trip.
        case let error as APIError: .string(error.code.rawValue)
        case let error as any DescribedError: .string(error.logged)
        default: .string("\(error)")
        }
    }
}
