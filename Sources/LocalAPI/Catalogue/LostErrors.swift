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

    package static let newerRecoveryKey = APIError(
        code: .badInput, sentence: "This recovery key was made by a newer peersync.",
        hint: "Update peersync first.")

    package static func recoveryKeyLength(groups: Int, found: Int) -> APIError {
        APIError(
            code: .badInput,
            sentence: """
                A recovery key has \(groups) groups of 7 characters; this one has \
                \(Sentence.count(found, "character", "characters")).
                """)
    }

    package static func mistypedRecoveryKey(group: Int) -> APIError {
        APIError(
            code: .badInput, sentence: "There is a mistake in group \(group) of the recovery key.",
            hint: "The groups are counted after PEERSYNC-RECOVERY- and the number.")
    }

    package static let recoveryKeyMixedUp = APIError(
        code: .badInput, sentence: "Each group of the recovery key is right, but not all together.",
        hint: "Are two groups exchanged, or is one of another key?")

    package static let nobodyToRecoverWith = APIError(
        code: .notFound,
        sentence: "No device of anybody who may share a trip with you is connected.",
        hint: "Pair with one first: 'peersync pair' there, 'peersync join' here.")

    package static let recoveryKeyOfAnother = APIError(
        code: .notAllowed, sentence: "This is the recovery key of somebody else.",
        hint: "Whose it is: peersync recovery test")

    package static let recoveryKeyExchanged = APIError(
        code: .conflict, sentence: "You exchanged this recovery key: it means nothing any more.",
        hint: "Use the one that you got then.")

    package static let recoveryKeyDoesNotFollow = APIError(
        code: .badInput, sentence: "The new recovery key does not follow from the old one.",
        hint: "To get one: peersync recovery exchange")

    package static let tooManyRecoveryKeys = APIError(
        code: .conflict,
        sentence: "A recovery key can be exchanged 8 times, and this is the last one.",
        hint: "To start again as a new person: peersync init on another device.")

    package static let cameByRecoveryKey = APIError(
        code: .notAllowed,
        sentence: """
            This device came into your trips by the recovery key alone: the same could be said of a thief's.
            """,
        hint: """
            Exchange it on another device of yours, or ask an admin of a trip first: peersync trip grant \
            TRIP, with the name of this device.
            """)

    package static func recoveryFileUnreadable(_ path: String) -> APIError {
        APIError(
            code: .badInput, sentence: "The file \(path) cannot be read.",
            hint: "Check its name and permissions.")
    }
}
