package import LocalAPI
import Store
import SyncCore

/// The members of a space and their rights.
package struct MemberService: Sendable {
    let replica: any Replica

    package init(_ replica: any Replica) { self.replica = replica }

    var directory: SpaceDirectory { SpaceDirectory(replica) }
    var views: SpaceViews { SpaceViews(replica) }
    var people: KnownPeople { KnownPeople(replica) }
    var writer: SpaceWriter { SpaceWriter(replica) }

    package func members(of typed: String) throws -> [MemberView] {
        try views.members(of: try directory.readable(typed, among: .shared, as: .trip).id)
    }

    /// Whether a person may do something, and who could allow it.
    package func may(_ typed: String, _ query: RightQuery) throws -> RightView {
        let space = try directory.readable(typed, among: .shared, as: .trip)
        let person = try Lookup.find(query.person, .person, among: try people.all()) { $0.entry }
        let membership = replica.membership(of: space.id) ?? Membership()
        let flags = membership.permissions(of: person.id)
        let isAllowed = flags.isSuperset(of: query.right.permissions)
        return RightView(
            trip: space.reference, person: replica.reference(person.id),
            me: person.id == replica.local.person, right: query.right, allowed: isAllowed,
            role: LocalAPI.Role(flags),
            ask: isAllowed ? [] : givers(of: query.right.permissions, in: membership))
    }

    /// Asks for a right; without one, withdraws this person's request, or refuses that of somebody else.
    package func request(_ typed: String, _ draft: RequestDraft) async throws -> RequestView {
        let space = try directory.readable(typed, among: .shared, as: .trip)
        let membership = replica.membership(of: space.id) ?? Membership()
        let open = membership.openRequests
        var person = replica.local.person
        var flags = draft.right?.permissions ?? []
        if let refused = draft.refuse {
            try writer.require(.admin, in: space, .grant)
            person = try Lookup.find(refused, .person, among: try people.all()) { $0.entry }.id
            flags = []
        }
        let isMine = person == replica.local.person
        if flags.isEmpty, open[person] == nil {
            throw SpaceErrors.nothingRequested(
                by: isMine ? nil : replica.reference(person).name, space: space.name)
        }
        if !flags.isEmpty, membership.permissions(of: person).isSuperset(of: flags) {
            throw APIError(
                code: .conflict,
                sentence:
                    "You may \((draft.right ?? .read).verb) in \(Sentence.name(space.name)) already."
            )
        }
        // Rights from an earlier request are still requested.
        flags.formUnion(flags.isEmpty ? [] : open[person] ?? [])
        if !flags.isEmpty, open[person] == flags {
            return requestView(person, flags, in: space, membership)
        }
        do {
            try await replica.sharing.ask(RightsRequest(person: person, flags: flags), in: space.id)
        } catch StoreError.permissionRefused {
            throw SpaceErrors.roleLost(space: space.name)
        }
        return requestView(person, flags, in: space, membership)
    }

    private func requestView(
        _ person: PersonID, _ flags: Permissions, in space: ReadableSpace, _ membership: Membership
    ) -> RequestView {
        RequestView(
            trip: space.reference, person: replica.reference(person),
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
}
