internal import LocalAPI
package import Records
internal import SyncCore

/// Tags and bucket lists of the home space and of trips: entries that are made once and copied into trips.
///
/// Stateless, like ``JournalService``.
package struct JournalLists: Sendable {
    typealias Collection = JournalSchema.Collection
    typealias Field = JournalSchema.Field

    let journal: JournalService

    package init(_ replica: any Replica) { journal = JournalService(replica) }

    var replica: any Replica { journal.replica }
    var records: RecordService { journal.records }
    var writer: SpaceWriter { journal.writer }
    var directory: SpaceDirectory { journal.directory }

    func shown(_ space: SpaceID, _ collection: String) throws -> [ShownEntry] {
        try journal.shown(space, collection)
    }
}

/// A tag or an item of a bucket list, with its space.
struct NamedEntry {
    let space: ReadableSpace
    let entry: ShownEntry
    /// Safe to print.
    let name: String

    var id: RecordID { entry.id }
    var lookupEntry: Lookup.Entry { Lookup.Entry(id: id.description, name: name) }
}

/// The result of a search by name: an entry, with its copies in trips when it is in the person's own space.
/// To people they are one.
struct MeantEntry {
    let chosen: NamedEntry
    let copies: [NamedEntry]
}

/// A collection of entries with names.
struct NamedCollection {
    let collection: String
    let field: String
    let kind: NamedThing

    static let tags = NamedCollection(
        collection: JournalSchema.Collection.tag, field: JournalSchema.Field.name, kind: .tag)
    static let bucketItems = NamedCollection(
        collection: JournalSchema.Collection.bucketItem, field: JournalSchema.Field.title,
        kind: .bucketItem)
}

/// The entries that a name can mean, read once.
struct NamedEntries {
    let kind: NamedThing
    /// Without the copies.
    var originals: [NamedEntry]
    /// By the id of the original.
    var copies: [RecordID: [NamedEntry]] = [:]

    func one(_ typed: String) throws -> MeantEntry {
        let found = try Lookup.find(typed, kind, among: originals, by: \.lookupEntry)
        return MeantEntry(chosen: found, copies: copies[found.id] ?? [])
    }
}

/// Finds and changes entries that are made once and copied into trips.
extension JournalLists {
    /// Sorted by name.
    func entries(_ named: NamedCollection, in space: ReadableSpace) throws -> [NamedEntry] {
        try shown(space.id, named.collection)
            .map { NamedEntry(space: space, entry: $0, name: $0.record.line(named.field)) }
            .sorted { ($0.name, $0.id) < ($1.name, $1.id) }
    }

    /// Those that left their data set, and stay as memories refer to them.
    func retired(_ named: NamedCollection, in space: ReadableSpace) throws -> Set<RecordID> {
        guard let schema = replica.schema(of: space.id),
            let collection = schema.collection(named.collection)
        else { return [] }
        let reader = RecordReader(replica, space.id, schema)
        let rows = try RetiredRows(reader)
        guard !rows.isEmpty else { return [] }
        return Set(
            try reader.shown(in: collection.name).filter { rows.contains($0, of: collection) }
                .map(\.id))
    }

    /// Those of a trip, or of all trips and the home space.
    func known(_ named: NamedCollection, in trip: String?) throws -> NamedEntries {
        if let trip {
            let entries = try entries(named, in: directory.trip(trip))
            return NamedEntries(kind: named.kind, originals: entries)
        }
        var known = NamedEntries(
            kind: named.kind, originals: try entries(named, in: directory.tripOrOwn(nil)))
        let own = known.originals.map(\.id)
        for trip in try directory.readable().filter(\.isTrip) {
            let sources = Dictionary(
                own.map { (JournalID.copy($0, named.collection, in: trip.id), $0) }
            ) { $1 }
            for entry in try entries(named, in: trip) {
                if let source = sources[entry.id] {
                    known.copies[source, default: []].append(entry)
                } else {
                    known.originals.append(entry)
                }
            }
        }
        return known
    }

    /// The entry that a person means, in a trip or anywhere.
    func meant(
        _ typed: String, _ named: NamedCollection, in trip: String?
    ) throws -> MeantEntry {
        try known(named, in: trip).one(typed)
    }

    /// The entries to change: the chosen one, and its copies where this person may write.
    func changeable(_ meant: MeantEntry) -> [NamedEntry] {
        [meant.chosen]
            + meant.copies.filter { replica.permissions(in: $0.space.id).contains(.write) }
    }

    /// Writes values to an entry and its copies. `before` are records that the values refer to.
    func change(
        _ meant: MeantEntry, of named: NamedCollection, _ action: SpaceAction,
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
            try await writer.write(
                ChangeSet(operations: wanted.before + [RecordOperation(key, writes)]),
                to: entry.space, action)
        }
    }

    /// Deletes an entry with its copies. The chosen one goes last, so that it stays if deleting a copy
    /// fails.
    func delete(_ meant: MeantEntry, of named: NamedCollection) async throws {
        for entry in changeable(meant).reversed() {
            let place = try records.place(entry.space, named.collection)
            try await records.delete(
                entry.entry, in: place, records.reader(place), .deleteRecords)
        }
    }

    /// Replaces an entry and its copies by another one in every memory, deletes it, and returns the other
    /// one. `copy` finds or makes the other one in a trip.
    func merge(
        _ typed: String, _ draft: MergeDraft, of named: NamedCollection, through field: String,
        copy: (NamedEntry, ReadableSpace) throws -> (id: RecordID, operations: [RecordOperation])
    ) async throws -> NamedEntry {
        let known = try known(named, in: draft.trip)
        let (meant, other) = (try known.one(typed), try known.one(draft.into).chosen)
        guard other.id != meant.chosen.id else {
            throw APIError.oneAndTheSame
        }
        guard other.space.id == meant.chosen.space.id else {
            throw APIError(
                code: .badInput, sentence: "Those two are not in the same place.",
                hint: "Both must be in your own list, or in one trip: --trip")
        }
        for entry in changeable(meant).reversed() {
            let isThere = entry.space.id == other.space.id
            let target: (id: RecordID, operations: [RecordOperation]) =
                try isThere ? (other.id, []) : copy(other, entry.space)
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
        return other
    }

    /// The operation that makes a memory refer to `target`.
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

extension APIError {
    /// A merge of something with itself.
    static let oneAndTheSame = APIError(
        code: .badInput, sentence: "That is one and the same.",
        hint: "Name another one, or the first letters of its id.")
}
