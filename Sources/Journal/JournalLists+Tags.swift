package import LocalAPI
internal import Records
internal import SyncCore

/// Tags of the home space and of trips.
extension JournalLists {
    package func tags(_ filter: ListFilter) throws -> [TagView] {
        try tagViews(in: try directory.tripOrOwn(filter.trip)).filter {
            filter.retired || $0.retired != true
        }
    }

    /// Returns an existing tag unchanged, except for its category if one is given.
    package func addTag(_ draft: TagDraft) async throws -> TagView {
        let space = try directory.tripOrOwn(draft.trip)
        let name = try InputCheck.name(draft.name, .tag)
        let categoryName = try draft.category.map { category throws(APIError) in
            try InputCheck.name(category, .category)
        }
        let book = try TagBook(journal, space.id)
        let home = try TagBook(journal, replica.local.homeSpace)
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
        try await writer.write(ChangeSet(operations: operations), to: space, .addTag)
        let added = try tagViews(in: space).first { $0.id == id.description }
        guard let added else { throw APIError.unknown(.tag, name) }
        return added
    }

    package func showTag(_ tag: String, _ scope: ScopeFilter) throws -> TagView {
        try view(of: try meant(tag, .tags, in: scope.trip).chosen)
    }

    /// Changes the tag and every copy of it that this person may write.
    package func editTag(_ tag: String, _ changes: TagChanges) async throws -> TagView {
        let name = try changes.name.map { name throws(APIError) in try InputCheck.name(name, .tag) }
        let category = try changes.category.map { category throws(APIError) in
            category.isEmpty ? nil : try InputCheck.name(category, .category)
        }
        guard name != nil || category != nil else { throw APIError.nothingToChange }
        let meant = try meant(tag, .tags, in: changes.trip)
        if let name,
            try entries(.tags, in: meant.chosen.space).contains(where: {
                $0.id != meant.chosen.id && Lookup.areSame($0.name, name)
            })
        {
            throw APIError(
                code: .conflict, sentence: "There is a tag \(Sentence.name(name)) already.",
                hint: """
                    To have one instead of two: \
                    peersync tag merge \(Sentence.quoted(meant.chosen.name)) \(Sentence.quoted(name))
                    """)
        }
        try await change(meant, of: .tags, .changeTag) { entry in
            var (before, values): ([RecordOperation], [(field: String, value: Value)]) = ([], [])
            if let name { values.append((Field.name, .text(name))) }
            switch category {
            case nil: break
            case .some(nil): values.append((Field.category, .null))
            case .some(let category?):
                let found = try TagBook(journal, entry.space.id).resolve(category: category)
                before = found.operations
                values.append((Field.category, .reference(found.id)))
            }
            return (before, values)
        }
        return try view(of: meant.chosen)
    }

    /// Memories with the tag, or a copy of it, get the other one.
    package func mergeTag(_ tag: String, _ merge: MergeDraft) async throws -> TagView {
        let home = try TagBook(journal, replica.local.homeSpace)
        let stays = try await self.merge(tag, merge, of: .tags, through: Field.tags) {
            other, trip in
            try TagBook(journal, trip.id).resolve(other.name, home: home)
        }
        return try view(of: stays)
    }

    /// Removes the tag from all memories. Returns the tag as it was.
    package func deleteTag(_ tag: String, _ scope: ScopeFilter) async throws -> TagView {
        let meant = try meant(tag, .tags, in: scope.trip)
        let before = try view(of: meant.chosen)
        try await delete(meant, of: .tags)
        return before
    }

    private func view(of tag: NamedEntry) throws -> TagView {
        let view = try tagViews(in: tag.space).first { $0.id == tag.id.description }
        guard let view else { throw APIError.unknown(.tag, tag.name) }
        return view
    }

    private func tagViews(in space: ReadableSpace) throws -> [TagView] {
        let book = try TagBook(journal, space.id)
        let short = ShortIDs(book.tags.map(\.id.description))
        let uses = try tagUses(of: book.tags.map(\.id), in: space)
        let retired = try retired(.tags, in: space)
        return book.tags.map { tag in
            TagView(
                id: tag.id.description, shortID: short[tag.id.description],
                name: ShownText.line(tag.name),
                category: tag.category.flatMap { book.categories[$0] }.map(ShownText.line),
                trip: space.sharedReference, memoryCount: uses[tag.id] ?? 0,
                retired: retired.contains(tag.id) ? true : nil)
        }.sorted { ($0.name, $0.id) < ($1.name, $1.id) }
    }

    /// Memories by tag; a tag of the person's own space counts for its copies in the trips.
    private func tagUses(
        of tags: [RecordID], in space: ReadableSpace
    ) throws -> [RecordID: Int] {
        guard space.known == nil else { return try tagUses(of: Set(tags), in: space.id) }
        var uses: [RecordID: Int] = [:]
        for trip in try directory.readable().filter(\.isTrip) {
            let copies = Dictionary(
                uniqueKeysWithValues: tags.map {
                    (JournalID.copy($0, Collection.tag, in: trip.id), $0)
                })
            for (copy, count) in try tagUses(of: Set(copies.keys), in: trip.id) {
                if let tag = copies[copy] { uses[tag, default: 0] += count }
            }
        }
        return uses
    }

    private func tagUses(of tags: Set<RecordID>, in space: SpaceID) throws -> [RecordID: Int] {
        guard let schema = replica.schema(of: space) else { return [:] }
        let reader = RecordReader(replica, space, schema)
        return try MemorySearch.memories(carrying: tags, in: reader).reduce(into: [:]) {
            uses, memory in
            for tag in memory.record.elements(Field.tags).compactMap(\.reference)
            where tags.contains(tag) {
                uses[tag, default: 0] += 1
            }
        }
    }
}
