package import LocalAPI
internal import Store
internal import SyncCore

/// Revoking a trip from people and devices.
extension MemberService {
    /// With `preview`, only reports. Throws without the right to revoke.
    package func revoke(_ typed: String, _ draft: RevokeDraft) async throws -> RevokeView {
        let trip = try directory.shared(typed)
        let membership = replica.membership(of: trip.id) ?? Membership()
        let until = try believed(draft.believeUntil)
        let subject = try people.subject(draft.who)
        let devices = Set(subject.cards.map(\.device))
        let grants = membership.grants(of: devices)
        guard !grants.isEmpty else {
            throw APIError(
                code: .notFound,
                sentence:
                    "\(Sentence.plain(subject.device?.name ?? subject.person.name)) does not have \(Sentence.name(trip.name)).",
                hint: "See who does: peersync \(trip.noun) members \(Sentence.quoted(trip.name))")
        }
        if devices.contains(replica.local.device) {
            throw APIError(
                code: .conflict, sentence: "This would be your own device.",
                hint: """
                    To give it up yourself: peersync \(trip.noun) leave \(Sentence.quoted(trip.name))
                    """)
        }
        try requireTaking(grants, from: subject.person, in: trip, membership)
        let taking = RightsTaking(
            grants: grants, until: until, scope: subject.device == nil ? .person : .device,
            cascade: draft.withInvited == true ? .all : .none)
        let preview = draft.preview ?? false
        var view = try view(of: taking, from: subject, in: trip, membership, done: !preview)
        if preview { return view }
        try await revoke(taking, in: trip)
        view.newKey = try views.encryption(of: trip.id).map(\.writable)
        return view
    }

    /// Throws ``APIError`` when this person no longer has the right.
    func revoke(_ taking: RightsTaking, in trip: ReadableSpace) async throws {
        do {
            try await replica.sharing.revoke(taking, in: trip.id)
        } catch StoreError.permissionRefused {
            throw SpaceErrors.roleLost(space: trip.name)
        }
    }

    private func view(
        of taking: RightsTaking, from subject: KnownPeople.Subject, in trip: ReadableSpace,
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
        _ grants: [FactReference], from person: KnownPeople.Person, in trip: ReadableSpace,
        _ membership: Membership
    ) throws(APIError) {
        if person.id != replica.local.person { try writer.require(.admin, in: trip, .revoke) }
        guard !grants.allSatisfy({ membership.canRestrict($0, from: replica.local.device) }) else {
            return
        }
        let able = membership.people(whoCanRestrict: grants)
        let others = able.filter { $0 != person.id && $0 != replica.local.person }
        throw SpaceErrors.mayNotTake(
            from: person.id == replica.local.person ? nil : person.name, space: trip.name,
            trip.noun, able: others.map { replica.reference($0).name })
    }

    /// Throws for a time in the future: future changes cannot be judged yet.
    func believed(_ moment: Moment?) throws(APIError) -> Milliseconds? {
        guard let moment else { return nil }
        guard moment.milliseconds >= 0, moment.milliseconds <= Int64(clamping: replica.now.value)
        else {
            throw APIError(
                code: .badInput, sentence: "That time has not come yet.",
                hint: "Leave out --believe-until to keep all that is here now.")
        }
        return Milliseconds(UInt64(moment.milliseconds))
    }
}
