/// What is to be taken from some grants.
package struct RightsTaking: Sendable {
    package var grants: [FactReference]
    /// What is left; empty takes all.
    package var remaining: Permissions
    /// What their devices wrote after this time counts for nothing; nil: what was not here by now.
    package var until: Milliseconds?
    /// Whether it is about all devices of their people, whoever let them in or does so before hearing
    /// of it.
    package var scope: Revocation.Scope

    package init(
        grants: [FactReference], remaining: Permissions = [], until: Milliseconds? = nil,
        scope: Revocation.Scope = .device
    ) {
        (self.grants, self.remaining) = (grants, remaining)
        (self.until, self.scope) = (until, scope)
    }
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

    /// Whether that person's recovery key can: it reaches the grants of its person, and the founder's
    /// reaches all.
    package func canRestrict(_ grant: FactReference, byKeyOf person: PersonID) -> Bool {
        standings[grant]?.card.person == person || founder == person
    }

    /// Who made the space.
    package var founder: PersonID? { genesisCard?.person }

    /// The devices whose work a taking is about: those of its grants, or all of the same people.
    package func devices(of taking: RightsTaking) -> Set<DeviceID> {
        let cards = taking.grants.compactMap { standings[$0]?.card }
        guard taking.scope == .person else { return Set(cards.map(\.device)) }
        let people = Set(cards.map(\.person))
        return Set(
            standings.values.filter { people.contains($0.card.person) }.map(\.card.device))
    }

    /// The cards of all devices that were ever given the space.
    package var cards: [Card] { standings.values.map(\.card) }

    /// Everybody who was ever given the space.
    package var people: Set<PersonID> { Set(standings.values.map(\.card.person)) }

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

    /// Who gave a grant to its person: the holder of the nearest senior grant of another person; nil
    /// for the founder.
    package func giver(of grant: FactReference) -> PersonID? {
        guard let standing = standings[grant] else { return nil }
        var parent = standing.parent
        while let current = parent, let senior = standings[current] {
            if senior.card.person != standing.card.person { return senior.card.person }
            parent = senior.parent
        }
        return nil
    }
}
