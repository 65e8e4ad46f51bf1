package import LocalAPI
internal import Store
internal import SyncCore

/// Granting a space, and reducing grants.
extension MemberService {
    /// Grants the space to every known device of a person, or to one device. A second grant changes the
    /// rights; if it has fewer, the others are revoked.
    package func grant(_ typed: String, _ grant: GrantDraft) async throws -> MemberView {
        let known = try directory.readable(typed, among: .shared, as: .trip)
        let named = try people.subject(grant.person)
        let person = named.person
        let leftOut = try named.lostDevices(replica)
        let subject = KnownPeople.Subject(
            person: person, device: named.device,
            cards: named.cards.filter { !leftOut.contains($0.device) })
        if person.id != replica.local.person { try writer.require(.admin, in: known, .grant) }
        guard !subject.cards.isEmpty else { throw noKnownDevice(of: person.name) }
        let membership = replica.membership(of: known.id) ?? Membership()
        let now = subject.cards.map { membership.permissions(of: $0.device) }
            .reduce(Permissions()) { $0.union($1) }
        let flags = try wanted(
            grant, now: now, isOwn: person.id == replica.local.person, in: known)
        try checkAuthority(of: subject, grant, flags, now, in: known)
        try checkMayGive(flags, to: person, now, in: known)
        if grant.fromNow ?? false, !membership.isEncrypted {
            throw SpaceErrors.notEncrypted(space: known.name, isTrip: known.isTrip)
        }
        let lost = now.subtracting(flags)
        if lost.isEmpty, grant.believeUntil != nil { throw nothingTaken(from: person.name) }
        if !lost.isEmpty { try await lower(subject, to: flags, grant, in: known, membership) }
        do {
            try await replica.sharing.grant(
                known.id, to: subject.cards, flags: flags, authority: grant.authority ?? false,
                isFromNow: grant.fromNow ?? false)
        } catch StoreError.epochMissing {
            throw KeyErrors(replica).keyMissing(in: known)
        } catch StoreError.permissionRefused {
            try writer.require(.admin, in: known, .grant)
            throw SpaceErrors.roleLost(space: known.name)
        }
        if grant.fromNow ?? false { try await writeAnew(known) }
        try await writeNames(of: person.id, subject.cards.map(\.device), in: known)
        let members = try views.members(of: known.id)
        let member = members.first { $0.person.id == person.id.description }
        let after = replica.membership(of: known.id)
        let gained = subject.cards.contains {
            after?.permissions(of: $0.device).isSuperset(of: flags) ?? false
        }
        guard var view = member, gained else {
            throw nothingGained(by: subject, in: known, isMember: member != nil, after)
        }
        view.grant = GrantOutcome(
            lost: [Right](lost), leftOut: leftOut.sorted().map { replica.reference($0) })
        return view
    }

    private func wanted(
        _ grant: GrantDraft, now: Permissions, isOwn: Bool, in space: ReadableSpace
    ) throws -> Permissions {
        guard let rights = grant.rights else {
            let first = isOwn ? replica.permissions(in: space.id) : .contributor
            return grant.role?.permissions ?? (now.isEmpty ? first : now)
        }
        guard grant.role == nil else {
            throw APIError(
                code: .badInput, sentence: "Give either --role or --can.",
                hint: "A role says it all; --can read,write names the rights one by one.")
        }
        // Every right needs the right to read.
        return rights.permissions.union(.read)
    }

    /// Nobody gives more than they have, themselves neither.
    private func checkMayGive(
        _ flags: Permissions, to person: KnownPeople.Person, _ now: Permissions,
        in space: ReadableSpace
    ) throws(APIError) {
        let missing = flags.subtracting(now).subtracting(replica.permissions(in: space.id))
        guard let right = [Right](missing).first else { return }
        guard person.id == replica.local.person else {
            throw APIError(
                code: .notAllowed,
                sentence: """
                    You may not \(right.verb) in \(Sentence.name(space.name)) yourself, so you cannot let \
                    \(Sentence.plain(person.name)) do it.
                    """,
                hint: "See who can: peersync \(space.noun) members \(Sentence.quoted(space.name))")
        }
        throw APIError(
            code: .notAllowed,
            sentence: """
                You may not \(right.verb) in \(Sentence.name(space.name)), and nobody gives themselves more \
                than they have.
                """,
            hint: SpaceErrors.asking(for: right, in: space.name, space.noun))
    }

    private func nothingGained(
        by subject: KnownPeople.Subject, in space: ReadableSpace, isMember: Bool,
        _ membership: Membership?
    ) -> APIError {
        switch membership?.obstacle(to: subject.cards) {
        case .noPlace:
            APIError(
                code: .conflict,
                sentence: """
                    \(Sentence.plain(subject.person.name)) has \(Sentence.name(space.name)) on as many devices as one person \
                    may have it.
                    """,
                hint: """
                    Take it from one that is used no more: peersync \(space.noun) revoke \
                    \(Sentence.quoted(space.name)) DEVICE
                    """)
        case .taken, nil:
            directory.staysOut(subject.person.name, of: space, isMember: isMember)
        }
    }

