/// What is to be taken from some grants.
package struct RightsTaking: Sendable {
    package var grants: [FactReference]
    /// What is left; empty takes all.
    package var remaining: Permissions
    /// What their devices wrote after this time counts for nothing; nil: what was not here by now.
    package var until: Milliseconds?
    /// Whether it is about all devices of their people, also those that are let in by somebody who has
    /// not heard of it yet.
    package var scope: Revocation.Scope
    /// Whether it is also about those whom their people let in.
    package var cascade: Revocation.Cascade

    package init(
        grants: [FactReference], remaining: Permissions = [], until: Milliseconds? = nil,
        scope: Revocation.Scope = .device, cascade: Revocation.Cascade = .none
    ) {
        (self.grants, self.remaining) = (grants, remaining)
        (self.until, self.scope, self.cascade) = (until, scope, cascade)
    }
}

extension RightsTaking {
    /// The devices whose work it is about: those of its grants, or all of the same people, with a
    /// cascade also those that these let in.
    package func devices(in membership: Membership) -> Set<DeviceID> {
        let standings = membership.standings
        var reached = Set(grants)
        if scope == .person {
            let people = Set(grants.compactMap { standings[$0]?.card.person })
            reached = Set(standings.filter { people.contains($0.value.card.person) }.keys)
        }
        if cascade == .all { reached.formUnion(GrantDescent(membership).below(reached)) }
        return Set(reached.compactMap { standings[$0]?.card.device })
    }

    /// The grants that it has to name: of a person one is enough, the most senior.
    package func named(in membership: Membership) -> [FactReference] {
        guard scope == .person else { return grants }
        var people: Set<PersonID> = []
        return grants.compactMap { id in membership.standings[id].map { (id, $0) } }
            .sorted { ($0.1.order, $0.0) < ($1.1.order, $1.0) }
            .filter { people.insert($0.1.card.person).inserted }.map(\.0)
    }
}

/// Which grants descend from which.
package struct GrantDescent {
    private let membership: Membership

    package init(_ membership: Membership) { self.membership = membership }

    /// Those that descend from some, of which those of the first rank are left out: from them all does.
    package func below(_ some: Set<FactReference>) -> Set<FactReference> {
        let standings = membership.standings
        let first = some.filter { standings[$0]?.order.rank ?? 1 > 1 }
        return Set(
            standings.keys.filter { id in
                var next = standings[id]?.parent
                while let current = next {
                    if first.contains(current) { return true }
                    next = standings[current]?.parent
                }
                return false
            })
    }

    /// The grants of a device and those they descend from, as the commits they stand in, the most
    /// senior first.
    package func lineage(of device: DeviceID) -> [CommitID] {
        let standings = membership.standings
        var grants = standings.filter { $0.value.card.device == device }
        var next = grants.values.compactMap(\.parent)
        while let parent = next.popLast() {
            guard grants[parent] == nil, let standing = standings[parent] else { continue }
            grants[parent] = standing
            if let senior = standing.parent { next.append(senior) }
        }
        return grants.sorted { ($0.value.order, $0.key) < ($1.value.order, $1.key) }
            .map(\.key.commit)
    }

    /// Who gave a grant to its person: the holder of the nearest senior grant of another person; nil
    /// for the founder.
    package func giver(of grant: FactReference) -> PersonID? {
        let standings = membership.standings
        guard let standing = standings[grant] else { return nil }
        var parent = standing.parent
        while let current = parent, let senior = standings[current] {
            if senior.card.person != standing.card.person { return senior.card.person }
            parent = senior.parent
        }
        return nil
    }

    /// Who gave a device what it has of the space; nil for nobody.
    package func giver(to device: DeviceID) -> PersonID? {
        membership.writingGrant(of: device).flatMap { giver(of: $0) }
    }

    /// Members who stand in the space only because a person let them in, or somebody whom that one let in.
    package func invited(by person: PersonID) -> [PersonID] {
        let own = Set(membership.standings.filter { $0.value.card.person == person }.keys)
        let below = below(own)
        var (inside, others): (Set<PersonID>, Set<PersonID>) = ([], [])
        for member in membership.members where member.standing.card.person != person {
            if below.contains(member.grant) {
                inside.insert(member.standing.card.person)
            } else {
                others.insert(member.standing.card.person)
            }
        }
        return inside.subtracting(others).sorted()
    }
}

