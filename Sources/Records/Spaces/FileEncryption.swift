internal import LocalAPI
internal import Store
internal import SyncCore

/// Encrypts the files that a space had before it was encrypted.
///
/// Adds each again, encrypted, and makes the fields that name it name the new one. Works in batches: after
/// a stop, every record still names a file that is here.
struct FileEncryption {
    private let replica: any Replica
    private let space: ReadableSpace
    private let schema: Schema
    private var forms: [BlobID: FileForm] = [:]
    /// The encrypted files, by their former ids.
    private var made: [BlobID: NamedBlob] = [:]
    private(set) var outcome = Outcome()

    /// Counts files as lists do: those that people added, and thumbnails together with their originals.
    struct Outcome {
        var encrypted = 0
        var missing: [String] = []
        var outranked: [String] = []

        var total: Int { encrypted + missing.count + outranked.count }
    }

    /// A record that names unencrypted files.
    private struct Record {
        let key: RecordKey
        let name: String
        /// Files that are here and can be renamed, missing files, and files that somebody with more
        /// authority decided about.
        var here: [NamedBlob] = []
        var missing: [NamedBlob] = []
        var outranked: [NamedBlob] = []
    }

    init(_ replica: any Replica, _ space: ReadableSpace) throws {
        (self.replica, self.space) = (replica, space)
        schema = try replica.requireSchema(of: space.id)
    }

    /// Encrypts the files that are here; ``outcome`` has the numbers, also after an error. Throws
    /// `CancellationError`, ``APIError``, what the store and the disk throw.
    mutating func run() async throws {
        let found = try look()
        for record in found {
            outcome.missing += names(record, record.missing)
            outcome.outranked += names(record, record.outranked)
        }
        let meter = ProgressMeter(.encrypting, Array(Set(found.flatMap(\.here))))
        var rest = found.filter { !$0.here.isEmpty }[...]
        while !rest.isEmpty {
            let part = next(&rest)
            try await encrypt(part, meter)
            try Task.checkCancellation()
        }
    }

    private func names(_ record: Record, _ files: [NamedBlob]) -> [String] {
        let people = files.count { $0.kind != .thumbnail }
        return Array(repeating: record.name, count: max(people, files.isEmpty ? 0 : 1))
    }

    // MARK: Finding files

    private mutating func look() throws -> [Record] {
        let reader = RecordReader(replica, space.id, schema, isBulk: true)
        var found: [Record] = []
        for collection in schema.ownCollections where !collection.fileFields.isEmpty {
            for entry in try reader.shown(in: collection.name) {
                let title = reader.title(entry.record, in: collection.name)
                var record = Record(
                    key: RecordKey(collection: collection.name, record: entry.id),
                    name: title.isEmpty ? String(entry.id.description.prefix(8)) : title)
                for reference in entry.state.fileReferences(in: collection) {
                    try note(reference, in: &record)
                }
                if !(record.here + record.missing + record.outranked).isEmpty {
                    found.append(record)
                }
            }
        }
        return found
    }

    private mutating func note(_ reference: FileReference, in record: inout Record) throws {
        guard let stored = try replica.store.files.blob(reference.blob) else { return }
        let file = NamedBlob(blob: reference.blob, size: stored.size, kind: reference.kind)
        switch try form(of: reference.blob) {
        case .encrypted, .closed: return
        case .missing:
            // A file that was added since is encrypted everywhere.
            if try replica.store.files.isNamedInClear(reference.blob) {
                record.missing.append(file)
            }
        case .plain where reference.precedence > precedence: record.outranked.append(file)
        case .plain: record.here.append(file)
        }
    }

    private mutating func form(of blob: BlobID) throws -> FileForm {
        if let known = forms[blob] { return known }
        let form = try replica.form(of: blob, in: space.id)
        forms[blob] = form
        return form
    }

    private var precedence: UInt32 { replica.precedence(in: space.id) }

    // MARK: Encrypting

