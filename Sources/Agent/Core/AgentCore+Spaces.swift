internal import Logging
import Store
import SyncCore
internal import Wire

/// Granting, accepting and leaving spaces.
extension AgentCore {
    /// Grants the space to devices that do not stand in it with at least these flags. A device of
    /// this person gets what this device has, as its sibling.
    func grant(_ space: SpaceID, to cards: [Card], flags: Permissions) async throws {
        let cards = (codec: CardCodec(), all: cards)
        let device = identity.deviceID
        let person = identity.person
        try await append(to: space) { context in
            let membership = context.ledger.membership
            let own = membership.standings[context.grant]
            var nextIndex = AgentCore.nextSiblingIndex(membership)
            var facts: [UnverifiedFact] = []
            for card in cards.all where card.device != device {
                let isSibling = card.person == person && own?.card.person == person
                let wanted = isSibling ? own?.current ?? flags : flags
                guard !membership.permissions(of: card.device).isSuperset(of: wanted) else {
                    continue
                }
                facts.append(
                    .grant(
                        UnverifiedGrant(
                            card: try cards.codec.decode(card.encoded), parent: context.grant,
                            flags: wanted, siblingIndex: isSibling ? nextIndex : 0)))
                nextIndex += 1
            }
            return Store.CommitDraft(clear: ClearPart(facts: facts), operations: [])
        }
        refreshTrust()
    }

    private static func nextSiblingIndex(_ membership: Membership) -> UInt32 {
        (membership.standings.values.map(\.order.siblingIndex).max() ?? 0) + 1
    }

    /// Takes an offered space: from now on its commits are fetched.
    func accept(_ space: SpaceID) async throws {
        try store.setStanding(of: space, to: .active, now: clock.wall)
        await loop.submit(.spaceAccepted(space))
    }

    /// Refuses an offered space.
    func decline(_ space: SpaceID) async throws {
        try store.setStanding(of: space, to: .left, now: clock.wall)
        await loop.submit(.spaceDeclined(space))
    }

    /// Gives up this person's membership: revokes the grants of all its devices, as their holder or
    /// elder sibling, and forgets the space here once the others have heard of it.
    func leave(_ space: SpaceID) async throws {
        let identity = identity
        let incarnation = try store.incarnation()
        try await append(to: space) { context in
            let ledger = context.ledger
            let own = ledger.membership.members.filter { member in
                member.standing.card.device == identity.deviceID
                    || member.standing.card.person == identity.person
            }
            let cut = ledger.watermark
            let log = LogID(device: identity.deviceID, incarnation: incarnation)
            let (next, previous) = ledger.nextPosition(in: log)
            let facts = own.map { member -> UnverifiedFact in
                var last = cut
                if member.standing.card.device == identity.deviceID {
                    // The commit that says so is the last one that counts.
                    last.advance(log, to: LogHead(sequence: next, commit: previous))
                }
                return .revocation(
                    Revocation(
                        grant: member.grant, remaining: [], cut: last, scope: .device,
                        cascade: .none))
            }
            return Store.CommitDraft(clear: ClearPart(facts: facts), operations: [])
        }
        try store.setStanding(of: space, to: .left, now: clock.wall)
        refreshTrust()
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
                let mine = ledger.membership.permissions(of: identity.deviceID)
                let lacking = siblings.filter { card in
                    !ledger.membership.permissions(of: card.device).isSuperset(of: mine)
                }
                if !mine.isEmpty, !lacking.isEmpty, try store.space(space)?.standing == .active {
                    try await grant(space, to: lacking, flags: mine)
                }
            }
        } catch {
            logger.error("own devices not granted", metadata: ["why": "\(error)"])
        }
    }

    /// Tells the engine what an offer of this space would say.
    func describe(_ space: SpaceID) {
        do {
            guard let ledger = store.ledger(of: space) else { return }
            let trip = try shown(space, "trip").first
            let mine = ledger.membership.permissions(of: identity.deviceID)
            let offer = Offer(
                title: trip?.record.value("name")?.text ?? "", from: identity.personName,
                flags: mine, bytes: try store.blobCounts(of: space).namedBytes)
            loop.post(.spaceDescribed(space, offer))
        } catch {
            logger.error("space not described", metadata: ["why": "\(error)"])
        }
    }
}
