/// Errors about the agent itself: its home, its store, its network, its pairing.
extension APIError {
    /// It accepts connections, but does not answer. `isStopped`: by Ctrl-Z or `kill -STOP`.
    package static func agentSilent(process: Int32?, isStopped: Bool) -> APIError {
        let number = process.map { String($0) } ?? "PID"
        let which = process.map { tr(" (process \($0))") } ?? ""
        return APIError(
            code: .noAgent,
            sentence: isStopped
                ? "The agent is stopped\(which): it holds the data and does not answer."
                : "The agent does not answer\(which): it is very busy, or it hangs.",
            hint: isStopped
                ? "Let it go on: kill -CONT \(number)"
                : """
                Wait a little. If that does not help, end it with 'kill \(number)' and start it \
                again.
                """)
    }

    package static let pairingBusy = APIError(
        code: .busy, sentence: "Another device is pairing at this moment.",
        hint: "Wait until that is done, then try again.")

    package static let pairingUnknown = APIError(
        code: .notFound, sentence: "That pairing is over or was never started.",
        hint: "Start again: peersync pair")

    package static let nothingToConfirm = APIError(
        code: .conflict, sentence: "This pairing does not wait for an answer.",
        hint: "See how far it is: peersync status")

    package static let noNetworkForLink = APIError(
        code: .unreachable, sentence: "This computer has no network address to put into a link.",
        hint: "Connect it to the network first.")

    package static let keysOfAnother = APIError(
        code: .failed, sentence: Sentence.Health.keyOfAnother.message,
        hint: Sentence.Health.keyOfAnother.advice)

    package static let keysWithService = APIError(
        code: .failed, sentence: Sentence.Health.keyWithService.message,
        hint: Sentence.Health.keyWithService.advice)

    package static let storeGone = APIError(
        code: .failed, sentence: Sentence.Health.storeGone.message,
        hint: Sentence.Health.storeGone.advice)

    package static func storeInUse(process: Int32?) -> APIError {
        let holder = process.map { tr(" (process \($0))") } ?? ""
        return APIError(
            code: .busy, sentence: "Another peersync is using this home right now\(holder).",
            hint: "Wait until it is done, or use another --home.")
    }

    package static func storeBroken(_ reason: String) -> APIError {
        APIError(
            code: .failed, sentence: "The store could not be read or written: \(reason).",
            hint: "Nothing more is written until peersync is started again. Check the disk first.")
    }
}
