import LocalAPI
import SyncCore

/// The bucket list of the home space and of trips.
extension JournalService {
    /// One item where it stands.
    struct BucketItem {
        let place: Place
        let entry: ShownEntry

        var id: String { entry.id.description }
        var title: String { entry.record.line(JournalSchema.Field.title) }
        var isDone: Bool { entry.record.value(JournalSchema.Field.done)?.boolean ?? false }
    }

    func bucketItems(_ scope: ScopeFilter) async throws -> [BucketItemView] {
        let items = try items(in: try place(scope.trip))
        let short = ShortIDs(items.map(\.id))
        return try items.map { try view($0, short) }
    }

    func addBucketItem(_ draft: BucketItemDraft) async throws -> BucketItemView {
        let place = try place(draft.trip)
        let title = try InputCheck.name(draft.title, .bucketItem)
        let id = replica.newRecordID()
        let operation = RecordOperation(
            collection: Collection.bucketItem, record: id,
            writes: [
                Write(field: Field.title, value: .text(title)),
                Write(field: Field.done, value: .boolean(false)),
            ])
        try await write(ChangeSet(operations: [operation]), to: place, .addBucketItem)
        return BucketItemView(
            id: id.description, shortID: ShortIDs([])[id.description], title: title, done: false,
            trip: try reference(place))
    }

    /// Marks the item and every copy of it that this device may write.
    func finishBucketItem(_ item: String) async throws -> BucketItemView {
        let home = try place(nil)
        let places = [home] + (try trips.readableTrips().map { Place.trip($0) })
        let all = try places.flatMap { try items(in: $0) }
        // A copy in a trip is the same item to a person as the one it was made from.
        let copies = copies(of: all.filter { $0.place.space == home.space }, in: places)
        let originals = all.filter { copies[$0.entry.id] == nil || $0.place.space == home.space }
        let found = try Lookup.find(item, .bucketItem, among: originals) {
            Lookup.Entry(id: $0.id, name: $0.title)
        }
        for same in all
        where !same.isDone && (same.id == found.id || copies[same.entry.id] == found.entry.id) {
            let isChosen = same.id == found.id && same.place.space == found.place.space
            try await finish(same, isChosen: isChosen)
        }
        let now = try items(in: found.place).first { $0.id == found.id } ?? found
        return try view(now, ShortIDs(all.map(\.id)))
    }

    func items(in place: Place) throws -> [BucketItem] {
        try replica.shown(place.space, Collection.bucketItem)
            .map { BucketItem(place: place, entry: $0) }
            .sorted { ($0.title, $0.id) < ($1.title, $1.id) }
    }

    /// The item of a trip that a person means; one of the home space is copied there.
    func resolveBucketItem(
        _ typed: String, in trip: KnownTrip
    ) throws -> (id: RecordID, operations: [RecordOperation]) {
        let home = try place(nil)
        let there = try items(in: .trip(trip))
        let known = Set(there.map(\.entry.id))
        let own = try items(in: home).filter {
            !known.contains(replica.copyID(of: $0.entry.id, Collection.bucketItem, in: trip.space))
        }
        let found = try Lookup.find(typed, .bucketItem, among: there + own) {
            Lookup.Entry(id: $0.id, name: $0.title)
        }
        guard found.place.space == home.space else { return (found.entry.id, []) }
        let copy = replica.copyID(of: found.entry.id, Collection.bucketItem, in: trip.space)
        let title = found.entry.record.value(Field.title) ?? .text("")
        let operation = RecordOperation(
            collection: Collection.bucketItem, record: copy,
            writes: [
                .deletion(false), Write(field: Field.title, value: title),
                Write(field: Field.done, value: .boolean(found.isDone)),
            ])
        return (copy, [operation])
    }

    /// By the id of each possible copy in a trip: the item of the home space it was made from.
    private func copies(
        of originals: [BucketItem], in places: [Place]
    ) -> [RecordID: RecordID] {
        var copies: [RecordID: RecordID] = [:]
        for case .trip(let trip) in places {
            for original in originals {
                let copy = replica.copyID(
                    of: original.entry.id, Collection.bucketItem, in: trip.space)
                copies[copy] = original.entry.id
            }
        }
        return copies
    }

    /// A copy in a trip where this person may only read stays as it is.
    private func finish(_ item: BucketItem, isChosen: Bool) async throws {
        if !isChosen, case .trip(let trip) = item.place,
            !permissions(in: trip).contains(.write)
        {
            return
        }
        let write = Write(
            field: Field.done, value: .boolean(true),
            replaces: item.entry.record.writes(Field.done))
        let operation = RecordOperation(
            collection: Collection.bucketItem, record: item.entry.id, writes: [write])
        try await self.write(
            ChangeSet(operations: [operation]), to: item.place, .changeBucketItem)
    }

    private func view(_ item: BucketItem, _ short: ShortIDs) throws -> BucketItemView {
        BucketItemView(
            id: item.id, shortID: short[item.id], title: item.title, done: item.isDone,
            trip: try reference(item.place))
    }
}
