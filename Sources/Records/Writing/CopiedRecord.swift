internal import LocalAPI
internal import Store
internal import SyncCore

/// A record that is copied into another space, from an archive or a space. Its references and files are
/// those of its origin.
struct CopiedRecord: Sendable {
    let key: RecordKey
    let values: [(field: FieldSchema, value: Value)]
    let elements: [(field: FieldSchema, element: Value)]
    /// The last author, and the time.
    let author: String
    let changed: TimeValue
    /// Fields that only data sets wrote.
    var ofSet: Set<String> = []

    var blobs: [BlobID] { values.compactMap(\.value.blob) }

    /// Its writes in the other space, with the ids and files there; drops references without a counterpart.
    /// A record without any value is made, like a restored one, by writing that it is not deleted.
    func writes(
        _ ids: [RecordKey: RecordID], _ files: [BlobID: NamedBlob],
        precedence: UInt32 = Precedence.user.rawValue, restoring: Bool = false
    ) -> [Write] {
        func write(_ field: FieldSchema, _ value: Value, of element: Value? = nil) -> Write {
            let isOfSet = ofSet.contains(field.name)
            return Write(
                field: field.name, element: element, value: value,
                precedence: isOfSet ? Precedence.dataSet.rawValue : precedence)
        }
        var writes = values.compactMap { field, value in
            value.copied(field.type, ids, files).map { write(field, $0) }
        }
        writes += elements.compactMap { field, element in
            guard case .set(let type) = field.type else { return nil }
            return element.copied(type, ids, files).map { write(field, .boolean(true), of: $0) }
        }
        if restoring || writes.isEmpty {
            var deletion = Write.deletion(false)
            deletion.precedence = precedence
            writes.insert(deletion, at: 0)
        }
        return writes
    }

    /// The record of its former author and time.
    func origin(at key: RecordKey, in space: SpaceID) -> RecordOperation {
        RecordOperation(
            Schema.origin(of: key, in: space),
            [
                Write(field: Schema.Origin.author, value: .text(author)),
                Write(field: Schema.Origin.written, value: .time(changed)),
            ])
    }

    /// Nil if its file is missing; drops a missing thumbnail.
    func without(filesExcept here: Set<BlobID>) -> CopiedRecord? {
        var kept: [(field: FieldSchema, value: Value)] = []
        for (field, value) in values {
            if let blob = value.blob, !here.contains(blob) {
                guard case .blob(.thumbnail) = field.type else { return nil }
            } else {
                kept.append((field, value))
            }
        }
        return CopiedRecord(
            key: key, values: kept, elements: elements, author: author, changed: changed,
            ofSet: ofSet)
    }
}

extension CopiedRecord {
    /// Some fields of a record as its space shows it. A record that was copied before keeps its first
    /// author.
    init(
        _ key: RecordKey, _ entry: ShownEntry, _ fields: [FieldSchema], _ reader: RecordReader,
        _ service: RecordService
    ) throws {
        let last = reader.lastChange(of: entry.state)
        let origin = try service.origin(of: key, in: reader.space)
        self.init(
            key: key,
            values: fields.compactMap { field in
                entry.record.value(field.name).map { (field, $0) }
            },
            elements: fields.flatMap { field in
                entry.record.elements(field.name).map { (field, $0) }
            }, author: origin?.author ?? last.author.name,
            changed: (origin?.written ?? last.at).value)
    }
}

/// Copies records into a space that their writer has just made.
///
/// The former author and time of each are kept beside it as a record of ``Schema/origin``.
struct RecordCopying {
    let space: SpaceID
    /// The new ids, by the former records.
    private(set) var ids: [RecordKey: RecordID]
    /// The new files, by the former ones; others are left out.
    private let files: [BlobID: NamedBlob]
    /// The precedence of values by people.
    private let precedence: UInt32

    init(
        _ records: [CopiedRecord], to space: SpaceID, under schema: Schema,
        _ ids: [RecordKey: RecordID], _ files: [BlobID: NamedBlob], _ replica: any Replica
    ) {
        (self.space, self.ids, self.files) = (space, ids, files)
        precedence = max(Precedence.user.rawValue, replica.precedence(in: space))
        guard schema.isJournal else { return }
        let (adder, membership) = (replica.local.person, replica.membership(of: space))
        for record in records {
            // Records that every device makes under one id get that id.
            let operation = RecordOperation(record.key, record.writes(self.ids, files))
            if let id = replica.schemas.builtIn.derivedID(operation, space, adder, membership) {
                self.ids[record.key] = id
            }
        }
    }

    /// Adds a record and its origin; `restoring` also undeletes it. False when it does not fit into a
    /// commit.
    func add(
        _ record: CopiedRecord, to batches: inout RecordBatches, restoring: Bool = false
    ) -> Bool {
        guard let id = ids[record.key] else { return true }
        let key = RecordKey(collection: record.key.collection, record: id)
        let writes = record.writes(ids, files, precedence: precedence, restoring: restoring)
        return batches.add(
            RecordOperation(key, writes), record.blobs.compactMap { files[$0] })
            && batches.add(record.origin(at: key, in: space), [])
    }

    /// The copy of a record; nil when nothing was written.
    func entry(_ record: CopiedRecord, _ reader: RecordReader) throws -> ShownEntry? {
        try ids[record.key].flatMap {
            try reader.entry(RecordKey(collection: record.key.collection, record: $0))
        }
    }

    /// The value in the new space; nil for a file or record that is missing there.
    func mapped(_ value: Value, _ type: FieldType) -> Value? { value.copied(type, ids, files) }
}

extension Value {
    /// The value in another space; nil for a file or record that is missing there.
    fileprivate func copied(
        _ type: FieldType, _ ids: [RecordKey: RecordID], _ files: [BlobID: NamedBlob]
    ) -> Value? {
        if let blob { return files[blob].map { .blob($0.blob) } }
        guard case .reference(let old) = self else { return self }
        guard case .reference(let collection, _) = type else { return nil }
        return ids[RecordKey(collection: collection, record: old)].map { .reference($0) }
    }
}
