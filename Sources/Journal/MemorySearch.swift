internal import LocalAPI
internal import Records
internal import SyncCore

/// Which memories a filter lets through; made once for one list.
struct MemorySearch {
    typealias Collection = JournalSchema.Collection
    typealias Field = JournalSchema.Field

    private let filter: MemoryFilter
    /// By trip, tags by the name or id the filter gives; nil when it names none.
    private let tags: [SpaceID: Set<RecordID>]?

    init(_ filter: MemoryFilter, of journal: JournalService) throws {
        if let near = filter.near { try InputCheck.near(near) }
        self.filter = filter
        tags = try filter.tag.map { tag in
            try MemorySearch.tags(tag, of: journal, in: try journal.trips(filter.trip))
        }
    }

    /// Those of one trip; what has an index is read by it.
    func memories(in reader: RecordReader) throws -> [ShownEntry] {
        let wanted = tags.map { $0[reader.space] ?? [] }
        let candidates =
            if filter.deleted {
                try deleted(in: reader)
            } else if let text = filter.text {
                try memories(with: text, in: reader)
            } else if let wanted {
                try MemorySearch.memories(carrying: wanted, in: reader)
            } else if filter.since != nil || filter.until != nil {
                try reader.shown(in: Collection.memory, at: times)
            } else {
                try reader.shown(in: Collection.memory)
            }
        return candidates.filter { memory in
            isInTime(memory) && isNear(memory)
                && wanted.map { !$0.isDisjoint(with: MemorySearch.tags(of: memory)) } ?? true
        }
    }

    /// The deleted ones; the index of words has only what is shown.
    private func deleted(in reader: RecordReader) throws -> [ShownEntry] {
        let folded = filter.text.map { Lookup.fold($0) }
        return try reader.all(in: Collection.memory).filter { memory in
            let key = RecordKey(collection: Collection.memory, record: memory.id)
            guard try reader.presence(key) == .deleted else { return false }
            guard let folded else { return true }
            return [Field.title, Field.text, Field.locationName, Field.weather].contains {
                Lookup.fold(memory.record.value($0)?.text ?? "").contains(folded)
            }
        }
    }

    /// Whose text, or whose tags' names, hold the words.
    private func memories(with text: String, in reader: RecordReader) throws -> [ShownEntry] {
        let found = try reader.found(text)
        var memories = found[Collection.memory] ?? []
        var known = Set(memories.map(\.id))
        let tags = Set((found[Collection.tag] ?? []).map(\.id))
        memories += try MemorySearch.memories(carrying: tags, in: reader)
            .filter { known.insert($0.id).inserted }
        return memories
    }

    /// Those that have one of these tags, each once; others are not read.
    static func memories(
        carrying tags: Set<RecordID>, in reader: RecordReader
    ) throws -> [ShownEntry] {
        guard let field = reader.schema.collection(Collection.memory)?.field(Field.tags) else {
            return []
        }
        try reader.prepare(linksTo: tags, in: Collection.memory, through: field)
        var known: Set<RecordID> = []
        return try tags.sorted().flatMap { tag in
            try reader.referring(to: tag, in: Collection.memory, through: field)
        }.filter { known.insert($0.id).inserted }
    }

    private static func tags(of memory: ShownEntry) -> Set<RecordID> {
        Set(memory.record.elements(Field.tags).compactMap(\.reference))
    }

    private var times: Range<Int64> {
        let since = filter.since?.milliseconds ?? .min
        return since..<max(since, filter.until?.milliseconds ?? .max)
    }

    private func isInTime(_ memory: ShownEntry) -> Bool {
        guard filter.since != nil || filter.until != nil else { return true }
        guard let at = memory.record.value(Field.at)?.time?.milliseconds else { return false }
        return times.contains(at)
    }

    private func isNear(_ memory: ShownEntry) -> Bool {
        guard let near = filter.near else { return true }
        guard let position = Position(memory.record.value(Field.position)?.position) else {
            return false
        }
        return position.distance(latitude: near.latitude, longitude: near.longitude) <= near.radius
    }

    /// Every tag of the name, in all trips; a name that no trip and not the person's own space knows
    /// is a typing error.
    private static func tags(
        _ typed: String, of journal: JournalService, in trips: [ReadableSpace]
    ) throws -> [SpaceID: Set<RecordID>] {
        guard !Lookup.fold(typed).isEmpty else { throw APIError.emptyName }
        let own = journal.replica.local
        let spaces = trips.map(\.id) + (own.card == nil ? [] : [own.homeSpace])
        let books = try spaces.map { try TagBook(journal, $0) }
        guard books.contains(where: { !$0.meant(typed).isEmpty }) else {
            let names = books.flatMap(\.tags).map(\.lookupEntry.name)
            throw APIError.unknown(
                .tag, ShownText.line(typed), similar: SimilarNames.of(typed, among: names))
        }
        return books.prefix(trips.count).reduce(into: [:]) { found, book in
            let tags = book.meant(typed)
            if !tags.isEmpty { found[book.space] = Set(tags.map(\.id)) }
        }
    }
}
