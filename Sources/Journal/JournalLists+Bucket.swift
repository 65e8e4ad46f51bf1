package import LocalAPI
internal import Records
internal import SyncCore

/// The bucket list of the home space and of trips.
extension JournalLists {
    package func bucketItems(_ filter: ListFilter) throws -> [BucketItemView] {
        let space = try directory.tripOrOwn(filter.trip)
        let items = try entries(.bucketItems, in: space)
        let short = ShortIDs(items.map(\.id.description))
        let retired = try retired(.bucketItems, in: space)
        return items.filter { filter.retired || !retired.contains($0.id) }
            .map { view($0, short, isRetired: retired.contains($0.id)) }
    }

    package func addBucketItem(_ draft: BucketItemDraft) async throws -> BucketItemView {
        let space = try directory.tripOrOwn(draft.trip)
        let title = try InputCheck.name(draft.title, .bucketItem)
        let id = replica.newRecordID(in: space.id)
        let operation = RecordOperation(
            collection: Collection.bucketItem, record: id,
            writes: [
                Write(field: Field.title, value: .text(title)),
                Write(field: Field.done, value: .boolean(false)),
            ])
        try await writer.write(ChangeSet(operations: [operation]), to: space, .addBucketItem)
        return BucketItemView(
            id: id.description, shortID: ShortIDs.alone(id.description), title: title, done: false,
            trip: space.sharedReference)
    }

    package func showBucketItem(_ item: String, _ scope: ScopeFilter) throws -> BucketItemView {
        let item = try meant(item, .bucketItems, in: scope.trip).chosen
        let retired = try retired(.bucketItems, in: item.space)
        return view(item, isRetired: retired.contains(item.id))
    }

    /// Marks the item and every copy of it that this person may write.
    package func finishBucketItem(_ item: String) async throws -> BucketItemView {
        try await editBucketItem(item, BucketItemChanges(done: true))
    }

    /// Changes the item and every copy of it that this person may write.
    package func editBucketItem(
        _ item: String, _ changes: BucketItemChanges
    ) async throws -> BucketItemView {
        var values: [(field: String, value: Value)] = []
        if let title = changes.title {
            values.append((Field.title, .text(try InputCheck.name(title, .bucketItem))))
        }
        if let done = changes.done { values.append((Field.done, .boolean(done))) }
        guard !values.isEmpty else { throw APIError.nothingToChange }
        let meant = try meant(item, .bucketItems, in: changes.trip)
        try await change(meant, of: .bucketItems, .changeBucketItem) { _ in ([], values) }
        return try view(now: meant.chosen)
    }

    /// Memories of the item, and of its copies, are memories of the other one afterwards.
    package func mergeBucketItem(_ item: String, _ merge: MergeDraft) async throws -> BucketItemView
    {
        view(
            try await self.merge(item, merge, of: .bucketItems, through: Field.bucketItem) {
                other, trip in
                let copy = copy(of: other, in: trip)
                let isThere = try entries(.bucketItems, in: trip).contains { $0.id == copy.record }
                return (copy.record, isThere ? [] : [copy])
            })
    }

    /// Returns the item as it was.
    package func deleteBucketItem(
        _ item: String, _ scope: ScopeFilter
    ) async throws -> BucketItemView {
        let meant = try meant(item, .bucketItems, in: scope.trip)
        try await delete(meant, of: .bucketItems)
        return view(meant.chosen)
    }

    /// The item of a trip that a person means; one of the home space is copied there.
    func resolveBucketItem(
        _ typed: String, in trip: ReadableSpace
    ) throws -> (id: RecordID, operations: [RecordOperation]) {
        let home = try directory.tripOrOwn(nil)
        let there = try entries(.bucketItems, in: trip)
        let known = Set(there.map(\.id))
        let own = try entries(.bucketItems, in: home).filter {
            !known.contains(JournalID.copy($0.id, Collection.bucketItem, in: trip.id))
        }
        let found = try Lookup.find(typed, .bucketItem, among: there + own, by: \.lookupEntry)
        guard found.space.id == home.id else { return (found.id, []) }
        let copy = copy(of: found, in: trip)
        return (copy.record, [copy])
    }

    /// The item of this trip that corresponds to an item of another one: the one with the same title here
    /// or in the home space, or a new one.
    func counterpart(
        of entry: ShownEntry, from source: ReadableSpace, in trip: ReadableSpace
    ) throws -> (id: RecordID, operations: [RecordOperation]) {
        let item = NamedEntry(space: source, entry: entry, name: entry.record.line(Field.title))
        func alike(_ space: ReadableSpace) throws -> NamedEntry? {
            try entries(.bucketItems, in: space).first { Lookup.areSame($0.name, item.name) }
        }
        if let there = try alike(trip) { return (there.id, []) }
        if let own = try alike(directory.tripOrOwn(nil)) {
            let copy = copy(of: own, in: trip)
            return (copy.record, [copy])
        }
        let id = replica.newRecordID(in: trip.id)
        let new = copy(of: item, in: trip)
        return (
            id, [RecordOperation(collection: new.collection, record: id, writes: new.writes)]
        )
    }

    /// The operation that copies an item of the home space into a trip.
    private func copy(of item: NamedEntry, in trip: ReadableSpace) -> RecordOperation {
        RecordOperation(
            collection: Collection.bucketItem,
            record: JournalID.copy(item.id, Collection.bucketItem, in: trip.id),
            writes: [
                .deletion(false),
                Write(
                    field: Field.title, value: item.entry.record.value(Field.title) ?? .text("")),
                Write(field: Field.done, value: .boolean(item.isDone)),
            ])
    }

    private func view(now item: NamedEntry) throws -> BucketItemView {
        view(try entries(.bucketItems, in: item.space).first { $0.id == item.id } ?? item)
    }

    private func view(
        _ item: NamedEntry, _ short: ShortIDs? = nil, isRetired: Bool = false
    ) -> BucketItemView {
        let id = item.id.description
        return BucketItemView(
            id: id, shortID: short?[id] ?? ShortIDs.alone(id), title: item.name, done: item.isDone,
            trip: item.space.sharedReference, retired: isRetired ? true : nil)
    }
}

extension NamedEntry {
    fileprivate var isDone: Bool {
        entry.record.value(JournalSchema.Field.done)?.boolean ?? false
    }
}
