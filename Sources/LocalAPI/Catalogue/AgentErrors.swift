/// Errors about the agent itself: its home, its store, its network, its pairing.
extension APIError {
    package static func storeBroken(_ reason: String) -> APIError {
        APIError(
            code: .failed, sentence: "The store could not be read or written: \(reason).",
            hint: "Nothing more is written until peersync is started again. Check the disk first.")
    }

    package static let doctorNotStarted = APIError(
        code: .notFound, sentence: "Nothing has been checked yet.",
        hint: "Begin with: peersync doctor")
}
