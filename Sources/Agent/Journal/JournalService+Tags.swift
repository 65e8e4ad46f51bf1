import LocalAPI
import SyncCore

/// Tags of the home space and of trips.
extension JournalService {
    func tags(_ scope: ScopeFilter) async throws -> [TagView] {
        let place = try place(scope.trip)
        return try tagViews(in: place)
    }

    /// A tag that is there already is answered as it is, with the new category if one is given.
    func addTag(_ draft: TagDraft) async throws -> TagView {
        let place = try place(draft.trip)
        let name = try InputCheck.name(draft.name, .tag)
        let categoryName = try draft.category.map { category throws(APIError) in
            try InputCheck.name(category, .category)
        }
        let book = try TagBook(replica: replica, space: place.space)
        let home = try TagBook(replica: replica, space: replica.identity.homeSpace)
        var (id, operations) = book.resolve(name, home: home)
        if let categoryName {
            let category = book.resolve(category: categoryName)
            let isSet = book.tags.contains { $0.id == id && $0.category == category.id }
            operations =
                category.operations + operations
                + (isSet ? [] : [categorise(id, as: category.id)])
        }
        if !operations.isEmpty {
            try await write(ChangeSet(operations: operations), to: place, .addTag)
        }
        let added = try tagViews(in: place).first { $0.id == id.description }
        guard let added else { throw APIError.unknown(.tag, name) }
        return added
    }

    /// The home space, or a trip that a person named.
    enum Place {
        case home(SpaceID)
        case trip(KnownTrip)

        var space: SpaceID {
            switch self {
            case .home(let space): space
            case .trip(let trip): trip.space
            }
        }
    }

    func place(_ trip: String?) throws -> Place {
        if let trip { return .trip(try trips.findTrip(trip)) }
        guard replica.identity.card != nil else { throw APIError.notInitialised }
        return .home(replica.identity.homeSpace)
    }

    func write(
        _ draft: ChangeSet, to place: Place, _ action: Sentence.TripAction
    ) async throws {
        switch place {
        case .home: try await writeHome(draft)
        case .trip(let trip): try await write(draft, to: trip, action)
        }
    }

    func reference(_ place: Place) throws -> Reference? {
        guard case .trip(let trip) = place else { return nil }
        return trips.reference(trip, try trips.shortIDs())
    }

    private func categorise(_ tag: RecordID, as category: RecordID) -> RecordOperation {
        RecordOperation(
            collection: Collection.tag, record: tag,
            writes: [Write(field: Field.category, value: .reference(category))])
    }

    private func tagViews(in place: Place) throws -> [TagView] {
        let book = try TagBook(replica: replica, space: place.space)
        let trip = try reference(place)
        let short = ShortIDs(book.tags.map(\.id.description))
        let uses = try tagUses(in: place)
        return book.tags.map { tag in
            TagView(
                id: tag.id.description, shortID: short[tag.id.description],
                name: ShownText.line(tag.name),
                category: tag.category.flatMap { book.categories[$0] }.map(ShownText.line),
                trip: trip, memoryCount: uses[tag.id] ?? 0)
        }.sorted { ($0.name, $0.id) < ($1.name, $1.id) }
    }

    /// Memories by tag; a tag of the home space counts for its copies in the trips.
    private func tagUses(in place: Place) throws -> [RecordID: Int] {
        switch place {
        case .trip(let trip): return try tagUses(in: trip.space)
        case .home(let home):
            let own = try replica.shown(home, Collection.tag).map(\.id)
            var uses: [RecordID: Int] = [:]
            for trip in try trips.readableTrips() {
                let there = try tagUses(in: trip.space)
                for tag in own {
                    let copy = replica.copyID(of: tag, Collection.tag, in: trip.space)
                    uses[tag, default: 0] += there[copy] ?? 0
                }
            }
            return uses
        }
    }

    private func tagUses(in space: SpaceID) throws -> [RecordID: Int] {
        try replica.shown(space, Collection.memory).reduce(into: [:]) { uses, memory in
            for tag in memory.record.elements(Field.tags).compactMap(\.reference) {
                uses[tag, default: 0] += 1
            }
        }
    }
}
