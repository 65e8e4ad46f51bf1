package import LocalAPI
package import Store
package import SyncCore

/// Recently deleted spaces and records of all spaces, to be restored. A record that was deleted with
/// another one comes back with it, and is not listed itself.
package struct BinService: Sendable {
    /// An entry of the bin, and how to restore it.
    private struct Item {
        var view: BinItemView
        /// Nil for a space.
        let record: Record?

        var lookupEntry: Lookup.Entry { Lookup.Entry(id: view.id, name: view.name) }
    }

    private struct Record {
        let entry: ShownEntry
        let place: RecordService.Place
        let reader: RecordReader
    }

    private let replica: any Replica
    private let records: RecordService

    package init(_ replica: any Replica) {
        self.replica = replica
        records = RecordService(replica)
    }

    /// The setting for how many days the bin shows deleted things.
    package static let daysSetting = "bin.days"

    /// The number of days in a text; nil when it is invalid.
    package static func days(_ text: String) -> Int? {
        Int(text).flatMap { (1...Limits.binDaysAtMost).contains($0) ? $0 : nil }
    }

    /// The setting that says what becomes of files after these days, and its values.
    package static let filesSetting = "bin.files"
    package static let keep = "keep"
    package static let free = "free"

    package static func freesFiles(_ store: SyncStore) throws -> Bool {
        try store.settings.value(of: filesSetting) == free
    }

    package func days() throws -> Int {
        try replica.store.settings.value(of: BinService.daysSetting).flatMap(BinService.days)
            ?? Limits.binDays
    }

    /// The latest first.
    package func items(_ filter: BinFilter) throws -> [BinItemView] {
        let views = try replica.snapshot {
            let (freeable, days) = (FreeableFiles(replica), try days())
            return try found(filter).map { item in
                var view = item.view
                view.files = try files(of: item, freeable, days: days)
                return view
            }
        }
        let short = ShortIDs(views.map(\.id))
        return views.map { view in
            var view = view
            view.shortID = short[view.id]
            return view
        }
    }

    /// Restores the meant thing for everybody, together with everything that was deleted with it.
    package func restore(_ typed: String, _ filter: BinFilter) async throws -> BinItemView {
        let items = try replica.snapshot { try found(filter) }
        var item = try Lookup.find(typed, .deleted, among: items, by: \.lookupEntry)
        item.view.files = try files(of: item, FreeableFiles(replica), days: days())
        if let record = item.record {
            try await records.restore(
                record.entry, in: record.place, record.reader, .changeRecords)
        } else {
            _ = try await SpaceService(records.replica).restore(item.view.id, as: .space)
        }
        return item.view
    }

    /// The space that a person names, to free files of it.
    package func space(_ typed: String) throws -> SpaceID {
        let directory = records.directory
        do {
            return try directory.readable(typed).id
        } catch {
            return try directory.readable(typed, among: .deleted, as: .space).id
        }
    }

    private func files(
        of item: Item, _ freeable: FreeableFiles, days: Int
    ) throws -> BinFiles? {
        let deleted: [FreeableFiles.File]
        if let record = item.record {
            let key = record.place.key(record.entry.id)
            let keys = Set([key] + (try record.reader.parts(of: key).map(\.key)))
            deleted = try freeable.named(by: keys, in: record.place.space.id)
        } else {
            deleted = try SpaceID(hexadecimal: item.view.id).map { try freeable.all(in: $0) } ?? []
        }
        var files = BinFiles()
        var waiting: Set<DeviceID> = []
        var latest: Milliseconds?
        var freed = Milliseconds(0)
        for file in deleted {
            let verdict = file.release.verdict(days: days, at: replica.now)
            if verdict != .absent {
                files.here += file.count
                files.bytes += Int64(clamping: file.size)
            } else if let freedAt = file.freedAt {
                files.freed += file.count
                freed = max(freed, freedAt)
            }
            switch verdict {
            case .later(let time): latest = max(time, latest ?? time)
            case .waits(let devices): waiting.formUnion(devices)
            case .free, .absent, .needed: break
            }
        }
        files.freedAt = files.freed > 0 ? Moment(freed) : nil
        if try BinService.freesFiles(replica.store) { files.freeableAt = latest.map { Moment($0) } }
        files.waitingFor = waiting.sorted().map { replica.reference($0) }
        return files.here + files.freed == 0 ? nil : files
    }

    private func found(_ filter: BinFilter) throws -> [Item] {
        let directory = records.directory
        let oldest =
            filter.all
            ? Int64.min : Int64(clamping: replica.now.value) - Int64(try days()) * 86_400_000
        var items: [Item] = []
        if filter.space == nil {
            items += try SpaceService(records.replica).deleted().compactMap { space in
                space.deletion.map { Item(view: BinItemView(space, $0), record: nil) }
            }
        }
        let spaces = try filter.space.map { [try directory.readable($0)] } ?? directory.readable()
        for space in spaces { items += try deleted(in: space) }
        return items.filter { $0.view.deleted.milliseconds >= oldest }
            .sorted {
                ($1.view.deleted.milliseconds, $0.view.id)
                    < ($0.view.deleted.milliseconds, $1.view.id)
            }
    }

    private func deleted(in space: ReadableSpace) throws -> [Item] {
        guard let schema = replica.schema(of: space.id) else { return [] }
        let reader = RecordReader(replica, space.id, schema)
        return try schema.ownCollections.flatMap { collection in
            let deleted = try replica.store.records.deleted(of: space.id, in: collection.name)
            return try reader.entries(deleted, in: collection.name).compactMap { entry -> Item? in
                let key = RecordKey(collection: collection.name, record: entry.id)
                guard try reader.presence(key) == .deleted,
                    try !isGoneWithOwner(entry, collection.name, reader),
                    let deletion = entry.state.fields[Write.existence]?.latest
                else { return nil }
                return Item(
                    view: BinItemView(
                        id: entry.id.description,
                        kind: replica.schemas.noun(
                            of: collection.name, entry.record, in: schema),
                        name: reader.title(entry.record, in: collection.name),
                        space: space.sharedReference, by: reader.author(of: deletion),
                        deleted: Moment(deletion.clock),
                        parts: try partsComing(with: key, reader)),
                    record: Record(
                        entry: entry,
                        place: RecordService.Place(
                            space: space, schema: schema, collection: collection), reader: reader))
            }
        }
    }

    /// Whether the owner of a record is not shown either.
    private func isGoneWithOwner(
        _ entry: ShownEntry, _ collection: String, _ reader: RecordReader
    ) throws -> Bool {
        guard let owner = reader.owner(of: entry, collection) else { return false }
        return try !reader.presence(owner).isShown
    }

    /// How many records come back with a deleted one.
    private func partsComing(with key: RecordKey, _ reader: RecordReader) throws -> Int {
        let restored = Set(try reader.restored(with: key))
        return try reader.parts(of: key).count {
            restored.contains($0.key) || !$0.entry.record.isDeleted
        }
    }
}

extension BinItemView {
    fileprivate init(_ space: TripView, _ deletion: DeletionView) {
        self.init(
            id: space.id, kind: space.isTrip ? "trip" : "space", name: space.name, space: nil,
            by: deletion.by, deleted: deletion.at, parts: 0)
    }
}

extension Limits {
    /// Days for which the bin shows deleted things by default.
    package static let binDays = 30
    /// The largest possible setting: ten years.
    package static let binDaysAtMost = 3650
}