    /// Records whose files are encrypted, made durable and named together.
    private func next(_ rest: inout ArraySlice<Record>) -> [Record] {
        var part: [Record] = []
        var (files, bytes) = (0, UInt64(0))
        while let record = rest.first {
            files += record.here.count
            bytes += record.here.reduce(0) { $0 + $1.size }
            let isFull =
                files > Limits.filesEncryptedAtOnce || bytes > Limits.bytesEncryptedAtOnce
            if isFull, !part.isEmpty { break }
            part.append(rest.removeFirst())
        }
        return part
    }

    private mutating func encrypt(_ part: [Record], _ meter: ProgressMeter) async throws {
        var seen = Set(made.keys)
        let files = part.flatMap(\.here).filter { seen.insert($0.blob).inserted }
        made.merge(
            try await replica.encryptFiles(files, in: space.id, meter)
        ) { _, new in new }
        var batches = RecordBatches()
        let reader = RecordReader(replica, space.id, schema)
        for record in part {
            // Encrypting may have taken long: replaces the current values.
            let change = try self.change(of: record.key, reader)
            if !change.writes.isEmpty {
                guard batches.add(RecordOperation(record.key, change.writes), change.files) else {
                    throw APIError.requestTooLarge
                }
            }
        }
        try await batches.write(to: space, by: SpaceWriter(replica))
        for record in part {
            outcome.missing += names(record, record.here.filter { made[$0.blob] == nil })
            outcome.encrypted += names(record, record.here.filter { made[$0.blob] != nil }).count
        }
    }

    /// A new write for each effective one that names an encrypted file. Other values stay: later ones are
    /// written again unchanged, so that the last one stays the last.
    private func change(
        of key: RecordKey, _ reader: RecordReader
    ) throws -> (writes: [Write], files: [NamedBlob]) {
        guard let entry = try reader.shown(key.collection, key.record),
            let collection = schema.collection(key.collection)
        else { return ([], []) }
        var (writes, files): ([Write], [NamedBlob]) = ([], [])
        for (field, _) in collection.fileFields {
            let ruling = entry.state.fields[field]?.ruling ?? []
            for write in ruling.drop(while: { encrypted($0) == nil }) {
                let file = encrypted(write)
                if let file, !files.contains(file) { files.append(file) }
                writes.append(
                    Write(
                        field: field, value: file.map { .blob($0.blob) } ?? write.value,
                        replaces: [write.id], precedence: write.precedence))
            }
        }
        return (writes, files)
    }

    /// The encrypted file that replaces the one in a write.
    private func encrypted(_ write: SurvivingWrite) -> NamedBlob? {
        guard write.precedence <= precedence else { return nil }
        return write.value.blob.flatMap { made[$0] }
    }
}

/// An effective write that sets a field to a file.
private struct FileReference {
    let kind: NamedBlobKind
    let blob: BlobID
    let precedence: UInt32
}

extension CollectionSchema {
    /// Fields that can name a file, including thumbnails.
    fileprivate var fileFields: [(name: String, kind: NamedBlobKind)] {
        fields.compactMap { field in
            if case .blob(let kind) = field.type, !field.isLocal { (field.name, kind) } else { nil }
        }
    }
}

extension RecordState {
    fileprivate func fileReferences(in collection: CollectionSchema) -> [FileReference] {
        collection.fileFields.flatMap { field, kind in
            (fields[field]?.ruling ?? []).compactMap { write in
                write.value.blob.map {
                    FileReference(kind: kind, blob: $0, precedence: write.precedence)
                }
            }
        }
    }
}

extension Register {
    /// The writes that no other outranks, oldest first.
    fileprivate var ruling: [SurvivingWrite] {
        let highest = latest?.precedence
        return writes.filter { $0.precedence == highest }.sorted(by: SurvivingWrite.isOlder)
    }
}

extension Limits {
    /// Files to encrypt before their records are written: the work that an interruption loses.
    static let filesEncryptedAtOnce = 256
    /// The same in bytes; a larger file forms a batch of its own.
    static let bytesEncryptedAtOnce: UInt64 = 256 << 20
}
