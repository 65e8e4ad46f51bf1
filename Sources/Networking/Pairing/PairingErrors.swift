internal import LocalAPI

/// Errors that several steps of pairing end with.
extension APIError {
    static let expiredCode = APIError(
        code: .pairingFailed, sentence: "The code has expired.",
        hint: "Codes are good for two minutes. Run 'peersync pair' again for a new one.")

    static let hostNotFound = APIError(
        code: .unreachable,
        sentence: "The device that shows this code was not found on this network.",
        hint: """
            Check the code's first number: the device is found by it. Check that both devices are on the same \
            network and the code is still shown there. If it stays so, add the address that it shows: \
            peersync join --at ADDRESS. \
            'peersync doctor network' can tell why.
            """)

    static let otherSideWentAway = APIError(
        code: .pairingFailed, sentence: "The other device went away before pairing was done.",
        hint: "Start again with a new code.")

    static let pairingWithItself = APIError(
        code: .pairingFailed, sentence: "That code is shown by this very device.",
        hint: "Type it on the other device.")

    static let notTrusted = APIError(
        code: .pairingFailed, sentence: "The other device could not prove that it knows the code.",
        hint:
            """
            Nothing was exchanged. If its code is still shown, try it once more; if that fails, too, \
            someone is in between.
            """
    )
}
