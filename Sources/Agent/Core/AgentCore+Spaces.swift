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
        do {
            try await appendGrants(of: space, to: cards, flags, device, person)
        } catch is NothingToGrant {
            // They stand in it already.
        }
        refreshTrust()
    }

    private struct NothingToGrant: Error {}

    private func appendGrants(
        of space: SpaceID, to cards: (codec: CardCodec, all: [Card]), _ flags: Permissions,
        _ device: DeviceID, _ person: PersonID
    ) async throws {
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
            guard !facts.isEmpty else { throw NothingToGrant() }
            return Store.CommitDraft(clear: ClearPart(facts: facts), operations: [])
        }
    }

    private static func nextSiblingIndex(_ membership: Membership) -> UInt32 {
        (membership.standings.values.map(\.order.siblingIndex).max() ?? 0) + 1
    }

    /// Takes an offered space: from now on its commits are fetched.
    func accept(_ space: SpaceID) async throws {
        try store.setStanding(of: space, to: .active, now: clock.wall)
        await loop.submit(.spaceAccepted(space))
        // One that was left before is here already.
        reopen(space)
    }

    /// Refuses an offered space.
    func decline(_ space: SpaceID) async throws {
        let own = store.ledger(of: space)?.membership.permissions(of: identity.deviceID)
        // One that was left before and given again: the others hear it as they did then.
        if let own, !own.isEmpty { return try await leave(space) }
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
                let membership = ledger.membership
                let mine = membership.permissions(of: identity.deviceID)
                let lacking = siblings.filter { card in
                    !membership.permissions(of: card.device).isSuperset(of: mine)
                        && !membership.isSingledOut(card.device, against: identity.deviceID)
                }
                if !mine.isEmpty, !lacking.isEmpty, try store.space(space)?.standing == .active {
                    await grantSiblings(space, lacking, mine)
                }
            }
        } catch {
            logger.error("own devices not granted", metadata: ["why": "\(error)"])
        }
    }

    /// One space that cannot be given leaves the others to be given.
    private func grantSiblings(
        _ space: SpaceID, _ cards: [Card], _ flags: Permissions
    ) async {
        do {
            try await grant(space, to: cards, flags: flags)
        } catch {
            logger.error(
                "own devices not granted", metadata: ["space": "\(space)", "why": "\(error)"])
        }
    }

    // MARK: Standing

    /// The first commits of a space came, because a device of this person has it or because it was
    /// accepted: it is not on offer any more.
    func takeUp(_ space: SpaceID) {
        do {
            guard store.ledger(of: space) != nil, let stored = try store.space(space),
                stored.standing == .offered
            else { return }
            try store.setStanding(of: space, to: .active, now: clock.wall)
        } catch {
            notWritten("space not taken up", error)
        }
    }

    /// A space that was left and is given again is on offer again; one that another device of this
    /// person left is left here, too.
    func settleStanding(of space: SpaceID) {
        do {
            guard let membership = membership(of: space), let stored = try store.space(space)
            else { return }
            let own = membership.permissions(of: identity.deviceID)
            switch stored.standing {
            case .left where own.contains(.read): try offerAgain(space, membership)
            case .active where own.isEmpty && membership.wasMember(identity.deviceID):
                try store.setStanding(of: space, to: .left, now: clock.wall)
            default: break
            }
        } catch {
            notWritten("standing not noted", error)
        }
    }

    private func offerAgain(_ space: SpaceID, _ membership: Membership) throws {
        let own = membership.writingGrant(of: identity.deviceID)
        guard let parent = own.flatMap({ membership.standings[$0]?.parent }),
            let giver = membership.standings[parent]?.card
        else { return }
        let offer = Offer(
            title: try shown(space, "trip").first?.record.value("name")?.text ?? "",
            from: personName(giver.person),
            flags: membership.permissions(of: identity.deviceID),
            bytes: try store.blobCounts(of: space).namedBytes)
        try store.setStanding(of: space, to: .offered, now: clock.wall)
        _ = try store.saveOffer(offer, of: space, by: giver.device)
    }

    /// Tells the engine again what of a space is here and which files are missing.
    func reopen(_ space: SpaceID) {
        guard let ledger = store.ledger(of: space) else { return }
        loop.post(.spaceOpened(SpaceView(ledger)))
        do {
            guard try store.space(space)?.standing == .active else { return }
            let missing = try store.missingBlobs(of: space)
            loop.post(.blobsNeeded(missing.map { BlobNeed($0, in: space) }))
        } catch {
            logger.error("missing files not read", metadata: ["why": "\(error)"])
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

extension Membership {
    /// Whether a device had a grant that was taken from it.
    func wasMember(_ device: DeviceID) -> Bool {
        standings.values.contains { $0.card.device == device && $0.current.isEmpty }
    }

    /// Whether a grant was taken from this device alone: nobody gives it back by itself.
    func isSingledOut(_ device: DeviceID, against other: DeviceID) -> Bool {
        wasMember(device) && !wasMember(other)
    }
}
