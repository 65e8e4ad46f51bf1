package import LocalAPI
import Records
import Store
import SyncCore

/// Turns whatever went wrong inside the agent into a sentence and a hint.
package enum ErrorSentence {
    package static func of(_ error: any Error) -> APIError {
        switch error {
        case let error as APIError: error
        case let error as StoreError: sentence(error)
        case let error as any DescribedError: error.sentence
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
    package static func plain(_ reason: String) -> String {
        reason.firstRange(of: " - while executing").map { String(reason[..<$0.lowerBound]) }
            ?? reason
    }
}

extension AgentError: DescribedError {
    package var sentence: APIError {
        switch self {
        case .notInitialised: .notInitialised
        case .keysOfAnother: .keysOfAnother
        case .keysWithService: .keysWithService
        case .storeGone: .storeGone
        }
    }
}
