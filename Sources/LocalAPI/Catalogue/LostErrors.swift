/// Errors about lost devices and recovery keys.
extension APIError {
    package static let lostIsThis = APIError(
        code: .conflict, sentence: "This is the device you are using.",
        hint: "To give a trip up: peersync trip leave TRIP")

    package static let notARecoveryKey = APIError(
        code: .badInput, sentence: "This is not a recovery key.",
        hint: """
            A recovery key starts with PEERSYNC-RECOVERY-1- and has 10 groups of 7 characters, or with \
            PEERSYNC-RECOVERY-2- and has more, when it was exchanged.
            """)

    package static let recoveryKeyOfAnother = APIError(
        code: .notAllowed, sentence: "This is the recovery key of somebody else.",
        hint: "Whose it is: peersync recovery test")

    package static let recoveryKeyExchanged = APIError(
        code: .conflict, sentence: "You exchanged this recovery key: it means nothing any more.",
        hint: "Use the one that you got then.")

    package static let cameByRecoveryKey = APIError(
        code: .notAllowed,
        sentence: """
            This device came into your trips by the recovery key alone: the same could be said of a thief's.
            """,
        hint: """
            Exchange it on another device of yours, or ask an admin of a trip first: peersync trip grant \
            TRIP, with the name of this device.
            """)
}
