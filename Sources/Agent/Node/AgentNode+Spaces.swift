internal import Identity
internal import LocalAPI
internal import Logging
import Records
import Store
package import SyncCore

/// Granting, accepting and leaving spaces.
extension AgentNode {
    /// Grants the space to devices that do not stand in it with at least these flags. A device of
    /// this person gets what this device has, as its sibling; with authority this device itself, too.
    package func grant(
        _ space: SpaceID, to cards: [Card], flags: Permissions, authority: Bool, isFromNow: Bool
    ) async throws {
        try await changeRights(in: space) {
            try $0.grant(
                space, to: cards, flags: flags, authority: authority, isFromNow: isFromNow)
        }
    }

    /// Takes an offered space: from now on its commits are fetched.
    package func accept(_ space: SpaceID) async throws {
        try store.setStanding(of: space, to: .active, now: clock.wall)
        await loop.submit(.spaceAccepted(space))
        // One that was left before is here already.
        reopen(space)
    }

    /// Refuses an offered space.
    package func decline(_ space: SpaceID) async throws {
        let own = store.ledger(of: space)?.membership.permissions(of: identity.deviceID)
        // One that was left before and given again: the others hear it as they did then.
        if let own, !own.isEmpty { return try await leave(space) }
        try store.setStanding(of: space, to: .left, now: clock.wall)
        await loop.submit(.spaceDeclined(space))
    }

    /// Gives up this person's membership, the grants of all its devices, and forgets the space here
    /// once the others have heard of it.
    package func leave(_ space: SpaceID) async throws {
        try await changeRights(in: space) { try $0.leave(space) }
    }

    /// Takes rights from grants.
    package func take(_ taking: RightsTaking, in space: SpaceID) async throws {
        try await changeRights(in: space) { try $0.take(taking, in: space) }
    }

    package func take(
        _ taking: RightsTaking, in space: SpaceID, byKey text: String
    ) async throws {
        let key = try recoveryKey(text)
        try await changeRights(in: space) { try $0.take(taking, in: space, signedBy: key) }
    }

    /// Writes what changes who may do what in a space; whoever loses it is told.
    private func changeRights(
        in space: SpaceID, _ body: @escaping @Sendable (EngineWork) throws -> EngineWork.Done
    ) async throws {
        try await readyEpoch(in: space)
        try await carryOut(body)
        rightsChanged(in: space)
    }

    package func person(ofKey text: String) throws -> PersonID { try recoveryKey(text).person }

    /// Throws ``APIError`` for what is none.
    func recoveryKey(_ text: String) throws -> PersonKey {
        do throws(RecoveryKeyError) {
            return try PersonKey(recoveryText: text)
        } catch {
            throw error.sentence
        }
    }

    /// Writes down for a device what its person's key gives it.
    func carry(_ statement: UnverifiedPersonStatement, for device: DeviceID) async throws {
        try await changeRights(in: statement.space) { try $0.carry(statement, for: device) }
    }

    /// Takes a space that this person's key brings back, as soon as it comes.
    func expect(_ recovered: RecoveryOffer, from device: DeviceID) throws {
        let offer = Offer(
            title: recovered.title, from: "", flags: recovered.flags, bytes: 0)
        _ = try store.saveOffer(offer, of: recovered.space, by: device)
        try store.setStanding(of: recovered.space, to: .active, now: clock.wall)
        loop.post(.spaceAccepted(recovered.space))
        reopen(recovered.space)
    }

    package func ask(_ request: RightsRequest, in space: SpaceID) async throws {
        try await carryOut { try $0.ask(request, in: space) }
    }

    /// Further devices of this person get every space that this device may give them.
    func grantSiblings() async {
        let identity = identity
        guard identity.card != nil else { return }
        do {
            let siblings = try knownDevices().map(\.card).filter { card in
                card.person == identity.person
            }
            guard !siblings.isEmpty else { return }
            for (space, ledger) in store.ledgers {
                let lacking = work.lacking(siblings, in: ledger)
                guard !lacking.isEmpty else { continue }
                let mine = ledger.membership.permissions(of: identity.deviceID)
                await grantSiblings(space, lacking, mine)
            }
        } catch {
            logger.note(
                .error, .spaces, "own devices not granted", details: ["why": .reason(error)])
        }
    }

    /// One space that cannot be given leaves the others to be given.
    private func grantSiblings(
        _ space: SpaceID, _ cards: [Card], _ flags: Permissions
    ) async {
        do {
            try await grant(
                space, to: cards, flags: flags, authority: false, isFromNow: false)
        } catch {
            logger.note(
                .error, .spaces, "own devices not granted", record: space.logged,
                details: ["why": .reason(error)])
        }
    }

    /// Tells the engine again what of a space is here and which files are missing.
    func reopen(_ space: SpaceID) { take(work.reopen(space)) }
}

extension RecoveryKeyError {
    fileprivate var sentence: APIError {
        switch self {
        case .notARecoveryKey: .notARecoveryKey
        case .unsupportedVersion: .newerRecoveryKey
        case .wrongLength(let groups, let found): .recoveryKeyLength(groups: groups, found: found)
        case .unexpectedCharacter(_, let group), .mistypedGroup(let group):
            .mistypedRecoveryKey(group: group)
        case .checksumMismatch: .recoveryKeyMixedUp
        }
    }
}
