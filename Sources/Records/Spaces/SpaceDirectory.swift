package import LocalAPI
internal import Store
internal import SyncCore

/// All spaces of this device, and the one that a person means.
package struct SpaceDirectory: Sendable {
    package let replica: any Replica

    package init(_ replica: any Replica) { self.replica = replica }

    /// What people type for their own space.
    package static let ownName = "home"

    // MARK: Shared ones

    /// Spaces that are here or wait for an answer, by name; the person's own, deleted and left ones
    /// not.
    package func all() throws -> [KnownSpace] { try every().filter { $0.deletion == nil } }

    /// Those that were deleted for everybody and can be brought back, by name.
    package func deleted() throws -> [KnownSpace] { try every().filter { $0.deletion != nil } }

    private func every() throws -> [KnownSpace] {
        try replica.store.spaces().compactMap { try known($0) }
            .sorted { ($0.name, $0.space) < ($1.name, $1.space) }
    }

    /// Throws also when a deleted one is meant, with who deleted it.
    // As Lookup.find, which it calls.
    @inline(never)
    package func find(_ typed: String, as kind: NamedThing = .trip) throws -> KnownSpace {
        let every = try every()
        if let deleted = SpaceDirectory.meant(typed, among: every).first, deleted.deletion != nil {
            try deleted.requireContents()
        }
        return try Lookup.find(typed, kind, among: every.filter { $0.deletion == nil }) { $0.entry }
    }

    /// What a name may mean, those that are there before deleted ones. The whole name of a deleted
    /// one does not mean another whose name begins with it.
    private static func meant(_ typed: String, among spaces: [KnownSpace]) -> [KnownSpace] {
        let meant = Lookup.matches(typed, among: spaces.map(\.entry)).map { spaces[$0] }
        return meant.filter { $0.deletion == nil } + meant.filter { $0.deletion != nil }
    }

    private func isMeant(_ typed: String, among spaces: [KnownSpace]) -> Bool {
        !Lookup.matches(typed, among: spaces.map(\.entry)).isEmpty
    }

    /// As ``find(_:as:)``, and deleted ones after those that are there.
    @inline(never)
    func findAny(_ typed: String, as kind: NamedThing) throws -> KnownSpace {
        let every = try every()
        let isDeleted = SpaceDirectory.meant(typed, among: every).first?.deletion != nil
        return try Lookup.find(
            typed, kind, among: every.filter { ($0.deletion != nil) == isDeleted }
        ) { $0.entry }
    }

    /// A deleted one whose records can be read and written here.
    @inline(never)
    func findDeleted(_ typed: String, as kind: NamedThing) throws -> ReadableSpace {
        let deleted = try deleted()
        guard isMeant(typed, among: deleted) else {
            throw APIError.notDeleted(try find(typed, as: kind).name)
        }
        let found = try Lookup.find(typed, kind, among: deleted) { $0.entry }
        return readable(found, try shortIDs())
    }

    /// One that is there, or else one that was deleted.
    @inline(never)
    func readableOrDeleted(_ typed: String, as kind: NamedThing = .space) throws -> ReadableSpace {
        let isDeleted = SpaceDirectory.meant(typed, among: try every()).first?.deletion != nil
        guard isDeleted, typed != Self.ownName else { return try readable(typed, as: kind) }
        return try findDeleted(typed, as: kind)
    }

    /// As ``readable()``, with those that were deleted at the end.
    package func withDeleted() throws -> [ReadableSpace] {
        let short = try shortIDs()
        return try readable() + deleted().map { readable($0, short) }
    }

    /// Spaces that wait for an answer or were declined: a no can be taken back.
    func acceptable() throws -> [KnownSpace] {
        let declined = try replica.store.spaces().compactMap { stored -> KnownSpace? in
            guard stored.role == nil, stored.standing == .left, let offer = stored.offer else {
                return nil
            }
            return KnownSpace(stored.space, offer, .left)
        }
        return try all() + declined
    }

    /// One space, as it is now; nil when it is not listed any more.
    func known(_ space: SpaceID) throws -> KnownSpace? {
        try replica.store.space(space).flatMap { try known($0) }
    }

    package func shortIDs() throws -> ShortIDs {
        ShortIDs(try replica.store.spaces().map(\.space.description))
    }

    package func reference(_ space: KnownSpace, _ short: ShortIDs) -> Reference {
        Reference(id: space.id, shortID: short[space.id], name: space.name)
    }

    // MARK: Readable ones

    /// Every space whose records can be read: those that are shared, and behind them the person's own.
    package func readable() throws -> [ReadableSpace] {
        let short = try shortIDs()
        let shared = try all().filter(\.isReadable).map { readable($0, short) }
        let isOwnHere = replica.store.ledger(of: replica.local.homeSpace) != nil
        return shared + (isOwnHere ? [own(short)] : [])
    }

    package func readableTrips() throws -> [ReadableSpace] {
        try readable().filter { $0.known?.isTrip ?? false }
    }

    /// The one that a person means; ``ownName`` is their own, unless another one has that name.
    package func readable(_ typed: String, as kind: NamedThing = .space) throws -> ReadableSpace {
        if typed == Self.ownName, !(try all().contains { $0.name == typed }) {
            guard replica.local.card != nil else { throw APIError.notInitialised }
            return own(try shortIDs())
        }
        return try shared(typed, as: kind)
    }

    /// The one that a person means among those that are shared: what others are told of is never
    /// their own.
    package func shared(_ typed: String, as kind: NamedThing = .trip) throws -> ReadableSpace {
        let known = try find(typed, as: kind)
        try known.requireContents()
        return readable(known, try shortIDs())
    }

    /// As ``readable(_:as:)``; without a name all of them.
    package func readable(scope typed: String?, as kind: NamedThing) throws -> [ReadableSpace] {
        if let typed { [try readable(typed, as: kind)] } else { try readable() }
    }

    /// A trip whose schema can be followed here.
    package func trip(_ typed: String) throws -> ReadableSpace {
        let known = try find(typed)
        try known.requireContents()
        _ = try replica.requireSchema(of: known.space)
        try known.requireTrip()
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

    // MARK: What is known of one

    private func known(_ stored: StoredSpace) throws -> KnownSpace? {
        // The role of a space is known once something of it is here.
        guard stored.space != replica.local.homeSpace, stored.role ?? .shared == .shared else {
            return nil
        }
        switch stored.standing {
        case .left: return nil
        case .offered:
            guard let offer = stored.offer, let device = stored.offeredBy else { return nil }
            return KnownSpace(stored.space, offer, .granted(offer, from: device))
        case .active where stored.role == nil:
            return KnownSpace(stored.space, stored.offer, .awaited(stored.offer))
        case .active: return try held(stored.space)
        }
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
        // A trip whose name is still on its way is listed; only a deleted one is not.
        guard let state = try replica.store.record(key, of: space) else { return known }
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

    /// A space's name as it was last written, while its schema is not known here.
    private func plainName(of space: SpaceID) throws -> String {
        for collection in ["trip", Schema.spaceProfile] {
            let key = RecordKey(
                collection: collection,
                record: .derived(space: space, collection: collection, source: []))
            let register = try replica.store.record(key, of: space)?.fields["name"]
            if let name = register?.latest?.value.text { return ShownText.line(name) }
        }
        return ""
    }
}
