package import LocalAPI
internal import Store
internal import SyncCore

/// All spaces of this device, and the search for one by name.
package struct SpaceDirectory: Sendable {
    package let replica: any Replica

    package init(_ replica: any Replica) { self.replica = replica }

    /// The name of a person's own space on the command line.
    package static let ownName = "home"

    // MARK: Shared spaces

    /// Spaces that are here or wait for an answer, by name; without the person's own, deleted and left
    /// ones.
    package func all() throws -> [KnownSpace] { try every().filter { $0.deletion == nil } }

    /// Spaces that were deleted for everybody and can be restored, by name.
    package func deleted() throws -> [KnownSpace] { try every().filter { $0.deletion != nil } }

    /// Spaces that this person left on another device in the last weeks, and that were left here for that reason,
    /// by name.
    func leftElsewhere() throws -> [KnownSpace] {
        try replica.store.ledgers.values.compactMap { ledger in
            guard ledger.role == .shared, replica.store.spaces.standing(of: ledger.space) == .left,
                let leave = Leaves(ledger.membership).leave(before: replica.local.device),
                let heard = try replica.store.log.arrival(of: leave)?.receivedAt,
                replica.now.value < heard.value + Limits.leaveToldMilliseconds,
                var known = try held(ledger.space), known.deletion == nil
            else { return nil }
            known.standing = .left
            return known
        }.sorted { ($0.name, $0.space) < ($1.name, $1.space) }
    }

    /// Existing and deleted ones.
    func every() throws -> [KnownSpace] {
        try replica.store.spaces.all().compactMap { try known($0) }
            .sorted { ($0.name, $0.space) < ($1.name, $1.space) }
    }

    /// Throws also for a deleted one, with the person who deleted it.
    // As Lookup.find, which it calls.
    @inline(never)
    package func find(_ typed: String, as kind: NamedThing = .trip) throws -> KnownSpace {
        let every = try every()
        if let deleted = SpaceDirectory.meant(typed, among: every).first, deleted.deletion != nil {
            try deleted.requireContents(in: replica)
        }
        return try Lookup.find(typed, kind, among: every.filter { $0.deletion == nil }) { $0.entry }
    }

    /// The spaces that a name may mean, existing ones before deleted ones. The full name of a deleted one
    /// does not mean another that begins with it.
    private static func meant(_ typed: String, among spaces: [KnownSpace]) -> [KnownSpace] {
        let meant = Lookup.matches(typed, among: spaces.map(\.entry)).map { spaces[$0] }
        return meant.filter { $0.deletion == nil } + meant.filter { $0.deletion != nil }
    }

    private func isMeant(_ typed: String, among spaces: [KnownSpace]) -> Bool {
        !Lookup.matches(typed, among: spaces.map(\.entry)).isEmpty
    }

    /// Like ``find(_:as:)``, but also finds deleted ones, after existing ones.
    @inline(never)
    func findAny(_ typed: String, as kind: NamedThing) throws -> KnownSpace {
        let every = try every()
        let isDeleted = SpaceDirectory.meant(typed, among: every).first?.deletion != nil
        return try Lookup.find(
            typed, kind, among: every.filter { ($0.deletion != nil) == isDeleted }
        ) { $0.entry }
    }

    /// A deleted space whose records can be read and written here.
    @inline(never)
    func findDeleted(_ typed: String, as kind: NamedThing) throws -> ReadableSpace {
        let deleted = try deleted()
        guard isMeant(typed, among: deleted) else {
            throw RecordErrors.notDeleted(try find(typed, as: kind).name)
        }
        let found = try Lookup.find(typed, kind, among: deleted) { $0.entry }
        return readable(found, try shortIDs())
    }

    /// An existing space, or else a deleted one.
    @inline(never)
    func readableOrDeleted(_ typed: String, as kind: NamedThing = .space) throws -> ReadableSpace {
        let isDeleted = SpaceDirectory.meant(typed, among: try every()).first?.deletion != nil
        guard isDeleted, typed != Self.ownName else { return try readable(typed, as: kind) }
        return try findDeleted(typed, as: kind)
    }

    /// Like ``readable()``, followed by deleted ones.
    package func withDeleted() throws -> [ReadableSpace] {
        let short = try shortIDs()
        return try readable() + deleted().map { readable($0, short) }
    }

    /// Spaces that wait for an answer or were declined: declining can be reverted.
    func acceptable() throws -> [KnownSpace] {
        let declined = try replica.store.spaces.all().compactMap { stored -> KnownSpace? in
            guard stored.role == nil, stored.standing == .left, let offer = stored.offer else {
                return nil
            }
            return KnownSpace(stored.space, offer, .left)
        }
        return try all() + declined
    }

    /// One space, in its present state; nil when it is no longer listed.
    func known(_ space: SpaceID) throws -> KnownSpace? {
        try replica.store.spaces.space(space).flatMap { try known($0) }
    }

    package func shortIDs() throws -> ShortIDs {
        ShortIDs(try replica.store.spaces.all().map(\.space.description))
    }

    package func reference(_ space: KnownSpace, _ short: ShortIDs) -> Reference {
        Reference(id: space.id, shortID: short[space.id], name: space.name)
    }

    // MARK: Readable spaces

    /// Every space whose records can be read: the shared ones, followed by the person's own.
    package func readable() throws -> [ReadableSpace] {
        let short = try shortIDs()
        let shared = try all().filter(\.isReadable).map { readable($0, short) }
        let isOwnHere = replica.store.ledger(of: replica.local.homeSpace) != nil
        return shared + (isOwnHere ? [own(short)] : [])
    }

    package func readableTrips() throws -> [ReadableSpace] {
        try readable().filter { $0.known?.isTrip ?? false }
    }

    /// The space that a person means; ``ownName`` is their own, unless another one has that name.
    package func readable(_ typed: String, as kind: NamedThing = .space) throws -> ReadableSpace {
        if typed == Self.ownName, !(try all().contains { $0.name == typed }) {
            guard replica.local.card != nil else { throw APIError.notInitialised }
            return own(try shortIDs())
        }
        return try shared(typed, as: kind)
    }

    /// The shared space that is meant, never the person's own.
    package func shared(_ typed: String, as kind: NamedThing = .trip) throws -> ReadableSpace {
        let known = try find(typed, as: kind)
        try known.requireContents(in: replica)
        return readable(known, try shortIDs())
    }

    /// As ``readable(_:as:)``; without a name all of them.
    package func readable(scope typed: String?, as kind: NamedThing) throws -> [ReadableSpace] {
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

    private func known(_ stored: StoredSpace) throws -> KnownSpace? {
        // The role of a space is known once a part of it is here.
        guard stored.space != replica.local.homeSpace, stored.role ?? .shared == .shared else {
            return nil
        }
        switch stored.standing {
        case .left: return nil
        case .offered:
            guard stored.isOffered, let offer = stored.offer, let device = stored.offeredBy
            else { return nil }
            return KnownSpace(stored.space, offer, .granted(offer, from: device))
        case .active where stored.role == nil:
            return KnownSpace(
                stored.space, stored.offer, .awaited(stored.offer, from: stored.offeredBy))
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
