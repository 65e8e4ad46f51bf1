package import LocalAPI
import Store
import SyncCore

/// The members of a trip and their rights.
extension SpaceService {
    package func members(of typed: String) throws -> [MemberView] {
        try memberViews(of: try directory.shared(typed).id)
    }

    /// Whether a person may do something, and who could allow it.
    package func may(_ typed: String, _ query: RightQuery) throws -> RightView {
        let trip = try directory.shared(typed)
        let person = try Lookup.find(query.person, .person, among: try knownPeople()) { $0.entry }
        let membership = replica.membership(of: trip.id) ?? Membership()
        let flags = membership.permissions(of: person.id)
        let isAllowed = flags.isSuperset(of: query.right.permissions)
        return RightView(
            trip: trip.reference, person: replica.reference(person.id),
            me: person.id == replica.local.person, right: query.right, allowed: isAllowed,
            role: LocalAPI.Role(flags),
            ask: isAllowed ? [] : givers(of: query.right.permissions, in: membership))
    }

    /// Asks for a right; without one, withdraws this person's request, or refuses that of somebody else.
    package func request(_ typed: String, _ draft: RequestDraft) async throws -> RequestView {
        let trip = try directory.shared(typed)
        let membership = replica.membership(of: trip.id) ?? Membership()
        let open = membership.openRequests
        var person = replica.local.person
        var flags = draft.right?.permissions ?? []
        if let refused = draft.refuse {
            try require(.admin, in: trip, .grant)
            person = try Lookup.find(refused, .person, among: try knownPeople()) { $0.entry }.id
            flags = []
        }
        let isMine = person == replica.local.person
        if flags.isEmpty, open[person] == nil {
            throw APIError.nothingRequested(
                by: isMine ? nil : replica.reference(person).name, trip: trip.name)
        }
        if !flags.isEmpty, membership.permissions(of: person).isSuperset(of: flags) {
            throw APIError.hasRight(draft.right ?? .read, trip: trip.name)
        }
        // Rights from an earlier request are still requested.
        flags.formUnion(flags.isEmpty ? [] : open[person] ?? [])
        if !flags.isEmpty, open[person] == flags {
            return requestView(person, flags, in: trip, membership)
        }
        do {
            try await replica.ask(RightsRequest(person: person, flags: flags), in: trip.id)
        } catch StoreError.permissionRefused {
            throw APIError.roleLost(trip: trip.name)
        }
        return requestView(person, flags, in: trip, membership)
    }

    private func requestView(
        _ person: PersonID, _ flags: Permissions, in trip: ReadableSpace, _ membership: Membership
    ) -> RequestView {
        RequestView(
            trip: trip.reference, person: replica.reference(person),
            me: person == replica.local.person, rights: [Right](flags),
            ask: flags.isEmpty ? [] : givers(of: flags, in: membership))
    }

    /// People who may give these rights to those who lack them.
    private func givers(of flags: Permissions, in membership: Membership) -> [Reference] {
        var found: [PersonID] = []
        for member in membership.members where !found.contains(member.standing.card.person) {
            let person = member.standing.card.person
            if membership.permissions(of: person).isSuperset(of: flags.union(.admin)) {
                found.append(person)
            }
        }
        return found.filter { $0 != replica.local.person }.map { replica.reference($0) }
    }

    func memberViews(of trip: SpaceID) throws -> [MemberView] {
        guard let membership = replica.membership(of: trip) else { return [] }
        let acks = try replica.acks(of: trip)
        let writers = Set(replica.watermark(of: trip).heads.keys.map(\.device))
        let open = membership.openRequests
        let lost = try replica.losses.lostDevices()
        let unkeyed = try replica.store.sealed.devicesWithoutKeys(in: trip)
        var devices: [PersonID: [DeviceID]] = [:]
        var first: [(person: PersonID, grant: FactReference)] = []
        for member in membership.members {
            let card = member.standing.card
            if devices[card.person] == nil { first.append((card.person, member.grant)) }
            if !(devices[card.person] ?? []).contains(card.device) {
                devices[card.person, default: []].append(card.device)
            }
        }
        return first.compactMap { person, grant in
            let all = devices[person] ?? []
            let flags = membership.permissions(of: person)
            guard let role = LocalAPI.Role(flags) else { return nil }
            let isMine = person == replica.local.person
            let hasAnswered = all.contains { acks[$0] != nil || writers.contains($0) }
            let unaware = all.filter { device in
                device != replica.local.device && !lost.contains(device)
                    && !membership.isHeard(by: acks[device] ?? Watermark())
            }
            var view = MemberView(
                person: replica.reference(person), role: role, rights: [Right](flags), me: isMine,
                founder: person == membership.founder,
                grantedBy: membership.giver(of: grant).map { replica.reference($0) },
                accepted: isMine || hasAnswered,
                authority: all.contains { membership.hasAuthority($0) },
                devices: all.map { replica.reference($0) },
                unaware: unaware.map { replica.reference($0) },
                requested: open[person].map { [Right]($0) })
            view.keys = unkeyed.map { lacking in
                if all.contains(where: { lacking.contains($0) }) { return .missing }
                return all.contains { membership.isFromNow($0) } ? .fromNow : .all
            }
            let gone = all.filter { lost.contains($0) }
            view.lostDevices = gone.isEmpty ? nil : gone.map { replica.reference($0) }
            return view
        }
    }
}
