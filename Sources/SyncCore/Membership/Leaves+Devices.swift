/// Which devices of a person follow one of them that left. A leave takes no grant that is as senior as its author's;
/// equal devices give theirs up themselves, by revocations that are judged as all others.
extension Leaves {
    /// A revocation by the key of a person, or whose author was allowed something where it stands.
    private struct Taking {
        let revocation: Revocation
        let origin: Membership.Origin
        /// The grant under which it was written; nil for that of a key.
        let writer: GrantStanding?

        /// Whether a device of a person gave up the grant under which it wrote that.
        func isLeave(of person: PersonID) -> Bool { writer?.card.person == person && isLeave }

        /// Whether its author gave up the grant under which they wrote it.
        var isLeave: Bool { writer != nil && origin.grant == revocation.grant }
    }

    private var takings: [Taking] {
        membership.facts.all.values.compactMap { entry in
            switch entry.fact {
            case .revocation(let revocation) where revocation.remaining.isEmpty:
                guard let writer = entry.origin.grant.flatMap({ membership.standings[$0] }),
                    isAllowed(entry.origin, under: writer)
                else { return nil }
                return Taking(revocation: revocation, origin: entry.origin, writer: writer)
            case .personRevocation(let revocation, _) where revocation.remaining.isEmpty:
                return Taking(revocation: revocation, origin: entry.origin, writer: nil)
            default: return nil
            }
        }
    }

    /// The devices of which their own person ever took a grant.
    var devicesThatGaveUp: Set<DeviceID> {
        Set(
            takings.filter(isOwn).compactMap {
                membership.facts.grant($0.revocation.grant)?.card.device
            })
    }

    /// Whether a person took it from themselves.
    private func isOwn(_ taking: Taking) -> Bool {
        taking.writer?.card.person
            == membership.facts.grant(taking.revocation.grant)?.card.person
    }

    /// Whether all that a device has in the space is given up by what its person said: a device of theirs that is
    /// no younger than its grants left and named it, or this one left, and nobody who knew gave it any. No leave
    /// counts that `isVoid` finds by where it stands.
    func areGivenUp(grantsOf device: DeviceID, isVoid: (Membership.Origin) -> Bool) -> Bool {
        let own = membership.standings.filter {
            $0.value.card.device == device && !$0.value.current.isEmpty
        }
        guard let person = own.values.first?.card.person else { return false }
        let takings = takings
        let leaves = takings.filter { $0.isLeave(of: person) && !isVoid($0.origin) }
        guard !leaves.isEmpty else { return false }
        let naming = Set(
            takings.filter {
                membership.facts.grant($0.revocation.grant)?.card.device == device
            }.map(\.origin.commit))
        // A device gives up each of its grants in another commit.
        let orders = Dictionary(
            leaves.compactMap(\.writer).map { ($0.card.device, $0.order) }, uniquingKeysWith: min)
        return own.allSatisfy { id, standing in
            let given = giving(id)
            guard !given.isEmpty else { return false }
            return leaves.contains { leave in
                let holder = leave.origin.log.device
                let isElder = orders[holder].map { standing.order < $0 } ?? true
                return naming.contains(leave.origin.commit)
                    && (holder == device || !isElder)
                    && !given.contains { hasSeenTaken(leave.revocation.grant, $0, takings) }
            }
        }
    }

    /// How many commits of a device beyond a watermark gave up rights of its own person.
    package func count(by device: DeviceID, beyond known: Watermark) -> Int {
        let own = takings.filter { taking in
            taking.origin.log.device == device
                && !known.covers(taking.origin.log, taking.origin.sequence)
                && isOwn(taking)
        }
        return Set(own.map(\.origin.commit)).count
    }

    /// Whether another person took a grant that a device gave up, so that they know without hearing of the leave.
    package func isTaken(from device: DeviceID) -> Bool {
        let given = membership.facts.all.values.compactMap { entry -> FactReference? in
            guard case .revocation(let said) = entry.fact, said.remaining.isEmpty,
                entry.origin.log.device == device
            else { return nil }
            return said.grant
        }
        return takings.contains { taking in
            taking.writer != nil && given.contains(taking.revocation.grant) && !isOwn(taking)
        }
    }

