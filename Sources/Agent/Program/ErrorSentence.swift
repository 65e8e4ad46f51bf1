internal import Identity
import LocalAPI
import Media
import Records
import Store
import SyncCore
import Transport

/// Turns whatever went wrong inside the agent into a sentence and a hint.
enum ErrorSentence {
    static func of(_ error: any Error) -> APIError {
        switch error {
        case let error as APIError: error
        case let error as StoreError: sentence(error)
        case let error as AgentError: sentence(error)
        case ReplicaError.notInitialised: .notInitialised
        case ReplicaError.tooLarge: .requestTooLarge
        case let error as KeyFileError: .keysUnusable(reason(error))
        case let error as TransportError: sentence(error)
        case let error as MediaLibrary.Failure: APIError(error)
        case BlobFilesError.diskFull: .diskFull
        case BlobFilesError.syncFailed(let number):
            .storeBroken(BlobFilesError.reason("fsync", number))
        case BlobFilesError.system(let call, let number):
            .storeBroken(BlobFilesError.reason(call, number))
        default: .unexpected(error)
        }
    }

    private static func sentence(_ error: StoreError) -> APIError {
        switch error {
        case .locked(let process): .storeInUse(process: process)
        case .foreign: .storeForeign
        case .newer: .storeNewer
        case .diskFull: .diskFull
        case .failed(let reason), .corrupt(let reason): .storeBroken(plain(reason))
        case .commitTooLarge: .requestTooLarge
        case .refused(.misbehaved(.tooManyFacts)): .memberChangesUsedUp
        default: .unexpected(error)
        }
    }

    /// What SQLite says, without the statement it says it of.
    static func plain(_ reason: String) -> String {
        reason.firstRange(of: " - while executing").map { String(reason[..<$0.lowerBound]) }
            ?? reason
    }

    /// Part of a sentence about the key file.
    static func reason(_ error: KeyFileError) -> String {
        switch error {
        case .notFound: Sentence.Health.KeyFault.notThere
        case .alreadyExists, .notARegularFile: Sentence.Health.KeyFault.noFile
        case .notOwned: Sentence.Health.KeyFault.ofAnotherUser
        case .tooOpen: Sentence.Health.KeyFault.tooOpen
        case .unsupportedVersion: Sentence.Health.KeyFault.newer
        case .damaged: Sentence.Health.KeyFault.damaged
        case .system(let call, let code): BlobFilesError.reason(call, code)
        }
    }

    private static func sentence(_ error: AgentError) -> APIError {
        switch error {
        case .notInitialised: .notInitialised
        case .keysOfAnother: .keysOfAnother
        case .keysWithService: .keysWithService
        case .storeGone: .storeGone
        }
    }

    private static func sentence(_ error: TransportError) -> APIError {
        if case .cannotListen = error { return .noPort }
        return .unexpected(error)
    }
}
