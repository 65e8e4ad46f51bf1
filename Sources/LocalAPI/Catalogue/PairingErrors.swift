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

    package static let noCode = APIError(
        code: .badInput, sentence: "There is no code.",
        hint: """
            Type the code the other device shows, give it as an argument, or send it on standard \
            input.
            """)

    package static let wrongCode = APIError(
        code: .pairingFailed, sentence: "The code was not the one the other device shows.",
        hint: """
            Each code works only once, so that one is used up now. \
            Run 'peersync pair' there again and type the new code.
            """)

    /// The host's side of a wrong code.
    package static let wrongCodeTyped = APIError(
        code: .pairingFailed, sentence: "Someone typed a wrong code, so this code is used up.",
        hint: """
            If that was a typing mistake, run 'peersync pair' again for a new code. Someone who \
            pairs at the same moment may also have got the same first number.
            """)

    package static let expiredCode = APIError(
        code: .pairingFailed, sentence: "The code has expired.",
        hint: "Codes are good for two minutes. Run 'peersync pair' again for a new one.")

    package static let tooManyWrongCodes = APIError(
        code: .pairingFailed,
        sentence: "Three codes were used up by wrong attempts, so pairing is closed.",
        hint: """
            Someone on this network may be guessing. If you know who it was, run 'peersync pair' \
            again, which opens pairing anew; if not, 'peersync pair --link' cannot be guessed.
            """)

    package static let hostNotFound = APIError(
        code: .unreachable,
        sentence: "The device that shows this code was not found on this network.",
        hint: """
            Check that both devices are on the same network and the code is still shown there. \
            If it stays so, add the address that it shows: peersync join --at ADDRESS. \
            'peersync doctor network' can tell why.
            """)

    package static func malformedAddress(_ text: String) -> APIError {
        APIError(
            code: .badInput, sentence: "\(Sentence.name(text)) is not an address.",
            hint: "Write a host or number, with a port if needed: 192.168.1.20 or laptop.local:4827"
        )
    }

    package static let thisSideDeclined = APIError(
        code: .pairingFailed, sentence: "You said no, so the devices are not paired.",
        hint: "If the name was not the one you expected, someone else may have seen the code.")

    package static let otherSideWentAway = APIError(
        code: .pairingFailed, sentence: "The other device went away before pairing was done.",
        hint: "Start again with a new code.")

    package static let pairingCancelled = APIError(
        code: .pairingFailed, sentence: "Pairing was cancelled; the code is worthless now.")

    package static let pairingWithItself = APIError(
        code: .pairingFailed, sentence: "That code is shown by this very device.",
        hint: "Type it on the other device.")

    package static let notTrusted = APIError(
        code: .pairingFailed, sentence: "The other device could not prove that it knows the code.",
        hint:
            """
            Nothing was exchanged. If its code is still shown, try it once more; if that fails, too, \
            someone is in between.
            """
    )
}
