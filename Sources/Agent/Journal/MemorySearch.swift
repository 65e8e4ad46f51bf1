import LocalAPI
import Store
import SyncCore

/// Which memories a filter lets through; made once for one list.
struct MemorySearch {
    typealias Collection = JournalSchema.Collection
    typealias Field = JournalSchema.Field

    /// A record of one space.
    struct Place: Hashable {
        let space: SpaceID
        let record: RecordID
    }

    private let filter: MemoryFilter
    /// Tags by the name or id the filter gives; nil when it names none.
    private let tags: Set<Place>?
    /// Memories and tags whose text fits; nil when the filter has no text.
    private let found: (memories: Set<Place>, tags: Set<Place>)?

    init(_ filter: MemoryFilter, of replica: AgentNode, in trips: [KnownTrip]) throws {
        if let near = filter.near { try InputCheck.near(near) }
        self.filter = filter
        tags = try filter.tag.map { try MemorySearch.tags($0, of: replica, in: trips) }
        found = try filter.text.map { text in
            var memories: Set<Place> = []
            var tags: Set<Place> = []
            let space = trips.count == 1 ? trips.first?.space : nil
            for hit in try replica.search(text, in: space) {
                let place = Place(space: hit.space, record: hit.record)
                switch hit.collection {
                case Collection.memory: memories.insert(place)
                case Collection.tag: tags.insert(place)
                default: continue
                }
            }
            return (memories, tags)
        }
    }

    func admits(_ memory: ShownEntry, in space: SpaceID) -> Bool {
        isInTime(memory) && isNear(memory) && hasTag(memory, space) && hasText(memory, space)
    }

    private func isInTime(_ memory: ShownEntry) -> Bool {
        guard filter.since != nil || filter.until != nil else { return true }
        guard let at = memory.record.value(Field.at)?.time?.milliseconds else { return false }
        return at >= filter.since?.milliseconds ?? .min
            && at < filter.until?.milliseconds ?? .max
    }

    private func isNear(_ memory: ShownEntry) -> Bool {
        guard let near = filter.near else { return true }
        guard let position = Position(memory.record.value(Field.position)?.position) else {
            return false
        }
        return position.distance(latitude: near.latitude, longitude: near.longitude)
            <= near.radius
    }

    private func hasTag(_ memory: ShownEntry, _ space: SpaceID) -> Bool {
        guard let tags else { return true }
        return carries(memory, space, tags)
    }

    private func hasText(_ memory: ShownEntry, _ space: SpaceID) -> Bool {
        guard let found else { return true }
        return found.memories.contains(Place(space: space, record: memory.id))
            || carries(memory, space, found.tags)
    }

    private func carries(_ memory: ShownEntry, _ space: SpaceID, _ tags: Set<Place>) -> Bool {
        memory.record.elements(Field.tags).contains { element in
            element.reference.map { tags.contains(Place(space: space, record: $0)) } ?? false
        }
    }

    /// Every tag of the name, in all trips; a name that no trip and not the home space knows is a
    /// typing error.
    private static func tags(
        _ typed: String, of replica: AgentNode, in trips: [KnownTrip]
    ) throws -> Set<Place> {
        guard !NameFolding.fold(typed).isEmpty else { throw APIError.emptyName }
        var places: Set<Place> = []
        for trip in trips {
            let book = try TagBook(replica: replica, space: trip.space)
            var named = book.named(typed)
            if named.isEmpty {
                let entries = book.tags.map { Lookup.Entry(id: $0.id.description, name: $0.name) }
                named = Lookup.matches(typed, among: entries).map { book.tags[$0] }
            }
            for tag in named { places.insert(Place(space: trip.space, record: tag.id)) }
        }
        guard places.isEmpty else { return places }
        let home = replica.identity.homeSpace
        guard replica.identity.card != nil,
            try !TagBook(replica: replica, space: home).named(typed).isEmpty
        else { throw APIError.unknown(.tag, ShownText.line(typed)) }
        return []
    }
}
