package import LocalAPI
import SyncCore

/// Who has a trip, and giving it to others.
extension SpaceService {
    package func members(of typed: String) throws -> [MemberView] {
        try memberViews(of: try directory.shared(typed).id)
    }

    /// Grants the trip to every known device of a person. A second grant can only raise the role,
    /// and give authority.
    package func grant(_ typed: String, _ grant: GrantDraft) async throws -> MemberView {
        let known = try directory.shared(typed)
        let people = try knownPeople()
        let person = try Lookup.find(grant.person, .person, among: people) {
            Lookup.Entry(id: $0.id.description, name: $0.name)
        }
        if person.id != replica.local.person { try require(.admin, in: known, .grant) }
        let role = grant.role ?? role(of: person, in: known) ?? .contributor
        try checkAuthority(of: person, grant, role, in: known)
        try checkRaises(person, to: role, in: known)
        guard !person.cards.isEmpty else { throw APIError.noKnownDevice(person: person.name) }
        do {
            try await replica.grant(
                known.id, to: person.cards, flags: role.permissions,
                authority: grant.authority ?? false)
        } catch ReplicaError.notPermitted {
            try require(.admin, in: known, .grant)
            throw APIError.roleLost(trip: known.name)
        }
        try await writeNames(of: person, in: known)
        guard
            let view = try memberViews(of: known.id).first(where: {
                $0.person.id == person.id.description
            })
        else { throw APIError.noKnownDevice(person: person.name) }
        return view
    }

    /// A person whose devices this one knows, by pairing or from a common trip.
    private struct KnownPerson {
        let id: PersonID
        let name: String
        var cards: [Card]
    }

    private func knownPeople() throws -> [KnownPerson] {
        var cards = try replica.knownDevices().map(\.card)
        for space in try directory.readable() {
            cards += (replica.membership(of: space.id)?.members ?? []).map(\.standing.card)
        }
        if let own = replica.local.card { cards.append(own) }
        var people: [PersonID: KnownPerson] = [:]
        var seen: Set<DeviceID> = []
        for card in cards where seen.insert(card.device).inserted {
            let name = ShownText.line(replica.personName(card.person))
            people[card.person, default: KnownPerson(id: card.person, name: name, cards: [])]
                .cards.append(card)
        }
        return people.values.sorted { ($0.name, $0.id) < ($1.name, $1.id) }
    }

    private func checkRaises(
        _ person: KnownPerson, to role: LocalAPI.Role, in trip: ReadableSpace
    ) throws(APIError) {
        let now = flags(of: person, in: trip)
        guard now.isStrictSuperset(of: role.permissions), let current = LocalAPI.Role(now) else {
            return
        }
        throw APIError.cannotLower(person: person.name, role: current, trip: trip.name)
    }

    private func flags(of person: KnownPerson, in trip: ReadableSpace) -> Permissions {
        guard let membership = replica.membership(of: trip.id) else { return [] }
        return person.cards.map { membership.permissions(of: $0.device) }
            .reduce(Permissions()) { $0.union($1) }
    }

    private func role(of person: KnownPerson, in trip: ReadableSpace) -> LocalAPI.Role? {
        LocalAPI.Role(flags(of: person, in: trip))
    }

    /// Only who may pass authority on can give it, or change the role of who has it: the new grant
    /// would not carry it.
    private func checkAuthority(
        of person: KnownPerson, _ grant: GrantDraft, _ role: LocalAPI.Role, in trip: ReadableSpace
    ) throws(APIError) {
        guard let membership = replica.membership(of: trip.id) else { return }
        let has = person.cards.contains { membership.hasAuthority($0.device) }
        let asks = grant.authority ?? false
        if asks, role == .viewer { throw APIError.viewerWithoutWord(person: person.name) }
        guard asks || (has && role != self.role(of: person, in: trip)) else { return }
        guard membership.canGiveAuthority(replica.local.device) else {
            throw APIError.noAuthorityToGive(trip: trip.name)
        }
    }

    /// The trip learns the names from whoever grants it: a viewer could not write them.
    private func writeNames(of person: KnownPerson, in trip: ReadableSpace) async throws {
        let operations = try replica.missingProfiles(
            of: person.id, devices: person.cards.map(\.device), in: trip.id)
        guard !operations.isEmpty, replica.permissions(in: trip.id).contains(.write) else { return }
        try await write(ChangeSet(operations: operations), to: trip, .grant)
    }

    func memberViews(of trip: SpaceID) throws -> [MemberView] {
        guard let membership = replica.membership(of: trip) else { return [] }
        let acks = try replica.acks(of: trip)
        let writers = Set(replica.watermark(of: trip).heads.keys.map(\.device))
        let founder = membership.standings.values.first { $0.parent == nil }?.card.person
        var devices: [PersonID: [Card]] = [:]
        var order: [PersonID] = []
        for member in membership.members {
            let card = member.standing.card
            if devices[card.person] == nil { order.append(card.person) }
            if !(devices[card.person] ?? []).contains(where: { $0.device == card.device }) {
                devices[card.person, default: []].append(card)
            }
        }
        return order.compactMap { person in
            let cards = devices[person] ?? []
            let flags = cards.map { membership.permissions(of: $0.device) }
                .reduce(Permissions()) { $0.union($1) }
            guard let role = LocalAPI.Role(flags) else { return nil }
            let isMine = person == replica.local.person
            let hasAnswered = cards.contains {
                acks[$0.device] != nil || writers.contains($0.device)
            }
            return MemberView(
                person: replica.reference(person), role: role, me: isMine,
                founder: person == founder, accepted: isMine || hasAnswered,
                authority: cards.contains { membership.hasAuthority($0.device) },
                devices: cards.map { replica.reference($0.device) })
        }
    }
}
