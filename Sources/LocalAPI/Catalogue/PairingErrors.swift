/// Errors about pairing.
extension APIError {
    package static let malformedCode = APIError(
        code: .badInput, sentence: "That is not a pairing code.",
        hint:
            """
            A code has nine or ten digits, like 7-4827-1956. 'peersync pair' on the other device shows \
            one.
            """
    )

    package static func malformedAddress(_ text: String) -> APIError {
        APIError(
            code: .badInput, sentence: "\(Sentence.name(text)) is not an address.",
            hint: "Write a host or number, with a port if needed: 192.168.1.20 or laptop.local:4827"
        )
    }

    package static let pairingCancelled = APIError(
        code: .pairingFailed, sentence: "Pairing was cancelled; the code is worthless now.")
}
