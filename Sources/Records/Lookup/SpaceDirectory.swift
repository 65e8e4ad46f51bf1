package import LocalAPI
internal import Store
internal import SyncCore

/// All spaces of this device, and the search for one by name.
package struct SpaceDirectory: Sendable {
    package let replica: any Replica

    package init(_ replica: any Replica) { self.replica = replica }

    /// The name of a person's own space on the command line.
    package static let ownName = "home"

    /// Which spaces are meant.
    package struct Scope: OptionSet, Sendable {
        package let rawValue: Int

        package init(rawValue: Int) { self.rawValue = rawValue }

        /// Those that are here or wait for an answer.
        package static let shared = Scope(rawValue: 1 << 0)
        /// The person's own.
        package static let own = Scope(rawValue: 1 << 1)
        /// Those that were deleted for everybody and can be restored.
        package static let deleted = Scope(rawValue: 1 << 2)
        /// Those that were declined: declining can be reverted.
        static let declined = Scope(rawValue: 1 << 3)
        /// Those that this person left on another device in the last weeks, and that were left here for that reason.
        static let leftElsewhere = Scope(rawValue: 1 << 4)

        package static let existing: Scope = [.shared, .own]
        package static let withDeleted: Scope = [.shared, .own, .deleted]
    }

    // MARK: Known spaces

    /// The spaces of a scope but the person's own, by name.
    package func list(_ scope: Scope = .shared) throws -> [KnownSpace] {
        try replica.store.spaces.all().compactMap { try known($0, in: scope) }
            .sorted { ($0.name, $0.space) < ($1.name, $1.space) }
    }

    /// The space of a scope that a person means, never their own. An existing one goes before a deleted one; a deleted
    /// one outside the scope throws, with the person who deleted it.
    // As Lookup.find, which it calls.
    @inline(never)
    package func find(
        _ typed: String, among scope: Scope = .shared, as kind: NamedThing = .trip
    ) throws -> KnownSpace {
        guard scope.contains(.shared) else {
            let listed = try list(scope)
            guard !SpaceDirectory.meant(typed, among: listed).isEmpty else {
                throw RecordErrors.notDeleted(try find(typed, as: kind).name)
            }
            return try Lookup.find(typed, kind, among: listed) { $0.entry }
        }
        let all = try list(scope.union(.deleted))
        let deleted = SpaceDirectory.meant(typed, among: all).first.flatMap {
            $0.deletion == nil ? nil : $0
        }
        if let deleted, !scope.contains(.deleted) { try deleted.requireContents(in: replica) }
        return try Lookup.find(
            typed, kind, among: all.filter { ($0.deletion != nil) == (deleted != nil) }
        ) { $0.entry }
    }

    /// The spaces that a name may mean, existing ones before deleted ones. The full name of a deleted one
    /// does not mean another that begins with it.
    private static func meant(_ typed: String, among spaces: [KnownSpace]) -> [KnownSpace] {
        let meant = Lookup.matches(typed, among: spaces.map(\.entry)).map { spaces[$0] }
        return meant.filter { $0.deletion == nil } + meant.filter { $0.deletion != nil }
    }

    /// One space, in its present state; nil when it is no longer listed.
    func known(_ space: SpaceID) throws -> KnownSpace? {
        try replica.store.spaces.space(space).flatMap { try known($0, in: [.shared, .deleted]) }
    }

    /// Its last name here, also of one that is no longer listed, as it was left; nil where none is known.
    func lastName(of space: SpaceID) throws -> String? { try held(space)?.name }

    package func shortIDs() throws -> ShortIDs {
        ShortIDs(try replica.store.spaces.all().map(\.space.description))
    }

    package func reference(_ space: KnownSpace, _ short: ShortIDs) -> Reference {
        Reference(id: space.id, shortID: short[space.id], name: space.name)
    }

    // MARK: Readable spaces

    /// The spaces of a scope whose records can be read: the shared ones, then the person's own, then deleted ones.
    package func readable(_ scope: Scope = .existing) throws -> [ReadableSpace] {
        let short = try shortIDs()
        let known = try list(scope.subtracting(.own))
        let isOwnHere =
            scope.contains(.own) && replica.store.ledger(of: replica.local.homeSpace) != nil
        return known.filter(\.isReadable).map { readable($0, short) }
            + (isOwnHere ? [own(short)] : [])
            + known.filter { $0.deletion != nil }.map { readable($0, short) }
    }

    /// The space of a scope that a person means; ``ownName`` is their own, unless another one has that name.
    @inline(never)
    package func readable(
        _ typed: String, among scope: Scope = .existing, as kind: NamedThing = .space
    ) throws -> ReadableSpace {
        if scope.contains(.own), typed == Self.ownName,
            !(try list().contains { $0.name == typed })
        {
            guard replica.local.card != nil else { throw APIError.notInitialised }
            return own(try shortIDs())
        }
        let known = try find(typed, among: scope.subtracting(.own), as: kind)
        if known.deletion == nil { try known.requireContents(in: replica) }
        return readable(known, try shortIDs())
    }

    /// As ``readable(_:among:as:)``; without a name all of them.
    package func readable(named typed: String?, as kind: NamedThing) throws -> [ReadableSpace] {
        if let typed { [try readable(typed, as: kind)] } else { try readable() }
    }

    /// A trip whose schema can be followed here.
    package func trip(_ typed: String) throws -> ReadableSpace {
        let known = try find(typed)
        try known.requireContents(in: replica)
        _ = try replica.requireSchema(of: known.space)
        try known.requireTrip(in: replica)
        return readable(known, try shortIDs())
    }

    /// A trip, or without a name the person's own space.
    package func tripOrOwn(_ typed: String?) throws -> ReadableSpace {
        if let typed { return try trip(typed) }
        guard replica.local.card != nil else { throw APIError.notInitialised }
        return own(try shortIDs())
    }

    private func readable(_ known: KnownSpace, _ short: ShortIDs) -> ReadableSpace {
        ReadableSpace(id: known.space, known: known, reference: reference(known, short))
    }

    private func own(_ short: ShortIDs) -> ReadableSpace {
        let id = replica.local.homeSpace.description
        return ReadableSpace(
            id: replica.local.homeSpace, known: nil,
            reference: Reference(id: id, shortID: short[id], name: Self.ownName))
    }

    // MARK: One space

    /// Where a space stands, as its row, its members and its records say: only here. Nil outside the scope.
    private func known(_ stored: StoredSpace, in scope: Scope) throws -> KnownSpace? {
        // The role of a space is known once a part of it is here.
        guard stored.space != replica.local.homeSpace, stored.role ?? .shared == .shared else {
            return nil
        }
        switch stored.standing {
        case .left where stored.role == nil:
            guard scope.contains(.declined), let offer = stored.offer else { return nil }
            return KnownSpace(stored.space, offer, .left)
        case .left: return scope.contains(.leftElsewhere) ? try left(stored.space) : nil
        case .offered:
            guard scope.contains(.shared), stored.isOffered, let offer = stored.offer,
                let device = stored.offeredBy
            else { return nil }
            return KnownSpace(stored.space, offer, .granted(offer, from: device))
        case .active where stored.role == nil:
            guard scope.contains(.shared) else { return nil }
            return KnownSpace(
                stored.space, stored.offer, .awaited(stored.offer, from: stored.offeredBy))
        case .active:
            guard !scope.isDisjoint(with: [.shared, .deleted]),
                let known = try held(stored.space)
            else { return nil }
            return scope.contains(known.deletion == nil ? .shared : .deleted) ? known : nil
        }
    }

    /// One that was left here because it was left on another device, and not long ago.
    private func left(_ space: SpaceID) throws -> KnownSpace? {
        guard let membership = replica.membership(of: space),
            let leave = Leaves(membership).leave(before: replica.local.device),
            let heard = try replica.store.log.arrival(of: leave)?.receivedAt,
            replica.now.value < heard.value + Limits.leaveToldMilliseconds,
            var known = try held(space), known.deletion == nil
        else { return nil }
        known.standing = .left
        return known
    }

    private func held(_ space: SpaceID) throws -> KnownSpace? {
        if replica.membership(of: space)?.hasOnlyCarried(replica.local.device) ?? false {
            return KnownSpace(sealed: space, .carried)
        }
        guard let schema = replica.schema(of: space) else {
            return KnownSpace(
                space: space, name: try plainName(of: space), standing: .member, isTrip: false)
        }
        let key = schema.titleRecord(in: space)
        var known = KnownSpace(
            space: space, name: "", standing: .member, schema: schema.name,
            isTrip: schema.isJournal)
        // A trip whose name has not arrived yet is listed; only deleted ones are not.
        guard let state = try replica.store.records.record(key, of: space) else { return known }
        guard let shown = schema.shown(state, in: key.collection) else { return nil }
        known.name = shown.line("name")
        known.isActive = shown.value("active")?.boolean ?? true
        if let deletion = deletion(state, of: space) { known.standing = .deleted(deletion) }
        return known
    }

    private func deletion(_ title: RecordState, of space: SpaceID) -> SpaceDeletion? {
        guard title.isDeleted else { return nil }
        let writes = (title.fields[Write.existence]?.writes ?? []).filter {
            $0.value == .boolean(true)
        }
        guard let last = writes.max(by: SurvivingWrite.isOlder) else { return nil }
        let by = replica.author(with: last.log.device, in: space)
        return SpaceDeletion(
            writes: writes, last: last, by: by, isMine: replica.isOwn(by))
    }

    /// The last written name of a space whose schema is unknown here.
    private func plainName(of space: SpaceID) throws -> String {
        for collection in ["trip", Schema.spaceProfile] {
            let key = RecordKey(
                collection: collection,
                record: .derived(space: space, collection: collection, source: []))
            let register = try replica.store.records.record(key, of: space)?.fields["name"]
            if let name = register?.latest?.value.text { return ShownText.line(name) }
        }
        return ""
    }
}

extension Limits {
    /// How long lists say that a space was left on another device.
    fileprivate static let leaveToldMilliseconds: UInt64 = 30 * 86_400_000
}