/// The reason why a grant gives nothing.
package enum GrantObstacle: Hashable, Sendable {
    /// The person has as many devices in the space as one may have.
    case noPlace
    /// Somebody of a higher rank took it.
    case taken
}

/// Who can take rights from whom.
extension Membership {
    /// Whether a device can take rights from a grant by what it writes now: as its holder, as an elder
    /// device of the same person, or as an admin of a senior rank.
    package func canRestrict(_ grant: FactReference, from author: DeviceID) -> Bool {
        guard let target = standings[grant], let id = writingGrant(of: author),
            let own = standings[id]
        else { return false }
        if id == grant { return true }
        if own.card.person == target.card.person, own.order < target.order { return true }
        return own.current.contains(.admin) && own.order.rank < target.order.rank
    }

    /// Why a grant to some devices, by somebody who may give it, gives none of them anything.
    package func obstacle(to cards: [Card]) -> GrantObstacle {
        cards.contains { places.hasRoom(for: $0, byKey: false) } ? .taken : .noPlace
    }

    /// Whether that person's recovery key can: it reaches the grants of its person, and the founder's
    /// reaches all.
    package func canRestrict(_ grant: FactReference, byKeyOf person: PersonID) -> Bool {
        standings[grant]?.card.person == person || founder == person
    }

    /// Who made the space.
    package var founder: PersonID? { facts.genesisCard?.person }

    /// The cards of all devices that were ever given the space.
    package var cards: [Card] { standings.values.map(\.card) }

    /// Everybody who was ever given the space.
    package var people: Set<PersonID> { Set(standings.values.map(\.card.person)) }

    /// Whether any device of a person may read today.
    package func isMember(_ person: PersonID) -> Bool {
        permissions(of: person).contains(.read)
    }

    /// The grants of some devices that still allow something.
    package func grants(of devices: Set<DeviceID>) -> [FactReference] {
        members.filter { devices.contains($0.standing.card.device) }.map(\.grant)
    }

    /// People with a device that can take rights from all of these grants, the most senior first.
    package func people(whoCanRestrict grants: [FactReference]) -> [PersonID] {
        var found: [PersonID] = []
        for member in members {
            let card = member.standing.card
            guard !found.contains(card.person),
                grants.allSatisfy({ canRestrict($0, from: card.device) })
            else { continue }
            found.append(card.person)
        }
        return found
    }

    /// The people who gave a grant to somebody else.
    package var givers: Set<PersonID> {
        Set(
            standings.values.compactMap { standing in
                standing.parent.flatMap { standings[$0]?.card.person }
            })
    }
}

extension Membership {
    /// Devices with a grant that goes back to a member, or to the founding, without any by a key.
    package var letInByMembers: Set<DeviceID> {
        let devices = standings.values.compactMap { standing in
            var next: GrantStanding? = standing
            while let current = next {
                if current.isByKey { return nil as DeviceID? }
                next = current.parent.flatMap { standings[$0] }
                if next?.card.person != standing.card.person { break }
            }
            return standing.card.device
        }
        return Set(devices)
    }
}

// MARK: Coming back

extension Membership {
    /// What the key of a person could give a device of theirs beyond what it has; nil for nothing.
    package func recovery(of card: Card) -> Grant? {
        let person = card.person
        let known = standings.filter { $0.value.card.person == person }
            .sorted { one, other in
                let (left, right) = (one.value, other.value)
                let (able, otherAble) = (left.current.rawValue, right.current.rawValue)
                if able != otherAble { return able > otherAble }
                return (left.order, one.key) < (right.order, other.key)
            }
        let has = permissions(of: card.device)
        for (parent, standing) in known where !has.isSuperset(of: standing.granted) {
            // The founder's grant has authority to give it, and does not use it.
            let isAuthority = standing.parent != nil
            let grant = Grant(
                card: card, parent: parent, flags: standing.granted,
                siblingIndex: standing.order.siblingIndex &+ 1,
                precedence: isAuthority
                    ? standing.precedence : min(standing.precedence, Precedence.user.rawValue))
            let gets = permissions(
                of: card.device, given: grant,
                by: StatementKey(person, key: keys.key(of: person)))
            if gets.contains(.read), !has.isSuperset(of: gets) { return grant }
        }
        return nil
    }
}