    /// Other devices of its person that stay in the space when a device leaves it: those that are elder.
    package func staying(without device: DeviceID) -> Set<DeviceID> {
        let standing = membership.members.map(\.standing)
        let own = standing.filter { $0.card.device == device }
        guard let first = own.map(\.order).min(), let person = own.first?.card.person else {
            return []
        }
        let elder = standing.filter { $0.card.person == person && $0.order < first }
        return Set(elder.map(\.card.device)).subtracting([device])
    }

    /// The commit by which another device of its person left and that named this device; nil also where this one
    /// left for all of them.
    package func leave(before device: DeviceID) -> CommitID? {
        let person = membership.facts.card(of: device)?.person
        var named: [CommitID: (author: DeviceID, devices: Set<DeviceID>)] = [:]
        for (id, entry) in membership.facts.all {
            guard case .revocation(let said) = entry.fact, said.remaining.isEmpty,
                let card = membership.facts.grant(said.grant)?.card, card.person == person
            else { continue }
            named[id.commit, default: (entry.origin.log.device, [])].devices.insert(card.device)
        }
        // A commit that names other devices alone takes the space from them.
        let leaves = named.filter { $0.value.devices.contains($0.value.author) }
        guard !leaves.values.contains(where: { $0.author == device && $0.devices.count > 1 })
        else { return nil }
        return leaves.filter { $0.value.author != device && $0.value.devices.contains(device) }
            .keys.max()
    }

    /// Whether a grant was taken from a device and not from another one of its person, or after that one was let
    /// in: nobody gives it back by itself.
    package func isSingledOut(_ device: DeviceID, against other: DeviceID) -> Bool {
        let taken = grantsTaken(from: device)
        guard !taken.isEmpty else { return false }
        guard membership.wasMember(other) else { return true }
        guard let entry = membership.writingGrant(of: other).flatMap({ giving($0).last }) else {
            return false
        }
        let takings = takings
        return taken.contains { !hasSeenTaken($0, entry, takings) }
    }

    /// Whether a grant gives a device the space back: the author of the grant knew that it had been taken from this
    /// one device. A person who left and was let in again brings their devices in like new ones.
    package func isReturn(_ grant: FactReference) -> Bool {
        guard let giving = membership.facts.all[grant],
            let device = giving.fact.grant?.card.device
        else { return false }
        let takings = takings
        let leaves = Set(takings.filter(\.isLeave).map(\.origin.commit))
        return takings.contains { taking in
            taking.revocation.scope == .device && !leaves.contains(taking.origin.commit)
                && membership.facts.grant(taking.revocation.grant)?.card.device == device
                && taking.origin.commit != giving.origin.commit
                && giving.origin.hasSeen(taking.origin.log, taking.origin.sequence)
        }
    }

    fileprivate func grantsTaken(from device: DeviceID) -> [FactReference] {
        membership.standings.filter {
            $0.value.card.device == device && $0.value.current.isEmpty
        }.map(\.key)
    }

    /// Where a grant was given, and those above it to the same person, the one that let the person in last;
    /// empty where the key of the person gave one.
    private func giving(_ grant: FactReference) -> [Membership.Origin] {
        let standings = membership.standings
        var found: [Membership.Origin] = []
        var next: FactReference? = grant
        while let id = next, let standing = standings[id], let entry = membership.facts.all[id] {
            if standing.isByKey { return [] }
            found.append(entry.origin)
            let parent = standing.parent.flatMap { standings[$0] }
            next = parent?.card.person == standing.card.person ? standing.parent : nil
        }
        return found
    }

    /// Whether a commit that gave a grant had seen that another one was taken.
    private func hasSeenTaken(
        _ grant: FactReference, _ giving: Membership.Origin, _ takings: [Taking]
    ) -> Bool {
        takings.contains { taking in
            reaches(taking.revocation, grant)
                && giving.hasSeen(taking.origin.log, taking.origin.sequence)
        }
    }

    private func reaches(_ revocation: Revocation, _ grant: FactReference) -> Bool {
        if revocation.grant == grant || revocation.cascade != .none { return true }
        return revocation.scope == .person
            && membership.facts.grant(revocation.grant)?.card.person
                == membership.facts.grant(grant)?.card.person
    }
}

extension Membership {
    /// Whether a device had a grant that was taken from it.
    package func wasMember(_ device: DeviceID) -> Bool {
        !Leaves(self).grantsTaken(from: device).isEmpty
    }
}
