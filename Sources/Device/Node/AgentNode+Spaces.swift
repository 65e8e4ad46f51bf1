package import Identity
package import LocalAPI
import Node
import Records
internal import Store
package import SyncCore

/// Granting, accepting and leaving spaces.
extension AgentNode {
    /// Grants the space to devices that do not have at least these flags in it. A device of this
    /// person gets this device's rights, as its sibling; with authority, this device itself does,
    /// too.
    package func grant(
        _ space: SpaceID, to cards: [Card], flags: Permissions, authority: Bool, isFromNow: Bool
    ) async throws {
        try await changeRights(in: space) {
            try $0.members.grant(
                space, to: cards, flags: flags, authority: authority, isFromNow: isFromNow)
        }
    }

    /// Accepts an offered space: from now on its commits are fetched.
    package func accept(_ space: SpaceID) async throws {
        try await carryOut { try $0.offers.accept(space) }
    }

    /// Refuses an offered space.
    package func decline(_ space: SpaceID) async throws {
        try await changeRights(in: space) { try $0.offers.decline(space) }
    }

    /// Gives up this person's membership with the grants of all its devices, and forgets the space
    /// here once the others have received that.
    package func leave(_ space: SpaceID) async throws {
        try await changeRights(in: space) { try $0.members.leave(space) }
    }

    /// Revokes rights from grants.
    package func revoke(_ taking: RightsTaking, in space: SpaceID) async throws {
        try await changeRights(in: space) { try $0.members.revoke(taking, in: space) }
    }

    package func revoke(
        _ taking: RightsTaking, in space: SpaceID, byKey text: String
    ) async throws {
        let key = try PersonKey(typed: text)
        try await changeRights(in: space) {
            try $0.members.revoke(taking, in: space, signedBy: key)
        }
    }

    /// Writes a change of rights in a space; the devices that lose rights are told.
    func changeRights(
        in space: SpaceID, _ body: @escaping @Sendable (EngineWork) throws -> EngineWork.Done
    ) async throws {
        try await readyEpoch(in: space)
        try await carryOut { work in
            var done = try body(work)
            done.rightsWritten.append(space)
            return done
        }
    }

    package func person(ofKey text: String) throws -> PersonID {
        try PersonKey(typed: text, currentBy: work).person
    }

    package func ask(_ request: RightsRequest, in space: SpaceID) async throws {
        try await carryOut { try $0.members.ask(request, in: space) }
    }
}

extension PersonKey {
    /// Throws ``APIError`` if the text is not a key.
    package init(typed text: String) throws(APIError) {
        do throws(RecoveryKeyError) {
            try self.init(recoveryText: text)
        } catch {
            throw error.sentence
        }
    }
}

extension PersonKey {
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
        case .notARecoveryKey: .notARecoveryKey
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
