package import LocalAPI
package import Logging
package import Node

/// An error that brings its own texts for people and the log, and its meaning for storage, so that
/// this target does not depend on the targets that errors come from.
package protocol DescribedError: Error {
    /// The sentence that people read.
    var sentence: APIError { get }
    /// The text for the log: without the paths of a person's files, without titles.
    var logged: String { get }
    /// The state of storage that this error shows.
    var storageFailure: StorageState.Failure { get }
}

extension DescribedError {
    package var logged: String { "\(self)" }
    package var storageFailure: StorageState.Failure { .other }
}

extension Logger.MetadataValue {
    /// The text of an error for the log: without the paths of a person's files, without titles.
    package static func reason(_ error: any Error) -> Logger.MetadataValue {
        switch error {
        // Its sentence is for the person who made the request, and may name a trip.
        case let error as APIError: .string(error.code.rawValue)
        case let error as any DescribedError: .string(error.logged)
        default: .string("\(error)")
        }
    }
}
