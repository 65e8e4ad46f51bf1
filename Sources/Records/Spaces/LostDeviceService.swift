package import LocalAPI
internal import Store
package import SyncCore

/// Handles a lost device: revokes every space from it.
package struct LostDeviceService: Sendable {
    private let replica: any Replica

    package init(_ replica: any Replica) { self.replica = replica }

    /// With `preview`, only reports. Also works for a device that was revoked before: then reports which
    /// devices have heard.
    package func lost(_ typed: String, _ draft: LostDraft) async throws -> (LostView, DeviceID) {
        let (device, person) = try find(typed)
        guard device != replica.local.device else {
            throw APIError(
                code: .conflict, sentence: "This is the device you are using.",
                hint: "To give a trip up: peersync trip leave TRIP")
        }
        let keyPerson = try draft.recoveryKey.map { try replica.sharing.person(ofKey: $0) }
        if let keyPerson, keyPerson != person, keyPerson != replica.local.person {
            throw APIError.recoveryKeyOfAnother
        }
        let until = try MemberService(replica).believed(draft.since)
        let preview = draft.preview ?? false
        let isCalledLost = try replica.losses.loss(of: device) != nil
        let isForgotten = try replica.store.devices.device(device)?.forgottenAt != nil
        // Checks the report before anything is revoked.
        var call = try call(device, person, draft, isPreview: true)
        var trips: [LostTrip] = []
        var isTaking = false
        for space in try SpaceDirectory(replica).readable(.withDeleted) {
            guard let place = Place(device, in: space, replica, keyPerson) else { continue }
            let held = try held(by: place)
            isTaking = isTaking || place.isTaken
            if !preview { try await revoke(place, until, draft.recoveryKey) }
            var trip = try view(of: place, held, until)
            trip.role = place.role
            trip.carries = place.carries ? true : nil
            trips.append(trip)
        }
        // Reported last: peers no longer talk to a device that is reported lost, so that it could not hear
        // of revocations.
        if !preview { call = try self.call(device, person, draft, isPreview: false) }
        var view = LostView(
            device: replica.reference(device), person: replica.reference(person),
            me: person == replica.local.person, done: !preview, since: draft.since,
            call: call.kind, lostWithIt: call.lostWithIt.map { replica.reference($0) },
            trips: trips)
        let isLeftToKey =
            call.kind == .needsKey || trips.contains { $0.outcome == .needsKey }
        view.again =
            !isTaking && !isLeftToKey && call.lostWithIt.isEmpty
            && (isCalledLost || isForgotten && call.kind != .everybody)
        return (view, device)
    }

    /// Tells everybody; with a preview, only finds out who would hear.
    private func call(
        _ device: DeviceID, _ person: PersonID, _ draft: LostDraft, isPreview: Bool
    ) throws -> (kind: LostCall, lostWithIt: [DeviceID]) {
        let isByKey =
            try draft.recoveryKey.map { try replica.sharing.person(ofKey: $0) == person } ?? false
        guard person == replica.local.person || isByKey, let card = try card(of: device) else {
            // Its person, or their recovery key, may have told everybody before.
            return (try replica.losses.loss(of: device) == nil ? .notYours : .everybody, [])
        }
        let letIn = try replica.losses.letIn(by: device, of: person)
        let kept = try (draft.keep ?? []).map { typed in
            let kept = try find(typed).device
            guard letIn.contains(kept) else {
                throw APIError(
                    code: .badInput,
                    sentence: """
                        \(Sentence.plain(replica.reference(kept).name)) was not paired on \
                        \(Sentence.plain(replica.reference(device).name)): it is not lost with it \
                        anyway.
                        """,
                    hint: "Leave --keep out.")
            }
            return kept
        }
        let isCalled = try replica.losses.call(
            lost: card, keeping: Set(kept), byKey: isByKey ? draft.recoveryKey : nil,
            isPreview: isPreview)
        return isCalled
            ? (.everybody, letIn.subtracting(kept).sorted()) : (.needsKey, [])
    }

    // MARK: Found again

    /// Withdraws that a device is lost; a device of this person gets back every space that this device may
    /// grant.
    package func found(_ typed: String, _ draft: FoundDraft) async throws -> FoundView {
        let (device, person) = try find(typed)
        let name = replica.reference(device).name
        guard let loss = try replica.losses.loss(of: device) else {
            throw APIError(
                code: .conflict, sentence: "\(Sentence.plain(name)) is not called lost.",
                hint: try replica.store.devices.device(device)?.forgottenAt != nil
                    ? """
                    Was it forgotten here? Pair with it: peersync pair. Then give it each trip back, \
                    with the role it had: peersync trip grant TRIP \(Sentence.quoted(name)) --role ROLE
                    """
                    : "Which are: peersync device list")
        }
        guard try replica.losses.call(found: device, of: person, byKey: draft.recoveryKey) else {
            throw APIError(
                code: .notAllowed,
                sentence: "You cannot take back here that \(Sentence.plain(name)) is lost.",
                hint: person == replica.local.person
                    ? Message(verbatim: try wayBack(of: loss)) : "Only its person can.")
        }
        var given: [Reference] = []
        for space in try SpaceDirectory(replica).readable() where person == replica.local.person {
            let own = replica.permissions(in: space.id)
            let kept = replica.membership(of: space.id)?.permissions(of: device) ?? []
            guard let card = replica.membership(of: space.id)?.facts.card(of: device),
                own.isSuperset(of: kept)
            else { continue }
            do {
                try await replica.sharing.grant(
                    space.id, to: [card], flags: own, authority: false, isFromNow: false)
                // What could not be taken from it is no news.
                if kept != own, let trip = named(space) { given.append(trip) }
            } catch StoreError.permissionRefused {
                // Another person has to grant it again.
            }
        }
        return FoundView(
            device: replica.reference(device), person: replica.reference(person), trips: given)
    }

    /// What takes back that a device of this person is lost, which this device cannot.
    private func wayBack(of loss: KnownLoss) throws -> String {
        switch loss.cause {
        case .device:
            return tr(
                """
                The device that called it lost can, an older one of yours, and your recovery key: \
                --recovery-file FILE
                """)
        case .key: return tr("Only your recovery key can: --recovery-file FILE")
        case .through(let elder):
            let name = replica.reference(elder).name
            let byKey = try replica.losses.loss(of: elder)?.cause == .key
            return tr(
                """
                It came through \(Sentence.plain(name)), and comes back when that one is found: \
                \(LostWords.found(name, byKey: byKey))
                """)
        case .formerKey:
            return tr(
                """
                It came in with a recovery key that you have exchanged. Pair with it: peersync pair
                """)
        }
    }

    private func known(_ device: DeviceID) throws -> KnownDevice? {
        try replica.knownDevices().first { $0.card.device == device }
    }

    private func card(of device: DeviceID) throws -> Card? {
        if let known = try known(device) { return known.card }
        for space in try SpaceDirectory(replica).readable(.withDeleted) {
            if let card = replica.membership(of: space.id)?.facts.card(of: device) { return card }
        }
        return nil
    }

    /// A space that the device has or had.
    private struct Place {
        let space: ReadableSpace
        let device: DeviceID
        /// The grants that are still effective.
        let grants: [FactReference]
        let outcome: LostTrip.Outcome
        let byKey: Bool
        let ask: [PersonID]
        /// What it may do until it is taken; nil for nothing.
        let role: Role?
        /// Whether it carries the space without reading it.
        let carries: Bool

        /// Whether something is taken from it now.
        var isTaken: Bool { outcome == .taken && !grants.isEmpty }

        init?(
            _ device: DeviceID, in space: ReadableSpace, _ replica: any Replica, _ key: PersonID?
        ) {
            guard let membership = replica.membership(of: space.id),
                let card = membership.facts.card(of: device)
            else { return nil }
            (self.space, self.device) = (space, device)
            let permissions = membership.permissions(of: device)
            (role, carries) = (Role(permissions), permissions.onlyCarries)
            let grants = membership.grants(of: [device])
            self.grants = grants
            let own = replica.local
            if grants.allSatisfy({ membership.canRestrict($0, from: own.device) }) {
                (outcome, byKey, ask) = (.taken, false, [])
                return
            }
            func reaches(_ person: PersonID) -> Bool {
                grants.allSatisfy { membership.canRestrict($0, byKeyOf: person) }
            }
            byKey = key.map(reaches) ?? false
            outcome =
                byKey
                ? .taken
                : reaches(own.person) || card.person == own.person ? .needsKey : .notAllowed
            ask = membership.people(whoCanRestrict: grants).filter {
                $0 != own.person && $0 != card.person
            }
        }
    }

    private func revoke(_ place: Place, _ until: Milliseconds?, _ key: String?) async throws {
        guard place.isTaken else { return }
        // Revokes only this device: other devices of its person keep their rights, and so do people it let
        // in before the cut.
        let taking = RightsTaking(grants: place.grants, until: until)
        do {
            if place.byKey, let key {
                try await replica.sharing.revoke(taking, in: place.space.id, byKey: key)
            } else {
                try await replica.sharing.revoke(taking, in: place.space.id)
            }
        } catch StoreError.permissionRefused {
            throw SpaceErrors.roleLost(space: place.space.name)
        }
    }

    /// The number of changes of a space, and how many of them the device acknowledged.
    private func held(by place: Place) throws -> (changes: UInt64, total: UInt64) {
        let here = replica.watermark(of: place.space.id)
        let held = try replica.acks(of: place.space.id)[place.device] ?? Watermark()
        let total = here.count(beyond: Watermark())
        return (total - here.count(beyond: held), total)
    }

    /// How many of these files a device may have, by what it acknowledged and says that it lacks; nil where
    /// it never said so.
    private func filesHeld(
        by device: DeviceID, of files: Set<BlobID>, in space: SpaceID, _ ack: Watermark?
    ) throws -> Int? {
        let holdings = try replica.store.statements.holdings(of: space).map(\.said)
        guard let said = holdings.first(where: { $0.device == device }) else { return nil }
        let heard = try replica.store.files.blobs(of: space, namedUpTo: ack ?? Watermark())
        let held = files.intersection(heard).subtracting(said.missing).count
        // Its statement counts thumbnails and replaced files, too.
        return min(held, Int(clamping: said.held))
    }

    private func view(
        of place: Place, _ held: (changes: UInt64, total: UInt64), _ until: Milliseconds?
    ) throws -> LostTrip {
        let space = place.space.id
        let membership = replica.membership(of: space) ?? Membership()
        let acks = try replica.acks(of: space)
        let files = try replica.store.files.shown(of: space)
        let discounted =
            try until.map { until in
                try replica.store.log.datedCommits(of: place.device, in: space)
                    .count { $0.clock.milliseconds > until.value }
            } ?? 0
        let others = Set(membership.members.map(\.standing.card.device))
            .subtracting([place.device, replica.local.device]).sorted()
        let heard = others.filter { membership.isHeard(by: acks[$0] ?? Watermark()) }
        var trip = LostTrip(
            trip: named(place.space), outcome: place.outcome,
            changesHeld: Int(clamping: held.changes), changes: Int(clamping: held.total),
            filesHeld: try filesHeld(by: place.device, of: files, in: space, acks[place.device]),
            files: files.count, discounted: discounted,
            heard: heard.map { replica.distinctReference($0) },
            unaware: others.filter { !heard.contains($0) }.map { replica.distinctReference($0) },
            ask: place.ask.map { replica.reference($0) },
            letIn: membership.letIn(by: place.device).subtracting([replica.local.device]).sorted()
                .map { replica.distinctReference($0) })
        if place.outcome == .taken {
            trip.newKey = try SpaceViews(replica).encryption(of: space).map(\.writable)
        }
        return trip
    }

    /// Commands find it by this name, also where another one is called like it.
    private func named(_ space: ReadableSpace) -> Reference? {
        space.sharedReference.map { shared in
            Reference(
                id: shared.id, shortID: shared.shortID,
                name: replica.names.space(space.id) ?? shared.name)
        }
    }

    // Not inlined, for the same reason as Lookup.find.
    @inline(never)
    package func find(_ typed: String) throws -> (device: DeviceID, person: PersonID) {
        var cards = try replica.knownDevices().map(\.card)
        if let own = replica.local.card { cards.append(own) }
        for space in try SpaceDirectory(replica).readable(.withDeleted) {
            cards += (replica.membership(of: space.id)?.cards ?? [])
        }
        var people: [DeviceID: PersonID] = [:]
        for card in cards { people[card.device] = card.person }
        let device = try Lookup.device(typed, among: people.keys.sorted(), of: replica) { $0 }
        return (device, people[device] ?? replica.local.person)
    }
}
