internal import Identity
import LocalAPI
import SyncCore

/// Who has a trip, and giving it to others.
extension JournalService {
    func members(ofTrip trip: String) async throws -> [MemberView] {
        try memberViews(of: try trips.findReadable(trip))
    }

    /// Grants the trip to every known device of a person. A second grant can only raise the role,
    /// and give authority.
    func grantTrip(_ trip: String, _ grant: GrantDraft) async throws -> MemberView {
        let known = try trips.findReadable(trip)
        let people = try knownPeople()
        let person = try Lookup.find(grant.person, .person, among: people) {
            Lookup.Entry(id: $0.id.description, name: $0.name)
        }
        if person.id != replica.identity.person { try require(.admin, in: known, .grant) }
        let role = grant.role ?? role(of: person, in: known) ?? .contributor
        try checkAuthority(of: person, grant, role, in: known)
        try checkRaises(person, to: role, in: known)
        guard !person.cards.isEmpty else { throw APIError.noKnownDevice(person: person.name) }
        do {
            try await replica.grant(
                known.space, to: person.cards, flags: role.permissions,
                authority: grant.authority ?? false)
        } catch AgentError.notPermitted {
            try require(.admin, in: known, .grant)
            throw APIError.roleLost(trip: known.name)
        }
        try await writeNames(of: person, in: known)
        guard
            let view = try memberViews(of: known).first(where: {
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
        for trip in try trips.readable() {
            cards += (replica.membership(of: trip.space)?.members ?? []).map(\.standing.card)
        }
        if let own = replica.identity.card { cards.append(own) }
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
        _ person: KnownPerson, to role: LocalAPI.Role, in trip: KnownTrip
    ) throws(APIError) {
        let now = flags(of: person, in: trip)
        guard now.isStrictSuperset(of: role.permissions), let current = LocalAPI.Role(now) else {
            return
        }
        throw APIError.cannotLower(person: person.name, role: current, trip: trip.name)
    }

    private func flags(of person: KnownPerson, in trip: KnownTrip) -> Permissions {
        guard let membership = replica.membership(of: trip.space) else { return [] }
        return person.cards.map { membership.permissions(of: $0.device) }
            .reduce(Permissions()) { $0.union($1) }
    }

    private func role(of person: KnownPerson, in trip: KnownTrip) -> LocalAPI.Role? {
        LocalAPI.Role(flags(of: person, in: trip))
    }

    /// Only who may pass authority on can give it, or change the role of who has it: the new grant
    /// would not carry it.
    private func checkAuthority(
        of person: KnownPerson, _ grant: GrantDraft, _ role: LocalAPI.Role, in trip: KnownTrip
    ) throws(APIError) {
        guard let membership = replica.membership(of: trip.space) else { return }
        let has = person.cards.contains { membership.hasAuthority($0.device) }
        let asks = grant.authority ?? false
        if asks, role == .viewer { throw APIError.viewerWithoutWord(person: person.name) }
        guard asks || (has && role != self.role(of: person, in: trip)) else { return }
        guard membership.canGiveAuthority(replica.identity.deviceID) else {
            throw APIError.noAuthorityToGive(trip: trip.name)
        }
    }

    /// The trip learns the names from whoever grants it: a viewer could not write them.
    private func writeNames(of person: KnownPerson, in trip: KnownTrip) async throws {
        let devices = person.cards.map { (device: $0.device, name: replica.deviceName($0.device)) }
        let operations = try Profiles(replica: replica).missing(
            person.id, named: replica.personName(person.id), devices: devices, in: trip.space)
        guard !operations.isEmpty, permissions(in: trip).contains(.write) else { return }
        try await write(ChangeSet(operations: operations), to: trip, .grant)
    }

    private func memberViews(of trip: KnownTrip) throws -> [MemberView] {
        guard let membership = replica.membership(of: trip.space) else { return [] }
        let acks = try replica.acks(of: trip.space)
        let writers = Set(replica.watermark(of: trip.space).heads.keys.map(\.device))
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
            let isMine = person == replica.identity.person
            let hasAnswered = cards.contains {
                acks[$0.device] != nil || writers.contains($0.device)
            }
            return MemberView(
                person: reference(person), role: role, me: isMine, founder: person == founder,
                accepted: isMine || hasAnswered,
                authority: cards.contains { membership.hasAuthority($0.device) },
                devices: cards.map { reference($0.device) })
        }
    }

    func reference(_ person: PersonID) -> Reference {
        let id = person.description
        return Reference(
            id: id, shortID: ShortIDs([])[id], name: ShownText.line(replica.personName(person)))
    }

    func reference(_ device: DeviceID) -> Reference {
        Reference(
            id: DeviceIDText.text(of: device), shortID: DeviceIDText.short(of: device),
            name: ShownText.line(replica.deviceName(device)))
    }
}
