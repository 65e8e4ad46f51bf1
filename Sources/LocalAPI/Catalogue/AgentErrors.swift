/// Errors about the agent itself: its home, its store, its network, its pairing.
extension APIError {

    package static let pairingBusy = APIError(
        code: .busy, sentence: "Another device is pairing at this moment.",
        hint: "Wait until that is done, then try again.")

    package static let keysOfAnother = APIError(
        code: .failed, sentence: Sentence.Health.keyOfAnother.message,
        hint: Sentence.Health.keyOfAnother.advice)

    package static let keysWithService = APIError(
        code: .failed, sentence: Sentence.Health.keyWithService.message,
        hint: Sentence.Health.keyWithService.advice)

    package static let storeGone = APIError(
        code: .failed, sentence: Sentence.Health.storeGone.message,
        hint: Sentence.Health.storeGone.advice)

    package static func storeBroken(_ reason: String) -> APIError {
        APIError(
            code: .failed, sentence: "The store could not be read or written: \(reason).",
            hint: "Nothing more is written until peersync is started again. Check the disk first.")
    }
}
