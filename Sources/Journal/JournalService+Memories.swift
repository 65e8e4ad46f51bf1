package import LocalAPI
internal import Records
internal import SyncCore

/// Finding, showing and deleting memories.
extension JournalService {
    /// A memory that a person means.
    struct FoundMemory {
        let entry: ShownEntry
        let trip: ReadableSpace
        let reader: RecordReader
    }

    /// Sorted by time; memories without a time are last.
    package func memories(_ filter: MemoryFilter) throws -> [MemorySummary] {
        let search = try MemorySearch(filter, of: self)
        let meter = ProgressMeter(.reading)
        var all: [FoundMemory] = []
        for (trip, reader) in try readers(in: filter.trip) {
            all += try search.memories(in: reader).map {
                FoundMemory(entry: $0, trip: trip, reader: reader)
            }
        }
        var found: [(memory: ShownEntry, views: MemoryViews)] = []
        let byTrip = Dictionary(grouping: search.cut(all, by: \.entry), by: \.trip.id)
        for memories in byTrip.values {
            guard let first = memories.first else { continue }
            let entries = memories.map(\.entry)
            let views = MemoryViews(
                try MemoryContents(
                    first.trip, records, reader: first.reader, memories: entries,
                    isPart: filter.limit != nil))
            found += entries.map { ($0, views) }
        }
        let shortIDs = try ShortIDs(
            of: found.map { RecordKey(collection: Collection.memory, record: $0.memory.id) },
            on: replica)
        return try found.map { memory, views in
            try Task.checkCancellation()
            meter.add()
            return try views.summary(memory, shortIDs)
        }.sorted(by: precedes)
    }

    package func showMemory(_ memory: String) throws -> MemoryView {
        let found = try findMemory(memory)
        var view = try view(of: found)
        let key = RecordKey(collection: Collection.memory, record: found.entry.id)
        view.state.origin = try records.origin(of: key, in: found.trip.id)
        return view
    }

    /// Deletes the memory with its parts. Returns the memory as it was.
    package func deleteMemory(_ memory: String) async throws -> MemoryView {
        let found = try findMemory(memory)
        let before = try view(of: found)
        let place = try records.place(found.trip, Collection.memory)
        try await records.delete(found.entry, in: place, found.reader, .deleteMemory)
        return before
    }

    /// Undoes a deletion, including that of the photos and the track.
    package func restoreMemory(_ memory: String) async throws -> MemoryView {
        let found = try self.memory(in: nil) { try RecordFinder.deleted(memory, in: $0) }
        let place = try records.place(found.trip, Collection.memory)
        try await records.restore(found.entry, in: place, found.reader, .changeMemory)
        return try view(of: found.entry.id, in: found.trip)
    }

    /// The memory that a person means, in any trip or in one.
    func findMemory(_ typed: String, in trip: String? = nil) throws -> FoundMemory {
        try memory(in: trip) { try RecordFinder(in: $0).one(typed, .memory) }
    }

    /// The memory that `find` finds, in any trip or in one.
    private func memory(
        in trip: String?, _ find: ([RecordFinder.Place]) throws -> RecordFinder.Match
    ) throws -> FoundMemory {
        let readers = try readers(in: trip)
        let match = try find(readers.map { RecordFinder.Place($0.reader, Collection.memory) })
        guard let trip = readers.first(where: { $0.reader === match.place.reader })?.trip else {
            throw APIError.unknown(.memory, match.name)
        }
        return FoundMemory(entry: match.entry, trip: trip, reader: match.place.reader)
    }

    /// The trip that a person means, or all trips, each with a reader for one request.
    func readers(in trip: String?) throws -> [(trip: ReadableSpace, reader: RecordReader)] {
        try trips(trip).compactMap { trip in
            replica.schema(of: trip.id).map { (trip, RecordReader(replica, trip.id, $0)) }
        }
    }

    private func view(of found: FoundMemory) throws -> MemoryView {
        try views(of: found).view(found.entry)
    }

    /// A memory as it is shown now.
    func view(
        of memory: RecordID, in trip: ReadableSpace, notices: [String] = []
    ) throws -> MemoryView {
        try replica.snapshot {
            let reader = records.reader(try records.place(trip, Collection.memory))
            guard let entry = try reader.shown(Collection.memory, memory) else {
                throw APIError.unknown(.memory, ShortIDs.alone(memory.description))
            }
            let found = FoundMemory(entry: entry, trip: trip, reader: reader)
            return try views(of: found).view(entry, notices: notices)
        }
    }

    func views(of found: FoundMemory) throws -> MemoryViews {
        MemoryViews(
            try MemoryContents(found.trip, records, reader: found.reader, memories: [found.entry]))
    }

    private func precedes(_ one: MemorySummary, _ other: MemorySummary) -> Bool {
        switch (one.at, other.at) {
        case (let left?, let right?) where left.milliseconds != right.milliseconds:
            left.milliseconds < right.milliseconds
        case (.some, nil): true
        case (nil, .some): false
        default: (one.title, one.id) < (other.title, other.id)
        }
    }
}
