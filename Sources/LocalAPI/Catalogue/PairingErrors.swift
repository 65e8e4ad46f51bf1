/// Errors about pairing.
extension APIError {
    package static let malformedCode = APIError(
        code: .badInput, sentence: "That is not a pairing code.",
        hint:
            """
            A code has nine digits, like 7-4827-1956. 'peersync pair' on the other device shows \
            one.
            """
    )

    package static let noCode = APIError(
        code: .badInput, sentence: "There is no code.",
        hint: "Type the code the other device shows, or send it on standard input.")

    package static let wrongCode = APIError(
        code: .pairingFailed, sentence: "The code was not the one the other device shows.",
        hint: """
            Each code works only once, so this one is used up now. \
            Run 'peersync pair' there again and type the new code.
            """)

    /// The host's side of a wrong code.
    package static let wrongCodeTyped = APIError(
        code: .pairingFailed, sentence: "Someone typed a wrong code, so this code is used up.",
        hint: "If that was a typing mistake, run 'peersync pair' again for a new code.")

    package static let expiredCode = APIError(
        code: .pairingFailed, sentence: "The code has expired.",
        hint: "Codes are good for two minutes. Run 'peersync pair' again for a new one.")

    package static let usedCode = APIError(
        code: .pairingFailed, sentence: "This code was used before.",
        hint: "Run 'peersync pair' on the other device again and type the new code.")

    package static let hostNotFound = APIError(
        code: .unreachable,
        sentence: "The device that shows this code was not found on this network.",
        hint: """
            Check that both devices are on the same network and the code is still shown there. \
            If it stays so, add its address: peersync join --at ADDRESS. \
            'peersync doctor network' can tell why.
            """)

    package static func addressNotReached(_ address: String) -> APIError {
        APIError(
            code: .unreachable, sentence: "Nothing answers at \(address).",
            hint: "Check the address, and that 'peersync pair' still shows its code there.")
    }

    package static func malformedAddress(_ text: String) -> APIError {
        APIError(
            code: .badInput, sentence: "\(Sentence.name(text)) is not an address.",
            hint: "Write a host or number, with a port if needed: 192.168.1.20 or laptop.local:4827"
        )
    }

    package static let otherSideDeclined = APIError(
        code: .pairingFailed, sentence: "The other person said no, so the devices are not paired.",
        hint: "Talk to each other, then start again with a new code.")

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
            Nothing was exchanged. Start again with a new code; if it happens again, someone is \
            in between.
            """
    )

    /// `join --mine` on a device that already has a person with trips.
    package static func personWouldBeReplaced(
        mine: String, surviving: String, trips: Int
    ) -> APIError {
        let trips = Sentence.count(trips, "trip", "trips")
        return APIError(
            code: .confirmationNeeded,
            sentence: """
                This device belongs to \(Sentence.plain(mine)). It would become a device of \
                \(Sentence.plain(surviving)), \
                and \(trips) of \(Sentence.plain(mine)) would be handed over to \
                \(Sentence.plain(surviving)) first.
                """,
            hint: "To agree without being asked, add --yes.")
    }
}
