package import LocalAPI
import Records
import Store
import SyncCore

/// Turns every error inside the agent into a sentence and a hint.
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
        case .locked(let process): storeInUse(process: process)
        case .foreign:
            APIError(
                code: .failed,
                sentence: "The file store.sqlite in this home is not a store of peersync.",
                hint: "It was left as it is. Use another --home.")
        case .newer:
            APIError(
                code: .failed, sentence: "This home was written by a newer peersync.",
                hint: "It was left as it is. Install the newer version here too.")
        case .noRoomToUpdate(let folder, let needed, let free):
            Sentence.StoreUpdate.noRoom(
                in: folder, needed: Int64(clamping: needed), free: free.map { Int64(clamping: $0) })
        case .notUpdated(let reason, let former):
            Sentence.StoreUpdate.failed(plain(reason), former: former)
        case .diskFull: .diskFull
        case .failed(let reason), .corrupt(let reason): .storeBroken(plain(reason))
        case .commitTooLarge: .requestTooLarge
        case .refused(.misbehaved(.tooManyFacts)):
            APIError(
                code: .tooLarge,
                sentence: "This device has changed the members of the trip too often.",
                hint: "Do it on another device of an admin; memories can be written as before.")
        default: .unexpected(error)
        }
    }

    /// SQLite's message without the statement that it refers to.
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

private func storeInUse(process: Int32?) -> APIError {
    let holder = process.map { tr(" (process \($0))") } ?? ""
    return APIError(
        code: .busy, sentence: "Another peersync is using this home right now\(holder).",
        hint: "Wait until it is done, or use another --home.")
}
