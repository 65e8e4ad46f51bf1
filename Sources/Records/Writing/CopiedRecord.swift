internal import LocalAPI
internal import Store
internal import SyncCore

/// A record on its way into another space: as an archive has it, or as a space shows it. References and files are
/// those of where it comes from.
struct CopiedRecord: Sendable {
    let key: RecordKey
    let values: [(field: FieldSchema, value: Value)]
    let elements: [(field: FieldSchema, element: Value)]
    /// Who wrote it last, and when.
    let author: String
    let changed: TimeValue
    /// Fields that nobody but a data set wrote.
    var ofSet: Set<String> = []

    var blobs: [BlobID] { values.compactMap(\.value.blob) }

    /// What it is in the other space, with the ids and files that are there; what refers to none of them is left out.
    /// One that says nothing else is made by saying that it is not deleted, as is one that is restored.
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

    /// Who wrote it before, and when, beside the record that it is there.
    func origin(at key: RecordKey, in space: SpaceID) -> RecordOperation {
        RecordOperation(
            Schema.origin(of: key, in: space),
            [
                Write(field: Schema.Origin.author, value: .text(author)),
                Write(field: Schema.Origin.written, value: .time(changed)),
            ])
    }

    /// Nil for one whose file is not there; without a small picture that is not.
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
    /// Some fields of a record as its space shows it. One that was copied before keeps whose it was.
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
/// Who wrote a record before, and when, is kept beside it as a record of ``Schema/origin``.
struct RecordCopying {
    let space: SpaceID
    /// The ids there, by what the records were.
    private(set) var ids: [RecordKey: RecordID]
    /// What the files are there, by what they were; others are left out.
    private let files: [BlobID: NamedBlob]
    /// Of what people wrote.
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
            // Those that every device would make under one id get that.
            let operation = RecordOperation(record.key, record.writes(self.ids, files))
            if let id = replica.schemas.builtIn.derivedID(operation, space, adder, membership) {
                self.ids[record.key] = id
            }
        }
    }

    /// Adds a record and where it comes from; with `restoring` one that was deleted there comes back. False when it
    /// fits into no commit.
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

    /// What is there of a record; nil when nothing was written.
    func entry(_ record: CopiedRecord, _ reader: RecordReader) throws -> ShownEntry? {
        try ids[record.key].flatMap {
            try reader.entry(RecordKey(collection: record.key.collection, record: $0))
        }
    }

    /// What a value is there; nil for a file or a record that is not.
    func mapped(_ value: Value, _ type: FieldType) -> Value? { value.copied(type, ids, files) }
}

extension Value {
    /// What it is in another space; nil for a file or a record that is not there.
    fileprivate func copied(
        _ type: FieldType, _ ids: [RecordKey: RecordID], _ files: [BlobID: NamedBlob]
    ) -> Value? {
        if let blob { return files[blob].map { .blob($0.blob) } }
        guard case .reference(let old) = self else { return self }
        guard case .reference(let collection, _) = type else { return nil }
        return ids[RecordKey(collection: collection, record: old)].map { .reference($0) }
    }
}
