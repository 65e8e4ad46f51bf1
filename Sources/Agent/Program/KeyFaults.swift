import Device
package import Identity
package import LocalAPI
import Media

extension KeyFileError: DescribedError {
    package var sentence: APIError { .keysUnusable(reason) }

    /// Part of a sentence about the key file.
    var reason: String {
        switch self {
        case .notFound: Sentence.Health.KeyFault.notThere
        case .alreadyExists, .notARegularFile: Sentence.Health.KeyFault.noFile
        case .notOwned: Sentence.Health.KeyFault.ofAnotherUser
        case .tooOpen: Sentence.Health.KeyFault.tooOpen
        case .unsupportedVersion: Sentence.Health.KeyFault.newer
        case .damaged: Sentence.Health.KeyFault.damaged
        case .system(let call, let code): BlobFilesError.reason(call, code)
        }
    }
}
