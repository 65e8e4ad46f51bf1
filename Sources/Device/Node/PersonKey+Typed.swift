package import Identity
package import LocalAPI
internal import Node

extension PersonKey {
    /// Throws ``APIError`` if the text is not a key.
    package init(typed text: String) throws(APIError) {
        do throws(RecoveryKeyError) {
            try self.init(recoveryText: text)
        } catch {
            throw error.sentence
        }
    }

    /// The key that a person has now, as far as this device knows. Throws ``APIError`` if the text
    /// is not a key, or the key was exchanged.
    init(typed text: String, currentBy work: EngineWork) throws {
        self = try PersonKey(typed: text)
        guard try KeyExchanging(work).isCurrent(self) else {
            throw APIError(
                code: .conflict,
                sentence: "You exchanged this recovery key: it means nothing any more.",
                hint: "Use the one that you got then.")
        }
    }
}

extension RecoveryKeyError {
    fileprivate var sentence: APIError {
        switch self {
        case .notARecoveryKey:
            APIError(
                code: .badInput, sentence: "This is not a recovery key.",
                hint: """
                    A recovery key starts with PEERSYNC-RECOVERY-1- and has 10 groups of 7 characters, or with \
                    PEERSYNC-RECOVERY-2- and has more, when it was exchanged.
                    """)
        case .unsupportedVersion:
            APIError(
                code: .badInput, sentence: "This recovery key was made by a newer peersync.",
                hint: "Update peersync first.")
        case .wrongLength(let groups, let found):
            APIError(
                code: .badInput,
                sentence: """
                    A recovery key has \(groups) groups of 7 characters; this one has \
                    \(Sentence.count(found, "character", "characters")).
                    """)
        case .unexpectedCharacter(_, let group), .mistypedGroup(let group):
            APIError(
                code: .badInput,
                sentence: "There is a mistake in group \(group) of the recovery key.",
                hint: "The groups are counted after PEERSYNC-RECOVERY- and the number.")
        case .checksumMismatch:
            APIError(
                code: .badInput,
                sentence: "Each group of the recovery key is right, but not all together.",
                hint: "Are two groups exchanged, or is one of another key?")
        }
    }
}