    private func lower(
        _ subject: KnownPeople.Subject, to flags: Permissions, _ grant: GrantDraft,
        in space: ReadableSpace,
        _ membership: Membership
    ) async throws {
        let devices = Set(subject.cards.map(\.device))
        let grants = membership.grants(of: devices).filter { id in
            !(membership.standings[id]?.current ?? []).subtracting(flags).isEmpty
        }
        try requireTaking(grants, from: subject.person, in: space, membership)
        if subject.person.id == replica.local.person {
            try checkAdminRemains(in: space, membership)
        }
        let taking = RightsTaking(
            grants: grants, remaining: flags, until: try believed(grant.believeUntil),
            scope: subject.device == nil ? .person : .device)
        try await revoke(taking, in: space)
    }

    private func checkAdminRemains(
        in space: ReadableSpace, _ membership: Membership
    ) throws(APIError) {
        let others = membership.members.filter {
            $0.standing.card.person != replica.local.person && $0.standing.current.contains(.admin)
        }
        guard !others.isEmpty else { throw SpaceErrors.lastAdmin(space: space.name, space.noun) }
    }

    /// Only a person who may pass on authority can grant it, or change the role of somebody with authority:
    /// the new grant would not carry it.
    private func checkAuthority(
        of subject: KnownPeople.Subject, _ grant: GrantDraft, _ flags: Permissions,
        _ now: Permissions,
        in space: ReadableSpace
    ) throws(APIError) {
        guard let membership = replica.membership(of: space.id) else { return }
        let has = subject.cards.contains { membership.hasAuthority($0.device) }
        let asks = grant.authority ?? false
        if asks, !flags.contains(.write) {
            throw APIError(
                code: .badInput,
                sentence: "Authority is about writing, and a viewer writes nothing.",
                hint:
                    "Give \(Sentence.plain(subject.person.name)) another role: --role contributor --authority"
            )
        }
        guard asks || (has && !now.isSuperset(of: flags)) else { return }
        guard membership.canGiveAuthority(replica.local.device) else {
            throw APIError(
                code: .notAllowed,
                sentence: "You may not say whose values win in \(Sentence.name(space.name)).",
                hint: """
                    Its founder can, and an admin with authority: peersync \(space.noun) members \
                    \(Sentence.quoted(space.name))
                    """)
        }
    }

    /// Writes the names of the space and of this person again, for readers who get only new commits.
    private func writeAnew(_ space: ReadableSpace) async throws {
        let schema = try replica.requireSchema(of: space.id)
        let key = schema.titleRecord(in: space.id)
        let shown = try RecordReader(replica, space.id, schema).entry(key)
        guard let title = shown?.record.value("name") else { return }
        let write = Write(
            field: "name", value: title, replaces: shown?.record.writes("name") ?? [])
        let operation = RecordOperation(
            collection: key.collection, record: key.record, writes: [write])
        try await writer.write(
            ChangeSet(operations: [operation] + replica.names.profiles(in: space.id)), to: space,
            .grant)
    }

    /// The person who grants a space writes the names into it: a viewer could not.
    func writeNames(
        of person: PersonID, _ devices: [DeviceID], in space: ReadableSpace
    ) async throws {
        let operations = try replica.names.missing(of: person, devices: devices, in: space.id)
        guard !operations.isEmpty, replica.permissions(in: space.id).contains(.write) else {
            return
        }
        try await writer.write(ChangeSet(operations: operations), to: space, .grant)
    }
}

extension KnownPeople.Subject {
    /// Lost devices of a person, which a grant to that person does not include. Throws when one is named.
    fileprivate func lostDevices(_ replica: any Replica) throws -> Set<DeviceID> {
        let lost = try replica.losses.lostDevices().intersection(cards.map(\.device))
        if let device, !lost.isEmpty {
            throw APIError(
                code: .notAllowed,
                sentence: "\(Sentence.plain(device.name)) is lost: it gets nothing.",
                hint: person.id == replica.local.person
                    ? "Is it in your hands again? peersync device found \(Sentence.quoted(device.name))"
                    : "Its person can take that back: peersync device found")
        }
        return lost
    }
}

private func noKnownDevice(of person: String) -> APIError {
    APIError(
        code: .notFound, sentence: "No device of \(person) is known here.",
        hint: "Pair with one of their devices: peersync pair")
}

private func nothingTaken(from person: String) -> APIError {
    APIError(
        code: .badInput,
        sentence: """
            --believe-until is for taking rights, and this takes none from \
            \(Sentence.plain(person)).
            """)
}
