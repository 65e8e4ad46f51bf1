import LocalAPI
import Store
import SyncCore

/// Records of any schema: the half of ``AgentService`` that knows no trips.
///
/// Stateless: every call reads what is shown now, and a change is durable when its call returns.
struct RecordService: Sendable {
    let replica: AgentNode

    var journal: JournalService { JournalService(replica: replica) }

    /// A collection of a space that a person named.
    struct Place {
        let space: SpaceID
        let reference: Reference
        let schema: Schema
        let collection: CollectionSchema
        /// Nil for the person's own space.
        let trip: KnownTrip?

        func key(_ record: RecordID) -> RecordKey {
            RecordKey(collection: collection.name, record: record)
        }
    }

    /// The space that a person means: `home` is their own, unless a space has that name.
    func space(_ typed: String) throws -> (space: SpaceID, reference: Reference, trip: KnownTrip?) {
        let short = try journal.trips.shortIDs()
        if typed == "home", !(try journal.trips.all().contains { $0.name == typed }) {
            guard replica.identity.card != nil else { throw APIError.notInitialised }
            let home = replica.identity.homeSpace
            let id = home.description
            return (home, Reference(id: id, shortID: short[id], name: "home"), nil)
        }
        let known = try journal.trips.findReadable(typed, as: .space)
        return (known.space, journal.trips.reference(known, short), known)
    }

    func place(_ space: String, _ collection: String) throws -> Place {
        let (id, reference, trip) = try self.space(space)
        let schema = try replica.requireSchema(of: id)
        guard let known = schema.collection(collection) else {
            throw APIError.unknownCollection(
                ShownText.line(collection), among: schema.ownCollections.map(\.name))
        }
        return Place(
            space: id, reference: reference, schema: schema, collection: known, trip: trip)
    }

    func reader(_ place: Place, isBulk: Bool = false) -> RecordReader {
        RecordReader(replica, place.space, place.schema, isBulk: isBulk)
    }

    /// The one record that a person means by its name or the beginning of its id.
    func find(
        _ typed: String, in place: Place, _ reader: RecordReader,
        among isWanted: (Presence) -> Bool = \.isShown
    ) throws -> ShownEntry {
        try find(typed, in: place.collection.name, reader, among: isWanted)
    }

    func find(
        _ typed: String, in collection: String, _ reader: RecordReader,
        among isWanted: (Presence) -> Bool = \.isShown
    ) throws -> ShownEntry {
        // A whole id costs one look, however many records there are.
        if let id = bytes(hexadecimal: typed[...]).flatMap({ RecordID(bytes: $0) }) {
            let key = RecordKey(collection: collection, record: id)
            if let entry = try reader.entry(key), isWanted(try reader.presence(key)) {
                return entry
            }
        }
        let isMeant = { (entry: ShownEntry) in
            isWanted(try reader.presence(RecordKey(collection: collection, record: entry.id)))
        }
        for hint in RecordService.hints(typed) {
            let entries = try reader.fitting(hint.hint, in: collection, limit: hint.limit)
            if let found = try chosen(typed, collection, entries.filter(isMeant), reader) {
                return found
            }
        }
        // Names that are shown otherwise than they are written.
        let entries = try reader.all(in: collection).filter(isMeant)
        guard let found = try chosen(typed, collection, entries, reader) else {
            throw APIError.unknownRecord(collection, ShownText.line(typed))
        }
        return found
    }

    /// What may be meant, in the order of the rules of ``Lookup``; nearly always the first hint is
    /// enough, so that it costs the same however many records there are.
    private static func hints(_ typed: String) -> [(hint: SyncStore.NameHint, limit: Int)] {
        var hints: [(hint: SyncStore.NameHint, limit: Int)] = [(.name(typed), .max)]
        let id = NameFolding.fold(typed).filter { $0 != "-" }
        if id.utf8.count >= Lookup.leastIDCharacters { hints.append((.idStart(id), .max)) }
        return hints + [(.nameStart(typed), Limits.namesLookedAt)]
    }

    private func chosen(
        _ typed: String, _ collection: String, _ entries: [ShownEntry], _ reader: RecordReader
    ) throws -> ShownEntry? {
        try RecordService.choose(typed, collection, entries) { entry in
            Lookup.Entry(
                id: entry.id.description, name: reader.title(entry.record, in: collection))
        }
    }

    // As Lookup.find: inlined into async functions typed errors crash the optimiser of Swift 6.3.1.
    @inline(never)
    private static func choose(
        _ typed: String, _ collection: String, _ entries: [ShownEntry],
        by entry: (ShownEntry) -> Lookup.Entry
    ) throws -> ShownEntry? {
        let named = entries.map(entry)
        let found = Lookup.matches(typed, among: named)
        if let index = found.first, found.count == 1 { return entries[index] }
        guard !found.isEmpty else { return nil }
        let short = ShortIDs(named.map(\.id))
        throw APIError.ambiguousRecord(
            collection, ShownText.line(typed),
            candidates: found.prefix(Limits.candidatesShown).map { index in
                APIError.Candidate(
                    id: named[index].id, shortID: short[named[index].id], name: named[index].name)
            })
    }

    /// Writes one atomic commit, with sentences for what may stand against it.
    func write(
        _ draft: ChangeSet, to place: Place, _ action: Sentence.TripAction
    ) async throws {
        guard !draft.operations.isEmpty else { return }
        if let trip = place.trip {
            try await journal.write(draft, to: trip, action)
        } else {
            try await journal.writeHome(draft)
        }
    }
}

extension Limits {
    /// Records that an ambiguous name is said to mean.
    package static let candidatesShown = 20
    /// Records whose names begin as typed that are looked at: more than are ever told apart.
    static let namesLookedAt = 200
}
