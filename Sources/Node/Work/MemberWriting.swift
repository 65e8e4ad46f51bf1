package import Identity
internal import Records
internal import Store
package import SyncCore
internal import Wire

/// Granting, revoking, leaving and asking for rights.
package struct MemberWriting: Sendable {
    private let work: EngineWork
    private var store: SyncStore { work.store }
    private var device: DeviceID { work.device }

    init(_ work: EngineWork) { self.work = work }

    private struct NothingToGrant: Error {}

    /// Grants the space to devices that do not stand in it with at least these flags, or without
    /// the authority they are to have. A device of this person gets what this device has, as its
    /// sibling. Throws what the store throws.
    package func grant(
        _ space: SpaceID, to cards: [Card], flags: Permissions, authority: Bool = false,
        isFromNow: Bool = false
    ) throws -> EngineWork.Done {
        let log = try work.logs.current(in: space)
        do {
            return try work.append(to: space, isFromNow: isFromNow) { context in
                let asksAgain = try declining(cards, of: space)
                let facts = try grants(
                    to: cards, flags, authority: authority, asksAgain, in: context)
                let draft = CommitDraft(clear: ClearPart(facts: facts), operations: [])
                guard !facts.isEmpty else { throw NothingToGrant() }
                // Somebody more senior may have taken what these give.
                let after = work.membership(after: draft, at: log, context)
                guard cards.gain(from: context.ledger.membership, to: after, asksAgain) else {
                    throw NothingToGrant()
                }
                return draft
            }
        } catch is NothingToGrant {
            // They stand in it already.
            return EngineWork.Done()
        }
    }

    /// Those whose person declined: another grant of the same invites them again.
    private func declining(_ cards: [Card], of space: SpaceID) throws -> Set<DeviceID> {
        let declined = try Declines(store).askable(of: space).intersection(cards.map(\.device))
        guard !declined.isEmpty, let ledger = store.ledger(of: space) else { return [] }
        let acks = try store.statements.acks(of: space).map(\.said)
        return declined.subtracting(
            ledger.answered(Dictionary(acks.map { ($0.device, $0.watermark) }) { $1 }))
    }

    /// A device that is asked again gets a grant also where it has these rights.
    private func grants(
        to cards: [Card], _ flags: Permissions, authority: Bool, _ asksAgain: Set<DeviceID>,
        in context: DraftContext
    ) throws -> [UnverifiedFact] {
        let membership = context.ledger.membership
        let own = membership.standings[context.grant]
        let canGiveAuthority = membership.canGiveAuthority(device)
        let person = work.person
        var nextIndex = (membership.standings.values.map(\.order.siblingIndex).max() ?? 0) + 1
        var facts: [UnverifiedFact] = []
        var places = membership.places
        let lost = try work.losses.lostDevices(but: device)
        for card in cards
        where (authority || card.device != device) && !lost.contains(card.device) {
            let isSibling = card.person == person && own?.card.person == person
            // What a device has it keeps: it writes under one grant at a time.
            let has = membership.permissions(of: card.device)
            let hadAuthority = membership.hasAuthority(card.device)
            let wanted =
                isSibling
                ? own?.current ?? flags : has.intersection(own?.current ?? []).union(flags)
            let getsAuthority =
                canGiveAuthority
                && (authority || hadAuthority || (isSibling && membership.hasAuthority(device)))
            guard
                !has.isSuperset(of: wanted) || (getsAuthority && !hadAuthority)
                    || asksAgain.contains(card.device),
                places.claim(for: card, byKey: false)
            else { continue }
            let precedence: Precedence = getsAuthority ? .authority : .user
            facts.append(
                .grant(
                    UnverifiedGrant(
                        card: try CardCodec().decode(card.encoded), parent: context.grant,
                        flags: wanted, siblingIndex: isSibling ? nextIndex : 0,
                        precedence: precedence.rawValue)))
            nextIndex += 1
        }
        return facts
    }

    /// Gives up this person's membership: revokes the grants of all its devices, as their holder or
    /// elder sibling; those on which that does not count leave when they hear of it (`Leaves`). Else only
    /// this device's. From the last commit on the space is left here. Throws what the store throws.
    package func leave(_ space: SpaceID, asPerson: Bool = true) throws -> EngineWork.Done {
        let log = try work.logs.current(in: space)
        let person = work.person
        let isMember = try !work.notices.permissions(in: space).isEmpty
        var done = try leaveOtherGrants(in: space, log)
        let last = try work.append(to: space, standing: .left) { context in
            let ledger = context.ledger
            let own = ledger.membership.members.filter { member in
                member.standing.card.device == device
                    || asPerson && member.standing.card.person == person
            }
            let taking = RightsTaking(grants: own.map(\.grant))
            return CommitDraft(
                clear: ClearPart(facts: revocations(taking, heads: nil, in: ledger, log)),
                operations: [])
        }
        done.merge(last)
        // To one that was put out there is nothing that the others would have to hear.
        if isMember {
            done.attempt("unsent leave not noted") { _ in try UnsentLeaves(store).add(space) }
        }
        return done
    }

    /// Gives up the grants of this device but the one that it writes under, as after a change of its role: a
    /// device gives up a grant only in a commit under that grant.
    private func leaveOtherGrants(in space: SpaceID, _ log: LogID) throws -> EngineWork.Done {
        var done = EngineWork.Done()
        guard let membership = store.ledger(of: space)?.membership else { return done }
        let writing = membership.writingGrant(of: device)
        for grant in membership.grants(of: [device]) where grant != writing {
            let given = try work.append(to: space, under: grant) { context in
                let facts = revocations(
                    RightsTaking(grants: [grant]), heads: nil, in: context.ledger, log)
                return CommitDraft(clear: ClearPart(facts: facts), operations: [])
            }
            done.merge(given)
        }
        return done
    }

    /// Takes rights from grants, as far as this device's own grant reaches, or the key of a person:
    /// nobody is asked here.
    package func revoke(
        _ taking: RightsTaking, in space: SpaceID, signedBy key: PersonKey? = nil
    ) throws -> EngineWork.Done {
        let log = try work.logs.current(in: space)
        let heads = try taking.until.map { until in
            let membership = store.ledger(of: space)?.membership ?? Membership()
            return try store.log.heads(
                of: taking.devices(in: membership), in: space, until: until)
        }
        return try work.append(to: space) { context in
            let facts = revocations(taking, heads: heads, in: context.ledger, log)
            return CommitDraft(
                clear: ClearPart(
                    facts: key.map { key in facts.map { $0.signed(by: key, in: space) } } ?? facts),
                operations: [])
        }
    }

    /// Cut where the logs of all devices that it reaches end here, or at `heads`.
    private func revocations(
        _ taking: RightsTaking, heads: Watermark?, in ledger: SpaceLedger, _ log: LogID
    ) -> [UnverifiedFact] {
        let reached = taking.devices(in: ledger.membership)
        var cut = heads ?? ledger.heard.limited(to: reached)
        var named = taking.named(in: ledger.membership)
        if reached.contains(device) {
            // The commit that says so is the last one that counts.
            let (next, previous) = ledger.nextPosition(in: log)
            cut.advance(log, to: LogHead(sequence: next, commit: previous))
            // A device that takes from itself has to name the grant that it holds.
            named = taking.grants
        }
        cut = cut.shortened(keeping: log)
        return named.map { grant in
            .revocation(
                Revocation(
                    grant: grant, remaining: taking.remaining, cut: cut, scope: taking.scope,
                    cascade: taking.cascade))
        }
    }

    /// Writes down what a person's key gives a device of theirs, unless it gains nothing by that.
    package func carry(
        _ statement: UnverifiedPersonStatement, for device: DeviceID
    ) throws -> EngineWork.Done {
        let space = statement.space
        do {
            return try work.append(to: space) { context in
                let membership = context.ledger.membership
                guard let (grant, signed) = work.verifier.grant(of: statement, in: space),
                    grant.card.device == device, grant.card.person == signed.person
                else { throw NothingToGrant() }
                let has = membership.permissions(of: device)
                let gets = membership.permissions(of: device, given: grant, by: signed)
                guard !has.isSuperset(of: gets) else { throw NothingToGrant() }
                return CommitDraft(
                    clear: ClearPart(facts: [.personStatement(statement)]), operations: [])
            }
        } catch is NothingToGrant {
            return EngineWork.Done()
        }
    }

    /// Asks for rights, or answers who asked.
    package func ask(_ request: RightsRequest, in space: SpaceID) throws -> EngineWork.Done {
        try work.append(to: space) { _ in
            CommitDraft(clear: ClearPart(facts: [.request(request)]), operations: [])
        }
    }
}

