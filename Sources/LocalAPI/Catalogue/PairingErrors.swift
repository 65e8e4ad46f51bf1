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

    package static func malformedPort(_ text: String) -> APIError {
        APIError(
            code: .badInput,
            sentence: "The port in \(Sentence.name(text)) is not a number from 1 to 65535.",
            hint: "Leave the port out, or write it like this: laptop.local:4827")
    }

    package static let pairingCancelled = APIError(
        code: .pairingFailed, sentence: "Pairing was cancelled; the code is worthless now.")

    /// Another command of this device shows a new code.
    package static let pairingReplaced = APIError(
        code: .pairingFailed,
        sentence: "This device shows a newer code: the one here is worthless now.",
        hint: "Use the newer code, or start again: peersync pair")

    /// Another command of this device joins.
    package static let alreadyJoining = APIError(
        code: .busy, sentence: "Another command on this device is joining at this moment.",
        hint: "Finish it or end it first, then try again.")
}
