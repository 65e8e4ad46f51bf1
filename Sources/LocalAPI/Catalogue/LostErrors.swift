/// Errors about lost devices and recovery keys.
extension APIError {

    package static let notARecoveryKey = APIError(
        code: .badInput, sentence: "This is not a recovery key.",
        hint: """
            A recovery key starts with PEERSYNC-RECOVERY-1- and has 10 groups of 7 characters, or with \
            PEERSYNC-RECOVERY-2- and has more, when it was exchanged.
            """)

    package static let recoveryKeyOfAnother = APIError(
        code: .notAllowed, sentence: "This is the recovery key of somebody else.",
        hint: "Whose it is: peersync recovery test")
}
