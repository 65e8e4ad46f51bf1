package import LocalAPI
internal import Records
internal import SyncCore

/// The bucket list of the home space and of trips.
extension JournalService {
    /// One item where it stands.
    struct BucketItem {
        let space: ReadableSpace
        let entry: ShownEntry

        var id: String { entry.id.description }
        var title: String { entry.record.line(JournalSchema.Field.title) }
        var isDone: Bool { entry.record.value(JournalSchema.Field.done)?.boolean ?? false }
    }

    package func bucketItems(_ scope: ScopeFilter) throws -> [BucketItemView] {
        let items = try items(in: try directory.tripOrOwn(scope.trip))
        let short = ShortIDs(items.map(\.id))
        return items.map { view($0, short) }
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
        try await spaces.write(ChangeSet(operations: [operation]), to: space, .addBucketItem)
        return BucketItemView(
            id: id.description, shortID: ShortIDs.alone(id.description), title: title, done: false,
            trip: space.sharedReference)
    }

    /// Marks the item and every copy of it that this device may write.
    package func finishBucketItem(_ item: String) async throws -> BucketItemView {
        let home = try directory.tripOrOwn(nil)
        let trips = try directory.readableTrips()
        let all = try ([home] + trips).flatMap { try items(in: $0) }
        // A copy in a trip is the same item to a person as the one it was made from.
        let copies = copies(of: all.filter { $0.space.id == home.id }, in: trips)
        let originals = all.filter { copies[$0.entry.id] == nil || $0.space.id == home.id }
        let found = try Lookup.find(item, .bucketItem, among: originals) {
            Lookup.Entry(id: $0.id, name: $0.title)
        }
        for same in all
        where same.id == found.id || copies[same.entry.id] == found.entry.id {
            let isChosen = same.id == found.id && same.space.id == found.space.id
            try await finish(same, isChosen: isChosen)
        }
        let now = try items(in: found.space).first { $0.id == found.id } ?? found
        return view(now, ShortIDs(all.map(\.id)))
    }

    func items(in space: ReadableSpace) throws -> [BucketItem] {
        try shown(space.id, Collection.bucketItem).map { BucketItem(space: space, entry: $0) }
            .sorted { ($0.title, $0.id) < ($1.title, $1.id) }
    }

    /// The item of a trip that a person means; one of the home space is copied there.
    func resolveBucketItem(
        _ typed: String, in trip: ReadableSpace
    ) throws -> (id: RecordID, operations: [RecordOperation]) {
        let home = try directory.tripOrOwn(nil)
        let there = try items(in: trip)
        let known = Set(there.map(\.entry.id))
        let own = try items(in: home).filter {
            !known.contains(JournalID.copy($0.entry.id, Collection.bucketItem, in: trip.id))
        }
        let found = try Lookup.find(typed, .bucketItem, among: there + own) {
            Lookup.Entry(id: $0.id, name: $0.title)
        }
        guard found.space.id == home.id else { return (found.entry.id, []) }
        let copy = JournalID.copy(found.entry.id, Collection.bucketItem, in: trip.id)
        let title = found.entry.record.value(Field.title) ?? .text("")
        let operation = RecordOperation(
            collection: Collection.bucketItem, record: copy,
            writes: [
                .deletion(false), Write(field: Field.title, value: title),
                Write(field: Field.done, value: .boolean(found.isDone)),
            ])
        return (copy, [operation])
    }

    /// By the id of each possible copy in a trip: the item of the person's own space it was made from.
    private func copies(
        of originals: [BucketItem], in trips: [ReadableSpace]
    ) -> [RecordID: RecordID] {
        var copies: [RecordID: RecordID] = [:]
        for trip in trips {
            for original in originals {
                let copy = JournalID.copy(original.entry.id, Collection.bucketItem, in: trip.id)
                copies[copy] = original.entry.id
            }
        }
        return copies
    }

    /// A copy in a trip where this person may only read stays as it is.
    private func finish(_ item: BucketItem, isChosen: Bool) async throws {
        guard isChosen || replica.permissions(in: item.space.id).contains(.write) else { return }
        let key = RecordKey(collection: Collection.bucketItem, record: item.entry.id)
        let writes = try records.writes(
            [(Field.done, .boolean(true))], to: key, in: item.space.id, over: item.entry)
        guard !writes.isEmpty else { return }
        try await spaces.write(
            ChangeSet(operations: [RecordOperation(key, writes)]), to: item.space,
            .changeBucketItem)
    }

    private func view(_ item: BucketItem, _ short: ShortIDs) -> BucketItemView {
        BucketItemView(
            id: item.id, shortID: short[item.id], title: item.title, done: item.isDone,
            trip: item.space.sharedReference)
    }
}
