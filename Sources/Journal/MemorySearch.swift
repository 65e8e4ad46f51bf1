internal import LocalAPI
internal import Records
internal import SyncCore

/// Applies a memory filter; made once for one list.
struct MemorySearch {
    typealias Collection = JournalSchema.Collection
    typealias Field = JournalSchema.Field

    private let filter: MemoryFilter
    /// By trip, the tags that the filter's name or id means; nil when it has none.
    private let tags: [SpaceID: Set<RecordID>]?

    init(_ filter: MemoryFilter, of journal: JournalService) throws {
        if let near = filter.near { try InputCheck.near(near) }
        try MemorySearch.requirePage(filter)
        self.filter = filter
        tags = try filter.tag.map { tag in
            try MemorySearch.tags(tag, of: journal, in: try journal.trips(filter.trip))
        }
    }

    /// Matches in one trip; uses an index where there is one.
    func memories(in reader: RecordReader) throws -> [ShownEntry] {
        let wanted = tags.map { $0[reader.space] ?? [] }
        let candidates =
            if let limit = filter.limit {
                try page(limit, in: reader)
            } else if filter.deleted {
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

    /// A list that is found in another way than by time is read whole, and comes whole.
    private static func requirePage(_ filter: MemoryFilter) throws {
        guard let limit = filter.limit else { return }
        guard 1...LocalLimits.recordsOfPart ~= limit else {
            throw RecordErrors.badLimit(LocalLimits.recordsOfPart)
        }
        guard filter.tag == nil, filter.near == nil, filter.text == nil, !filter.deleted else {
            throw APIError(
                code: .badInput,
                sentence: "A limit goes with a trip and with times, not with more.",
                hint: "Leave the limit out.")
        }
    }

    /// The first ones by time; where that are all, those without a time, too.
    private func page(_ limit: Int, in reader: RecordReader) throws -> [ShownEntry] {
        let found = try reader.shown(in: Collection.memory, at: rest, limit: limit)
        guard found.count < limit, filter.since == nil, filter.until == nil else { return found }
        return try found + reader.shown(in: Collection.memory, notAt: MemorySearch.allTimes)
    }

    /// Of those of several trips the ones that the first `limit` reach to. Each trip gives all of its own that far.
    func cut<Found>(_ found: [Found], by memory: (Found) -> ShownEntry) -> [Found] {
        guard let limit = filter.limit, found.count > limit else { return found }
        let times = found.map { MemorySearch.time(of: memory($0)) ?? .max }
        let last = times.sorted()[limit - 1]
        return zip(found, times).filter { $0.1 <= last }.map(\.0)
    }

    private static func time(of memory: ShownEntry) -> Int64? {
        Moment(memory.record.value(Field.at)?.time)?.milliseconds
    }

    private static let allTimes = Moment.range.lowerBound..<Moment.range.upperBound + 1

    /// The times after the part before.
    private var rest: Range<Int64> {
        let next = filter.after.map { max($0.milliseconds, $0.milliseconds &+ 1) } ?? .min
        return times.clamped(to: MemorySearch.allTimes).clamped(to: next..<Int64.max)
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

    /// Memories with the words in their text, or in the names of their tags.
    private func memories(with text: String, in reader: RecordReader) throws -> [ShownEntry] {
        let found = try reader.found(text)
        var memories = found[Collection.memory] ?? []
        var known = Set(memories.map(\.id))
        let tags = Set((found[Collection.tag] ?? []).map(\.id))
        memories += try MemorySearch.memories(carrying: tags, in: reader)
            .filter { known.insert($0.id).inserted }
        return memories
    }

    /// Memories that have one of these tags, each once; reads no others.
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

    /// Every tag of the name, in all trips; a name without any tag is a typing error.
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
