internal import LocalAPI
package import Records
internal import SyncCore

/// Tags and bucket lists, of the home space and of trips: what is made once and copied into trips.
///
/// Stateless, as ``JournalService``.
package struct JournalLists: Sendable {
    typealias Collection = JournalSchema.Collection
    typealias Field = JournalSchema.Field

    let journal: JournalService

    package init(_ replica: any Replica) { journal = JournalService(replica) }

    var replica: any Replica { journal.replica }
    var records: RecordService { journal.records }
    var spaces: SpaceService { journal.spaces }
    var directory: SpaceDirectory { journal.directory }

    func shown(_ space: SpaceID, _ collection: String) throws -> [ShownEntry] {
        try journal.shown(space, collection)
    }
}

/// A tag or an item of the bucket list, where it stands.
struct NamedEntry {
    let space: ReadableSpace
    let entry: ShownEntry
    /// Fit to show.
    let name: String

    var id: RecordID { entry.id }
    var lookupEntry: Lookup.Entry { Lookup.Entry(id: id.description, name: name) }
}

/// What a person means by a name: one entry, and the copies of it in trips when it stands in the person's
/// own space. To people they are one.
struct MeantEntry {
    let chosen: NamedEntry
    let copies: [NamedEntry]

    var all: [NamedEntry] { [chosen] + copies }
}

/// Finding and changing what is made once and copied into trips.
extension JournalLists {
    /// A collection of entries with names.
    struct NamedCollection {
        let collection: String
        let field: String
        let kind: NamedThing

        static let tags = NamedCollection(
            collection: Collection.tag, field: Field.name, kind: .tag)
        static let bucketItems = NamedCollection(
            collection: Collection.bucketItem, field: Field.title, kind: .bucketItem)
    }

    /// By name.
    func entries(_ named: NamedCollection, in space: ReadableSpace) throws -> [NamedEntry] {
        try shown(space.id, named.collection)
            .map { NamedEntry(space: space, entry: $0, name: $0.record.line(named.field)) }
            .sorted { ($0.name, $0.id) < ($1.name, $1.id) }
    }

    /// The entry that a person means, in a trip or anywhere.
    func meant(
        _ typed: String, _ named: NamedCollection, in trip: String?
    ) throws -> MeantEntry {
        guard trip == nil else {
            let entries = try entries(named, in: directory.trip(trip ?? ""))
            let found = try Lookup.find(typed, named.kind, among: entries, by: \.lookupEntry)
            return MeantEntry(chosen: found, copies: [])
        }
        let home = try directory.tripOrOwn(nil)
        let own = try entries(named, in: home)
        let there = try directory.readableTrips().flatMap { try entries(named, in: $0) }
        var sources: [RecordID: RecordID] = [:]
        for trip in Set(there.map(\.space.id)) {
            for entry in own {
                sources[JournalID.copy(entry.id, named.collection, in: trip)] = entry.id
            }
        }
        let originals = own + there.filter { sources[$0.id] == nil }
        let found = try Lookup.find(typed, named.kind, among: originals, by: \.lookupEntry)
        let isOwn = found.space.id == home.id
        return MeantEntry(
            chosen: found, copies: isOwn ? there.filter { sources[$0.id] == found.id } : [])
    }

    /// Where this person may change an entry: where it was chosen, and its copies where they may write.
    func changeable(_ meant: MeantEntry) -> [NamedEntry] {
        [meant.chosen]
            + meant.copies.filter { replica.permissions(in: $0.space.id).contains(.write) }
    }

    /// Gives an entry and its copies other values. `before` are records that the values refer to.
    func change(
        _ meant: MeantEntry, of named: NamedCollection, _ action: Sentence.TripAction,
        to values: (NamedEntry) throws -> (
            before: [RecordOperation], values: [(field: String, value: Value)]
        )
    ) async throws {
        for entry in changeable(meant) {
            let wanted = try values(entry)
            let key = RecordKey(collection: named.collection, record: entry.id)
            let writes = try records.writes(
                wanted.values, to: key, in: entry.space.id, over: entry.entry)
            guard !writes.isEmpty else { continue }
            try await spaces.write(
                ChangeSet(operations: wanted.before + [RecordOperation(key, writes)]),
                to: entry.space, action)
        }
    }

    /// Deletes an entry with its copies; where it was chosen last, so that it is there while a copy must stay.
    func delete(_ meant: MeantEntry, of named: NamedCollection) async throws {
        for entry in changeable(meant).reversed() {
            let place = try records.place(entry.space, named.collection)
            try await records.delete(
                entry.entry, in: place, records.reader(place), .deleteRecords)
        }
    }

    /// Has every memory that refers to an entry or a copy of it refer to another one, and deletes it.
    /// `target` finds the other one in a space, or what makes it there.
    func merge(
        _ meant: MeantEntry, of named: NamedCollection, through field: String,
        into target: (NamedEntry) throws -> (id: RecordID, operations: [RecordOperation])
    ) async throws {
        for entry in changeable(meant).reversed() {
            let target = try target(entry)
            let place = try records.place(entry.space, Collection.memory)
            let reader = records.reader(place, isBulk: true)
            guard let link = place.collection.field(field) else { continue }
            try reader.prepare(linksTo: [entry.id], in: Collection.memory, through: link)
            let users = try reader.referring(
                to: entry.id, in: Collection.memory, through: link)
            let moved = try users.compactMap {
                try self.moved($0, from: entry, to: target.id, through: link)
            }
            let deletion = try records.deletion(of: entry.entry, in: named.collection, reader)
            try await Deeds(replica).write(
                target.operations + moved + [deletion], to: entry.space)
        }
    }

    /// What makes a memory refer to `target`.
    private func moved(
        _ memory: ShownEntry, from entry: NamedEntry, to target: RecordID,
        through field: FieldSchema
    ) throws -> RecordOperation? {
        let key = RecordKey(collection: Collection.memory, record: memory.id)
        guard case .set = field.type else {
            let writes = try records.writes(
                [(field.name, .reference(target))], to: key, in: entry.space.id, over: memory)
            return writes.isEmpty ? nil : RecordOperation(key, writes)
        }
        var writes = [
            Write(field: field.name, element: .reference(entry.id), value: .boolean(false))
        ]
        if !memory.record.elements(field.name).contains(.reference(target)) {
            writes.append(
                Write(field: field.name, element: .reference(target), value: .boolean(true)))
        }
        return RecordOperation(key, writes)
    }
}
