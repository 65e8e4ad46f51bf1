internal import LocalAPI
internal import Store
internal import SyncCore

/// The part of a space that a full reset for one person copies into a new one: history and the records that
/// it needs.
struct DataSetCopyPlan {
    let history: KeptHistory
    /// Without rows of the set, which are loaded again.
    let records: [CopiedRecord]
    /// Files that the records name; all of them are here.
    let files: [NamedBlob]
    /// Records by collection that stay behind.
    let left: [String: Int]
    let retired: [DataSetLevel: DataSetRows]
    /// The fields of the space's record, apart from its name.
    let profile: [(field: FieldSchema, value: Value)]

    private let schema: Schema
    private let space: SpaceID
    /// By record, the keys of rows: of the set, and of needed ones that left it.
    private let keys: [RecordKey: String]
    /// Values that only this device has.
    private let local: [RecordKey: [(field: FieldSchema, value: Value)]]

    /// Throws ``APIError`` where a file of history is unreadable here.
    init(
        _ set: DataSet, keeping collections: [String], over marks: [AppliedSets.Mark],
        _ values: DataSetValues, _ reader: RecordReader, of space: ReadableSpace
    ) throws {
        (schema, self.space) = (reader.schema, reader.space)
        let history = try KeptHistory(collections, reader)
        self.history = history
        retired = history.retired(from: marks, of: set, values)
        let rows = set.levels.map(\.rows.cells)
        var keys: [RecordKey: String] = [:]
        for (collection, cells) in (rows + retired.values).flatMap({ $0 }) {
            for key in cells.keys { keys[values.record(key, in: collection)] = key }
        }
        self.keys = keys
        let title = schema.titleRecord(in: reader.space)
        let loaded = values.records(in: set).union([title])
        left = try DataSetCopyPlan.left(by: history, loaded, reader)
        let copied = try DataSetCopyPlan.copied(history, except: loaded, reader)
        files = try DataSetCopyPlan.files(of: copied, reader, called: space.name)
        let here = Set(files.map(\.blob))
        records = copied.compactMap { $0.without(filesExcept: here) }
        local = try DataSetCopyPlan.local(of: Set(records.map(\.key)), reader)
        profile =
            try reader.entry(title).map { entry in
                (reader.schema.collection(title.collection)?.fields ?? []).compactMap { field in
                    guard field.name != "name" else { return nil }
                    return entry.record.value(field.name).map { (field, $0) }
                }
            } ?? []
    }

    // MARK: The present space

    private static func left(
        by history: KeptHistory, _ others: Set<RecordKey>, _ reader: RecordReader
    ) throws -> [String: Int] {
        try reader.schema.ownCollections.reduce(into: [:]) { left, collection in
            let count = try reader.shown(in: collection.name).count { entry in
                let key = RecordKey(collection: collection.name, record: entry.id)
                return history.entries[key] == nil && !others.contains(key)
            }
            if count > 0 { left[collection.name] = count }
        }
    }

    private static func copied(
        _ history: KeptHistory, except loaded: Set<RecordKey>, _ reader: RecordReader
    ) throws -> [CopiedRecord] {
        let service = RecordService(reader.replica)
        let byCollection = Dictionary(grouping: history.entries.keys, by: \.collection)
        // Records refer to earlier collections.
        return try reader.schema.ownCollections.flatMap { collection in
            try (byCollection[collection.name] ?? []).filter { !loaded.contains($0) }
                .sorted { $0.record < $1.record }.compactMap { key in
                    guard let entry = history.entries[key] else { return nil }
                    let fields = collection.fields.filter { !$0.isLocal }
                    var record = try CopiedRecord(key, entry, fields, reader, service)
                    record.ofSet = Set(fields.filter { entry.isOfSet($0) }.map(\.name))
                    return record
                }
        }
    }

    private static func files(
        of records: [CopiedRecord], _ reader: RecordReader, called name: String
    ) throws -> [NamedBlob] {
        let replica = reader.replica
        var files: [BlobID: NamedBlob] = [:]
        var missing: Set<BlobID> = []
        for (field, value) in records.flatMap(\.values) {
            guard case .blob(let kind) = field.type, let blob = value.blob, files[blob] == nil
            else { continue }
            switch try replica.form(of: blob, in: reader.space) {
            case .plain, .encrypted:
                let size = try replica.store.files.blob(blob)?.size ?? 0
                files[blob] = NamedBlob(blob: blob, size: size, kind: kind)
            case .missing, .closed:
                if kind != .thumbnail { missing.insert(blob) }
            }
        }
        guard missing.isEmpty else {
            throw APIError(
                code: .notHere,
                sentence: """
                    History in \(Sentence.name(name)) has \
                    \(Sentence.count(missing.count, "file that cannot be read", "files that cannot be read")) on this device. \
                    Nothing was changed.
                    """,
                hint: "Fetch what devices in reach have: peersync sync")
        }
        return files.values.sorted { $0.blob < $1.blob }
    }

    private static func local(
        of records: Set<RecordKey>, _ reader: RecordReader
    ) throws -> [RecordKey: [(field: FieldSchema, value: Value)]] {
        var local: [RecordKey: [(field: FieldSchema, value: Value)]] = [:]
        for collection in reader.schema.ownCollections {
            for (record, values) in try RecordViews.local(
                in: collection, of: reader.space, reader.replica)
            {
                let key = RecordKey(collection: collection.name, record: record)
                guard records.contains(key) else { continue }
                local[key] = collection.fields.compactMap { field in
                    values[field.name].map { (field, $0) }
                }
            }
        }
        return local
    }

    // MARK: The new space

    /// Records get ids that are derived from the old ones, so that copying can be continued after a stop;
    /// rows get those of the set.
    func copying(
        to new: SpaceID, _ values: DataSetValues, _ files: [BlobID: NamedBlob],
        _ replica: any Replica
    ) -> RecordCopying {
        var ids: [RecordKey: RecordID] = [:]
        for record in records {
            let id = RecordID.derived(
                space: new, collection: record.key.collection, source: record.key.record.bytes)
            ids[record.key] = .made(by: replica.local.person, in: new, from: id.bytes)
        }
        for (record, key) in keys {
            ids[record] = values.record(key, in: record.collection).record
        }
        ids[schema.titleRecord(in: space)] = schema.titleRecord(in: new).record
        return RecordCopying(records, to: new, under: schema, ids, files, replica)
    }

    /// Values for this device alone in the new space.
    func local(by copying: RecordCopying) -> [RecordKey: [String: Value]] {
        local.reduce(into: [:]) { found, entry in
            guard let id = copying.ids[entry.key] else { return }
            let values = entry.value.compactMap { field, value in
                copying.mapped(value, field.type).map { (field.name, $0) }
            }
            found[RecordKey(collection: entry.key.collection, record: id)] = Dictionary(values) {
                first, _ in first
            }
        }
    }
}

extension ShownEntry {
    /// Whether only data sets wrote a field.
    fileprivate func isOfSet(_ field: FieldSchema) -> Bool {
        guard case .set = field.type else { return state.fields[field.name]?.isOfSet ?? false }
        return state.sets[field.name]?.values.allSatisfy(\.isOfSet) ?? false
    }
}
