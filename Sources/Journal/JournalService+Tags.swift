package import LocalAPI
internal import Records
internal import SyncCore

/// Tags of the home space and of trips.
extension JournalService {
    package func tags(_ scope: ScopeFilter) throws -> [TagView] {
        try tagViews(in: try directory.tripOrOwn(scope.trip))
    }

    /// A tag that is there already is answered as it is, with the new category if one is given.
    package func addTag(_ draft: TagDraft) async throws -> TagView {
        let space = try directory.tripOrOwn(draft.trip)
        let name = try InputCheck.name(draft.name, .tag)
        let categoryName = try draft.category.map { category throws(APIError) in
            try InputCheck.name(category, .category)
        }
        let book = try TagBook(self, space.id)
        let home = try TagBook(self, replica.local.homeSpace)
        var (id, operations) = book.resolve(name, home: home)
        if let categoryName {
            let category = book.resolve(category: categoryName)
            let key = RecordKey(collection: Collection.tag, record: id)
            let entry = try records.reader(try records.place(space, Collection.tag)).entry(key)
            let writes = try records.writes(
                [(Field.category, .reference(category.id))], to: key, in: space.id, over: entry)
            operations =
                category.operations + operations
                + (writes.isEmpty ? [] : [RecordOperation(key, writes)])
        }
        try await spaces.write(ChangeSet(operations: operations), to: space, .addTag)
        let added = try tagViews(in: space).first { $0.id == id.description }
        guard let added else { throw APIError.unknown(.tag, name) }
        return added
    }

    private func tagViews(in space: ReadableSpace) throws -> [TagView] {
        let book = try TagBook(self, space.id)
        let short = ShortIDs(book.tags.map(\.id.description))
        let uses = try tagUses(in: space)
        return book.tags.map { tag in
            TagView(
                id: tag.id.description, shortID: short[tag.id.description],
                name: ShownText.line(tag.name),
                category: tag.category.flatMap { book.categories[$0] }.map(ShownText.line),
                trip: space.sharedReference, memoryCount: uses[tag.id] ?? 0)
        }.sorted { ($0.name, $0.id) < ($1.name, $1.id) }
    }

    /// Memories by tag; a tag of the person's own space counts for its copies in the trips.
    private func tagUses(in space: ReadableSpace) throws -> [RecordID: Int] {
        guard space.known == nil else { return try tagUses(in: space.id) }
        let own = try shown(space.id, Collection.tag).map(\.id)
        var uses: [RecordID: Int] = [:]
        for trip in try directory.readableTrips() {
            let there = try tagUses(in: trip.id)
            for tag in own {
                uses[tag, default: 0] +=
                    there[JournalID.copy(tag, Collection.tag, in: trip.id)] ?? 0
            }
        }
        return uses
    }

    private func tagUses(in space: SpaceID) throws -> [RecordID: Int] {
        try shown(space, Collection.memory).reduce(into: [:]) { uses, memory in
            for tag in memory.record.elements(Field.tags).compactMap(\.reference) {
                uses[tag, default: 0] += 1
            }
        }
    }
}
