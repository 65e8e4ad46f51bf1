package import LocalAPI
internal import Store
internal import SyncCore

/// Revoking a space from people and devices.
extension MemberService {
    /// With `preview`, only reports. Throws without the right to revoke.
    package func revoke(_ typed: String, _ draft: RevokeDraft) async throws -> RevokeView {
        let space = try directory.readable(typed, among: .shared, as: .trip)
        let membership = replica.membership(of: space.id) ?? Membership()
        let until = try believed(draft.believeUntil)
        let subject = try people.subject(draft.who)
        let devices = Set(subject.cards.map(\.device))
        let grants = membership.grants(of: devices)
        guard !grants.isEmpty else {
            throw APIError(
                code: .notFound,
                sentence:
                    "\(Sentence.plain(subject.device?.name ?? subject.person.name)) does not have \(Sentence.name(space.name)).",
                hint: "See who does: peersync \(space.noun) members \(Sentence.quoted(space.name))")
        }
        if devices.contains(replica.local.device) {
            throw APIError(
                code: .conflict, sentence: "This would be your own device.",
                hint: """
                    To give it up yourself: peersync \(space.noun) leave \(Sentence.quoted(space.name))
                    """)
        }
        try requireTaking(grants, from: subject.person, in: space, membership)
        let taking = RightsTaking(
            grants: grants, until: until, scope: subject.device == nil ? .person : .device,
            cascade: draft.withInvited == true ? .all : .none)
        let preview = draft.preview ?? false
        var view = try view(of: taking, from: subject, in: space, membership, done: !preview)
        if preview { return view }
        try await revoke(taking, in: space)
        view.newKey = try views.encryption(of: space.id).map(\.writable)
        return view
    }

    /// Throws ``APIError`` when this person no longer has the right.
    func revoke(_ taking: RightsTaking, in space: ReadableSpace) async throws {
        do {
            try await replica.sharing.revoke(taking, in: space.id)
        } catch StoreError.permissionRefused {
            throw SpaceErrors.roleLost(space: space.name)
        }
    }

    private func view(
        of taking: RightsTaking, from subject: KnownPeople.Subject, in space: ReadableSpace,
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
                discounted += try replica.store.log.datedCommits(of: device, in: space.id)
                    .count { $0.clock.milliseconds > until.value }
            }
        }
        return RevokeView(
            trip: space.reference, person: replica.reference(subject.person.id),
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
        _ grants: [FactReference], from person: KnownPeople.Person, in space: ReadableSpace,
        _ membership: Membership
    ) throws(APIError) {
        if person.id != replica.local.person { try writer.require(.admin, in: space, .revoke) }
        guard !grants.allSatisfy({ membership.canRestrict($0, from: replica.local.device) }) else {
            return
        }
        let able = membership.people(whoCanRestrict: grants)
        let others = able.filter { $0 != person.id && $0 != replica.local.person }
        throw SpaceErrors.mayNotTake(
            from: person.id == replica.local.person ? nil : person.name, space: space.name,
            space.noun, able: others.map { replica.reference($0).name })
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