extension [Card] {
    /// Whether any of these devices may do more than before, or has one more grant and is asked again.
    fileprivate func gain(
        from before: Membership, to after: Membership, _ asksAgain: Set<DeviceID>
    ) -> Bool {
        map(\.device).contains { device in
            let grants = (before.grants(of: [device]).count, after.grants(of: [device]).count)
            return asksAgain.contains(device) && grants.0 < grants.1
                || !before.permissions(of: device).isSuperset(of: after.permissions(of: device))
                || after.hasAuthority(device) && !before.hasAuthority(device)
        }
    }
}

extension Watermark {
    /// What a cut lists at most, so that a revocation is never too large: the logs in which most was
    /// written. What is left out is cut at the beginning.
    fileprivate func shortened(keeping own: LogID) -> Watermark {
        guard heads.count > Limits.logsInCut else { return self }
        let longest = heads.sorted {
            ($0.key == own ? 1 : 0, $0.value.sequence, $0.key)
                > ($1.key == own ? 1 : 0, $1.value.sequence, $1.key)
        }
        return Watermark(
            Dictionary(
                uniqueKeysWithValues: longest.prefix(Limits.logsInCut).map { ($0.key, $0.value) }))
    }
}

extension Limits {
    /// Logs that the cut of a revocation lists.
    package static let logsInCut = 4096
}

extension UnverifiedFact {
    /// A revocation as the statement of a person key.
    fileprivate func signed(by key: PersonKey, in space: SpaceID) -> UnverifiedFact {
        guard case .revocation(let revocation) = self else { return self }
        return .personStatement(key.statement(.revocation(revocation), in: space))
    }
}

extension PersonKey {
    /// A statement of the key about a space, no matter whose commit carries it.
    package func statement(
        _ body: UnverifiedPersonStatement.Body, in space: SpaceID
    ) -> UnverifiedPersonStatement {
        let bytes = PersonStatementCodec().encode(
            space: space, personKey: firstKey, key: exchangedKey, body: body)
        return UnverifiedPersonStatement(
            bytes: bytes, space: space, personKey: firstKey, key: exchangedKey, body: body,
            signature: sign(.personStatement, bytes))
    }
}
