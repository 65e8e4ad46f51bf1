internal import Identity
internal import Records
internal import Store
package import SyncCore
internal import Wire

/// Spaces that are offered to this device, and its own offers of spaces to others.
package struct SpaceOffers: Sendable {
    private let work: EngineWork
    private var store: SyncStore { work.store }

    init(_ work: EngineWork) { self.work = work }

    /// Takes what a peer offers where this person founded it, and this device lost it: nobody accepts what is theirs.
    /// Else the person is asked. Throws what the store throws.
    func receive(
        _ offer: Offer, of space: SpaceID, from device: DeviceID
    ) throws -> EngineWork.Done {
        var done = EngineWork.Done()
        done.notes = try save(offer, of: space, from: device)
        guard store.spaces.standing(of: space) == .offered, store.ledger(of: space) == nil,
            let proof = offer.founding, try isFounder(of: space, by: proof)
        else { return done }
        done.merge(try accept(space))
        return done
    }

    /// Whether a device of this person signed the first commit of a space.
    private func isFounder(of space: SpaceID, by proof: FoundingProof) throws -> Bool {
        guard SpaceID(CommitID(ofHeader: proof.header).value) == space,
            let header = try? work.codec.decodeHeader(proof.header), header.isGenesis
        else { return false }
        var keys = KeyDirectory()
        keys.add(work.keys.signingKey)
        for device in try store.devices.all() where device.person == work.person {
            keys.add(device.signingKey)
        }
        guard let key = keys[header.log.device] else { return false }
        return work.signatures.isValid(
            signature: proof.signature, over: Label.commit.framing(proof.header), by: key)
    }

    /// Keeps an offer for the person, as far as there is room.
    private func save(
        _ offer: Offer, of space: SpaceID, from device: DeviceID
    ) throws -> [EngineWork.Note] {
        let standing = store.spaces.standing(of: space)
        if standing == .offered {
            // The same offer comes with every comparison: that writes nothing.
            let known = try store.spaces.space(space)?.offer
            try OfferedGrants(store).keep(offer.grants, of: space)
            guard known?.isSame(as: offer) != true else { return [] }
            // A vault does not know what the space is called.
            if let known, !known.title.isEmpty, offer.title.isEmpty { return [] }
        } else {
            let declined = try OfferedGrants(store).count(of: space)
            let isAgain =
                standing == .left && store.ledger(of: space) == nil
                && declined.isBefore(offer.grants)
            guard standing == nil || isAgain else { return [] }
            let waiting = try store.spaces.all().count {
                $0.standing == .offered && $0.offeredBy == device
            }
            guard waiting < Limits.offersPerDevice else { return [.tooManyOffers(device)] }
            if isAgain {
                try store.spaces.setStanding(of: space, to: .offered, now: work.clock.wall)
            }
            try OfferedGrants(store).keep(offer.grants, of: space)
        }
        _ = try store.spaces.saveOffer(offer, of: space, by: device)
        return []
    }

    /// Notes the offer of another device in place of one that waits here; nil: the device that made it took
    /// it back. Its place stays, so that no device makes ever more of them. Throws what the store throws.
    func replace(
        by offer: Offer?, of space: SpaceID, from device: DeviceID
    ) throws -> EngineWork.Done {
        var done = EngineWork.Done()
        guard let stored = try store.spaces.space(space), stored.standing == .offered,
            stored.role == nil
        else { return done }
        if let offer {
            let isVault = offer.title.isEmpty && stored.isOffered
            let text = isVault ? stored.offer ?? offer : offer
            try OfferedGrants(store).keep(offer.grants, of: space)
            _ = try store.spaces.saveOffer(text, of: space, by: device)
        } else if stored.isOffered, stored.offeredBy == device {
            let nothing = Offer(title: "", from: "", flags: [], bytes: 0)
            _ = try store.spaces.saveOffer(nothing, of: space, by: device)
            done.notes.append(.offerTakenBack(space))
        }
        return done
    }

    /// Takes an offered space: from now on its commits are fetched.
    package func accept(_ space: SpaceID) throws -> EngineWork.Done {
        guard store.ledger(of: space) != nil else {
            try store.spaces.setStanding(of: space, to: .active, now: work.clock.wall)
            return EngineWork.Done(events: [.spaceAccepted(space)])
        }
        // One that was left before is here already: it is read before anything is written, and what changed
        // meanwhile is looked at now.
        var done = try work.spaces.openAll(of: space, wantsFiles: true)
        try store.spaces.setStanding(of: space, to: .active, now: work.clock.wall)
        done.membershipChanged = space
        return done
    }

    /// Refuses an offered space on this device. One that was left before and given again is left: the others
    /// hear it as they did then.
    package func decline(_ space: SpaceID) throws -> EngineWork.Done {
        guard let ledger = store.ledger(of: space) else {
            try store.spaces.setStanding(of: space, to: .left, now: work.clock.wall)
            let grants = try OfferedGrants(store).count(of: space)
            return EngineWork.Done(events: [.spaceDeclined(space, grants: grants)])
        }
        var done = EngineWork.Done()
        if ledger.membership.permissions(of: work.device).isEmpty {
            try store.spaces.setStanding(of: space, to: .left, now: work.clock.wall)
        } else {
            done = try work.members.leave(space, asPerson: false)
        }
        // What cannot be read now is opened at the next start.
        done.attempt("space not opened", isWriting: false) {
            $0.merge(try work.spaces.openAll(of: space, wantsFiles: false))
        }
        return done
    }

    /// Takes a space that this person's key brings back, as soon as it comes.
    func expect(_ recovered: RecoveryOffer, from device: DeviceID) throws -> EngineWork.Done {
        let offer = Offer(
            title: recovered.title, from: "", flags: recovered.flags, bytes: 0)
        _ = try store.spaces.saveOffer(offer, of: recovered.space, by: device)
        return try accept(recovered.space)
    }

    // MARK: Standing

    /// The first commits of a space came, because a device of this person has it or because it was
    /// accepted: it is not on offer any more.
    func activate(_ space: SpaceID) throws {
        guard store.ledger(of: space) != nil, store.spaces.standing(of: space) == .offered else {
            return
        }
        try store.spaces.setStanding(of: space, to: .active, now: work.clock.wall)
    }

    /// A space that was left and is given again is on offer again; one that another device of this person left
    /// is left here, too. Where that took no grant from this device it has to be among the `stored` commits: a
    /// leave of long ago ends nothing that is in use. Throws what the store throws.
    @discardableResult
    package func updateStanding(
        of space: SpaceID, after stored: [CommitID] = []
    ) throws -> EngineWork.Done {
        guard let ledger = store.ledger(of: space),
            let standing = store.spaces.standing(of: space)
        else { return EngineWork.Done() }
        let membership = ledger.membership
        let own = membership.permissions(of: work.device)
        switch standing {
        case .left where own.mayHold:
            // A role that was given by somebody who had not heard of it brings nobody back.
            if ledger.hasLeft(work.device, without: try work.losses.lostDevices(), mayStay: false) {
                return leave(space)
            }
            try offerAgain(space, membership)
        case .active where own.isEmpty && membership.wasMember(work.device):
            try store.spaces.setStanding(of: space, to: .left, now: work.clock.wall)
            return noting(space, isLeft: isOwn(stored, in: membership))
        case .active where ledger.role == .shared && !own.isEmpty && !stored.isEmpty:
            guard try follows(stored, in: ledger) else { break }
            var done = leave(space)
            done.merge(noting(space, isLeft: !done.rightsWritten.isEmpty))
            return done
        case .active, .left, .offered: break
        }
        return EngineWork.Done()
    }

    /// The person finds in the log why it is gone here.
    private func noting(_ space: SpaceID, isLeft: Bool) -> EngineWork.Done {
        var done = EngineWork.Done()
        if isLeft { done.notes.append(.leftElsewhere(space)) }
        return done
    }

    /// Whether another device of this person took something from this one in these commits.
    private func isOwn(_ stored: [CommitID], in membership: Membership) -> Bool {
        membership.facts.takings(from: work.device).contains { taking in
            stored.contains(taking.commit) && taking.author != work.device
                && membership.facts.card(of: taking.author)?.person == work.person
        }
    }

    /// Whether a space that is here waits for this person's answer, also when that could not be noted: the agent
    /// ended before, or the store could not be written. After a loss it is not told from a leave that was lost
    /// and that others can bring back.
    func isWaiting(_ space: SpaceID) -> Bool {
        guard let membership = store.ledger(of: space)?.membership else { return false }
        switch store.spaces.standing(of: space) {
        case .offered: return true
        case .left:
            return !store.hasLost && membership.wasMember(work.device)
                && membership.permissions(of: work.device).mayHold && giver(membership) != nil
        case .active, nil: return false
        }
    }

    /// Whether one of the commits is a leave of another device of this person that this one follows.
    private func follows(_ stored: [CommitID], in ledger: SpaceLedger) throws -> Bool {
        let lost = try work.losses.lostDevices()
        guard
            ledger.hasLeft(work.device, without: lost, mayStay: true, among: Set(stored)),
            remains(ledger.membership)
        else { return false }
        return try isKeptByOthers(ledger, without: lost)
    }

    /// Whether a device of another person has all that this one wrote in a space, by its ack, and the files, by
    /// its holdings.
    private func isKeptByOthers(
        _ ledger: SpaceLedger, without lost: Set<DeviceID>
    ) throws -> Bool {
        let (space, membership) = (ledger.space, ledger.membership)
        let own = ledger.watermark.limited(to: [work.device])
        guard !own.heads.isEmpty else { return true }
        let missing = Set(try store.files.missing(of: space, withFreed: true).map(\.blob))
        let files = try store.files.blobs(of: space, namedUpTo: own).subtracting(missing)
        let holdings = try store.statements.holdings(of: space).map(\.said)
        return try store.statements.acks(of: space).map(\.said).contains { ack in
            guard membership.readers.contains(ack.device), !lost.contains(ack.device),
                membership.facts.card(of: ack.device)?.person != work.person,
                ack.watermark.covers(own)
            else { return false }
            if files.isEmpty { return true }
            guard let said = holdings.first(where: { $0.device == ack.device }),
                said.missingCount <= UInt64(said.missing.count),
                files.isDisjoint(with: said.missing)
            else { return false }
            // One of before it had heard of all files says nothing about later ones.
            let heard = try store.files.blobs(of: space, namedUpTo: ack.watermark)
            return said.held >= UInt64(heard.count - min(said.missing.count, heard.count))
        }
    }

    /// Whether others have the space, and one of them can let people in, when this person leaves.
    private func remains(_ membership: Membership) -> Bool {
        let isAdmin = membership.permissions(of: work.device).contains(.admin)
        return membership.members.map(\.standing).contains { standing in
            standing.card.person != work.person
                && standing.current.isSuperset(of: isAdmin ? [.read, .admin] : [.read])
        }
    }

    private func leave(_ space: SpaceID) -> EngineWork.Done {
        var done = EngineWork.Done()
        done.changeRights(in: space, "space not left", by: work, isLeave: true) {
            try work.members.leave(space, asPerson: false)
        }
        return done
    }

    private func offerAgain(_ space: SpaceID, _ membership: Membership) throws {
        guard let giver = giver(membership) else { return }
        let offer = try offer(
            of: space, from: work.names(giver.person), membership.permissions(of: work.device))
        try store.spaces.setStanding(of: space, to: .offered, now: work.clock.wall)
        _ = try store.spaces.saveOffer(offer, of: space, by: giver.device)
    }

    /// The device that gave this one what it has; nil where the key of a person did.
    private func giver(_ membership: Membership) -> Card? {
        let own = membership.writingGrant(of: work.device)
        let parent = own.flatMap { membership.standings[$0]?.parent }
        return parent.flatMap { membership.standings[$0]?.card }
    }

    // MARK: Contents of an offer

    /// What an offer of this space would say.
    func description(of space: SpaceID, _ done: inout EngineWork.Done) -> OfferedSpace? {
        var described: OfferedSpace?
        done.attempt("space not described", isWriting: false) { _ in
            guard let membership = store.ledger(of: space)?.membership else { return }
            let offer = try offer(of: space, from: "", membership.permissions(of: work.device))
            let givers = membership.givers.map { ($0, work.names($0)) }
            described = OfferedSpace(
                offer, givers: Dictionary(uniqueKeysWithValues: givers),
                founding: try founding(of: space, membership))
        }
        return described
    }

    /// For devices of another person who founded the space; devices of one person need no offers.
    private func founding(
        of space: SpaceID, _ membership: Membership
    ) throws -> FoundingProof? {
        guard membership.founder != work.person,
            let genesis = try store.log.commit(CommitID(space.value))
        else { return nil }
        return FoundingProof(header: genesis.header, signature: genesis.signature)
    }

    /// Whether an offer may say something else than before these commits.
    func mayDiffer(after report: ApplyReport) -> Bool {
        guard !report.stored.isEmpty else { return false }
        return report.hasGenesis || report.membershipChanged || report.schemaChanged
            || report.touchesTitle(in: store)
            || report.stored.contains { !$0.clear.blobs.isEmpty } || !report.needs.isEmpty
    }

    private func offer(
        of space: SpaceID, from name: String, _ flags: Permissions
    ) throws -> Offer {
        let schema = store.spaces.schema(of: space)
        return Offer(
            title: try title(of: space), from: name, flags: flags,
            bytes: try store.files.counts(of: space).namedBytes,
            schema: schema.map { $0.isJournal ? "" : $0.name } ?? "")
    }

    /// What a space is called, as its records say; empty when nothing does.
    func title(of space: SpaceID) throws -> String {
        guard let schema = store.spaces.schema(of: space) else { return "" }
        let key = schema.titleRecord(in: space)
        guard let state = try store.records.record(key, of: space) else { return "" }
        return schema.shown(state, in: key.collection)?.value("name")?.text ?? ""
    }
}

extension Offer {
    /// Whether a person reads the same in both: the store keeps no more of an offer.
    fileprivate func isSame(as other: Offer) -> Bool {
        var other = other
        (other.grants, other.founding) = (grants, founding)
        return self == other
    }
}
