package import LocalAPI
internal import Store
internal import SyncCore

/// Revoking a trip from people and devices.
extension SpaceService {
    /// With `preview`, only reports. Throws without the right to revoke.
    package func revoke(_ typed: String, _ draft: RevokeDraft) async throws -> RevokeView {
        let trip = try directory.shared(typed)
        let membership = replica.membership(of: trip.id) ?? Membership()
        let until = try believed(draft.believeUntil)
        let subject = try subject(draft.who, in: trip)
        let devices = Set(subject.cards.map(\.device))
        let grants = membership.grants(of: devices)
        guard !grants.isEmpty else {
            throw APIError.noMember(subject.device?.name ?? subject.person.name, trip: trip.name)
        }
        if devices.contains(replica.local.device) { throw APIError.leaveInstead(trip: trip.name) }
        try requireTaking(grants, from: subject.person, in: trip, membership)
        let taking = RightsTaking(
            grants: grants, until: until, scope: subject.device == nil ? .person : .device,
            cascade: draft.withInvited == true ? .all : .none)
        let preview = draft.preview ?? false
        var view = try view(of: taking, from: subject, in: trip, membership, done: !preview)
        if preview { return view }
        try await revoke(taking, in: trip)
        view.newKey = try encryption(of: trip.id).map(\.writable)
        return view
    }

    /// Throws ``APIError`` when this person no longer has the right.
    func revoke(_ taking: RightsTaking, in trip: ReadableSpace) async throws {
        do {
            try await replica.revoke(taking, in: trip.id)
        } catch StoreError.permissionRefused {
            throw APIError.roleLost(trip: trip.name)
        }
    }

    private func view(
        of taking: RightsTaking, from subject: Subject, in trip: ReadableSpace,
        _ membership: Membership, done: Bool
    ) throws -> RevokeView {
        let reached = taking.devices(in: membership)
        let losing = Set(
            taking.grants.compactMap { membership.standings[$0] }
                .filter { !$0.current.isEmpty }.map(\.card.device))
        let kept = membership.members.map(\.standing.card).filter {
            $0.person == subject.person.id && !losing.contains($0.device)
        }
        let flags = losing.reduce(into: Permissions()) {
            $0.formUnion(membership.permissions(of: $1))
        }
        var discounted = 0
        if let until = taking.until {
            for device in reached {
                discounted += try replica.store.log.datedCommits(of: device, in: trip.id)
                    .count { $0.clock.milliseconds > until.value }
            }
        }
        return RevokeView(
            trip: trip.reference, person: replica.reference(subject.person.id),
            me: subject.person.id == replica.local.person, role: LocalAPI.Role(flags),
            rights: [Right](flags), devices: losing.sorted().map { replica.reference($0) },
            kept: Set(kept.map(\.device)).sorted().map { replica.reference($0) },
            invited: GrantDescent(membership).invited(by: subject.person.id).map {
                replica.reference($0)
            },
            withInvited: taking.cascade == .all,
            believedUntil: taking.until.map { Moment(milliseconds: Int64(clamping: $0.value)) },
            discounted: discounted, done: done)
    }

    /// Throws, naming people with the right, unless this device may revoke from all these grants.
    func requireTaking(
        _ grants: [FactReference], from person: KnownPerson, in trip: ReadableSpace,
        _ membership: Membership
    ) throws(APIError) {
        if person.id != replica.local.person { try require(.admin, in: trip, .revoke) }
        guard !grants.allSatisfy({ membership.canRestrict($0, from: replica.local.device) }) else {
            return
        }
        let able = membership.people(whoCanRestrict: grants)
        let others = able.filter { $0 != person.id && $0 != replica.local.person }
        throw APIError.mayNotTake(
            from: person.id == replica.local.person ? nil : person.name, trip: trip.name,
            able: others.map { replica.reference($0).name })
    }

    /// Throws for a time in the future: future changes cannot be judged yet.
    func believed(_ moment: Moment?) throws(APIError) -> Milliseconds? {
        guard let moment else { return nil }
        guard moment.milliseconds >= 0, moment.milliseconds <= Int64(clamping: replica.now.value)
        else { throw APIError.believeInFuture }
        return Milliseconds(UInt64(moment.milliseconds))
    }
}

/// The subjects of grants and revocations.
extension SpaceService {
    /// A person whose devices this one knows, by pairing or from a common trip.
    struct KnownPerson {
        let id: PersonID
        let name: String
        var cards: [Card]

        var entry: Lookup.Entry { Lookup.Entry(id: id.description, name: name) }
    }

    /// A person with all their devices, or with a named one.
    struct Subject {
        let person: KnownPerson
        let device: Reference?
        let cards: [Card]
    }

    func knownPeople() throws -> [KnownPerson] {
        var cards = try replica.knownDevices().map(\.card)
        for space in try directory.readable() {
            cards += (replica.membership(of: space.id)?.members ?? []).map(\.standing.card)
        }
        if let own = replica.local.card { cards.append(own) }
        var people: [PersonID: KnownPerson] = [:]
        var seen: Set<DeviceID> = []
        for card in cards where seen.insert(card.device).inserted {
            let name = replica.reference(card.person).name
            people[card.person, default: KnownPerson(id: card.person, name: name, cards: [])]
                .cards.append(card)
        }
        return people.values.sorted { ($0.name, $0.id) < ($1.name, $1.id) }
    }

    /// The person or device that is meant; a person goes before a device of the same name.
    // Not inlined, for the same reason as Lookup.find.
    @inline(never)
    func subject(_ typed: String, in trip: ReadableSpace) throws -> Subject {
        let people = try knownPeople()
        let found = Lookup.matches(typed, among: people.map(\.entry)).map { people[$0] }
        if found.isEmpty {
            let devices = people.flatMap { person in person.cards.map { (person, $0) } }
            let entries = devices.map { replica.reference($0.1.device) }
            let meant = Lookup.matches(
                typed, among: entries.map { Lookup.Entry(id: $0.id, name: $0.name) })
            if !meant.isEmpty {
                let index = try Lookup.single(
                    typed, .device, meant,
                    by: { Lookup.Entry(id: entries[$0].id, name: entries[$0].name) },
                    orElse: APIError.unknown(.device, typed))
                return Subject(
                    person: devices[index].0, device: entries[index], cards: [devices[index].1])
            }
        }
        let person = try Lookup.find(typed, .person, among: people) { $0.entry }
        return Subject(person: person, device: nil, cards: person.cards)
    }
}
