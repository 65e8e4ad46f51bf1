import LocalAPI
import SyncCore

/// Finding and showing memories.
extension JournalService {
    /// By time, those without one last.
    func memories(_ filter: MemoryFilter) async throws -> [MemorySummary] {
        let trips = try searched(filter.trip)
        let search = try MemorySearch(filter, of: replica, in: trips)
        let short = try self.trips.shortIDs()
        var found: [(memory: ShownEntry, views: MemoryViews)] = []
        for trip in trips {
            let memories = try replica.shown(trip.space, Collection.memory)
                .filter { search.admits($0, in: trip.space) }
            guard !memories.isEmpty else { continue }
            let views = MemoryViews(
                journal: self, contents: try TripContents(trip, of: self, short: short))
            found += memories.map { ($0, views) }
        }
        let shortIDs = ShortIDs(found.map(\.memory.id.description))
        return try found.map { try $0.views.summary($0.memory, shortIDs) }.sorted(by: precedes)
    }

    func showMemory(_ memory: String) async throws -> MemoryView {
        let found = try findMemory(memory)
        return try view(of: found.memory.id, in: found.trip)
    }

    /// The memory that a person means, in any trip.
    func findMemory(_ typed: String) throws -> (memory: ShownEntry, trip: KnownTrip) {
        try findMemory(typed, in: try trips.readableTrips())
    }

    func findMemory(
        _ typed: String, in trips: [KnownTrip]
    ) throws -> (memory: ShownEntry, trip: KnownTrip) {
        // Programs give whole ids, often: then thousands of memories need not be read.
        if let id = bytes(hexadecimal: typed).flatMap({ RecordID(bytes: $0) }) {
            for trip in trips {
                if let memory = try replica.shown(trip.space, Collection.memory, id) {
                    return (memory, trip)
                }
            }
        }
        let all = try trips.flatMap { trip in
            try replica.shown(trip.space, Collection.memory).map { (memory: $0, trip: trip) }
        }
        return try Lookup.find(typed, .memory, among: all) {
            Lookup.Entry(
                id: $0.memory.id.description, name: $0.memory.record.line(Field.title))
        }
    }

    /// A memory as it is shown now.
    func view(
        of memory: RecordID, in trip: KnownTrip, notices: [String] = []
    ) throws -> MemoryView {
        guard let entry = try replica.shown(trip.space, Collection.memory, memory) else {
            throw APIError.unknown(.memory, String(memory.description.prefix(8)))
        }
        return try views(of: trip, memory: memory).view(entry, notices: notices)
    }

    /// Of all memories of the trip, or of one.
    func views(of trip: KnownTrip, memory: RecordID? = nil) throws -> MemoryViews {
        let contents = try TripContents(
            trip, of: self, short: try trips.shortIDs(), memory: memory)
        return MemoryViews(journal: self, contents: contents)
    }

    /// The trip that a filter names, or all of them.
    func searched(_ trip: String?) throws -> [KnownTrip] {
        if let trip { [try trips.findTrip(trip)] } else { try trips.readableTrips() }
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
