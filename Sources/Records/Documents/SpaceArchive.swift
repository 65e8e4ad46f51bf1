package import LocalAPI
internal import Store
package import SyncCore

/// Everything that a space shows at one moment, to be written for people and other programs.
package struct SpaceArchive: Sendable {
    package let space: Reference
    /// Every file that a record names, each once; originals come before thumbnails.
    package let files: [File]
    package var recordCount: Int { records.count }

    private let schema: Schema
    private let document: [UInt8]
    private let digest: Bytes32
    private let people: [MemberView]
    private let by: (person: String, device: String)
    private let written: Moment
    private let records: [RecordView]
    private let history: [ChangeEntry]
    private let conflicts: [ConflictView]
    /// Whether the space is encrypted; its archive may be unencrypted.
    package let isEncrypted: Bool

    package struct File: Sendable {
        package let blob: BlobID
        package let bytes: UInt64
        package let kind: NamedBlobKind
        /// The title of its record; not safe as a file name.
        package let title: String
        package let isHere: Bool
        /// Its bytes are here, but not the key to read them.
        package var isClosed = false
    }

    /// A file in an archive: decrypted, so that its id may differ.
    package struct Content: Sendable {
        let id: BlobID
        let bytes: UInt64

        package init(id: BlobID, bytes: UInt64) { (self.id, self.bytes) = (id, bytes) }
    }

    fileprivate init(_ service: RecordService, _ space: ReadableSpace, at now: Milliseconds) throws
    {
        let replica = service.replica
        let schema = try replica.requireSchema(of: space.id)
        guard let document = replica.store.ledger(of: space.id)?.schema.document else {
            throw StoreError.spaceUnknown(space.id)
        }
        (self.space, self.schema, self.document) = (space.reference, schema, document)
        digest = try replica.store.records.digest(of: space.id, under: schema)
        people = try SpaceViews(replica).members(of: space.id)
        by = (replica.local.personName, replica.local.deviceName)
        written = Moment(now)
        let records = try schema.ownCollections.flatMap { collection in
            var all = RecordFilter(space: space.id.description, collection: collection.name)
            all.retired = true
            return try service.list(all).records
        }
        self.records = records
        history = try ChangeService(replica).history(of: space)
        conflicts = try ConflictService(replica).conflicts(
            ScopeFilter(trip: space.id.description))
        isEncrypted = replica.membership(of: space.id)?.isEncrypted ?? false
        let files = SpaceArchive.files(of: records, schema)
        self.files =
            isEncrypted ? try files.map { try $0.opened(in: space.id, replica) } : files
    }

    private static func files(of records: [RecordView], _ schema: Schema) -> [File] {
        var known: Set<BlobID> = []
        var files: [File] = []
        for record in records {
            for field in schema.collection(record.collection)?.fields ?? [] {
                guard case .blob(let kind) = field.type,
                    case .blob(let file)? = record.fields[field.name],
                    let id = file.id.flatMap({ BlobID(text: $0) }), known.insert(id).inserted
                else { continue }
                files.append(
                    File(
                        blob: id, bytes: UInt64(clamping: file.bytes ?? 0), kind: kind,
                        title: record.name, isHere: file.here ?? false))
            }
        }
        return files.filter { $0.kind != .thumbnail } + files.filter { $0.kind == .thumbnail }
    }

    // MARK: Documents

    /// The archive's own files, by name. `names` are the paths of the records' files in it, `contents`
    /// their ids and sizes there.
    package func documents(
        _ names: [BlobID: String], _ contents: [BlobID: Content]
    ) throws -> [(name: String, bytes: [UInt8])] {
        let page = ArchivePage(
            title: space.name, schema: schema, records: records, names: names,
            by: by.person, written: written)
        return [
            (
                ArchiveFile.description,
                Array(try JSONCoding.encodeIndented(description(names, contents)))
            ),
            (ArchiveFile.schema, document),
            (ArchiveFile.records, try SpaceArchive.lines(records.map { archived($0, contents) })),
            (ArchiveFile.history, try SpaceArchive.lines(history)),
            (
                ArchiveFile.conflicts,
                Array(try JSONCoding.encodeIndented(conflicts(contents)))
            ),
            (ArchiveFile.places, ArchivePlaces.gpx(of: records, schema, called: space.name)),
            (ArchiveFile.page, page.index()), (ArchiveFile.historyPage, page.history(history)),
        ]
    }

    private static func lines(_ values: [some Encodable]) throws -> [UInt8] {
        var bytes: [UInt8] = []
        for value in values {
            bytes += try JSONCoding.encode(value)
            bytes.append(UInt8(ascii: "\n"))
        }
        return bytes
    }

    private func description(
        _ names: [BlobID: String], _ contents: [BlobID: Content]
    ) -> ArchiveDescription {
        // The same file may have been encrypted twice.
        var known: Set<BlobID> = []
        return ArchiveDescription(
            format: ArchiveDescription.format, version: ArchiveDescription.version,
            space: ArchiveDescription.Space(
                id: space.id, name: space.name, schema: schema.name, encrypted: isEncrypted),
            digest: hexadecimal(digest.bytes), written: written, person: by.person,
            device: by.device, program: ProgramVersion.text,
            people: people.map { member in
                ArchiveDescription.Person(
                    id: member.person.id, name: member.person.name, role: member.role,
                    devices: member.devices.map(\.name))
            },
            files: files.compactMap { file in
                let id = contents[file.blob]?.id ?? file.blob
                guard known.insert(id).inserted else { return nil }
                return ArchiveDescription.File(
                    blob: id.description,
                    bytes: Int64(clamping: contents[file.blob]?.bytes ?? file.bytes),
                    kind: file.kind.word, name: names[file.blob],
                    title: names[file.blob] == nil ? file.title : nil,
                    closed: file.isClosed ? true : nil)
            })
    }

    private func archived(
        _ record: RecordView, _ contents: [BlobID: Content]
    ) -> ArchivedRecord {
        let collection = schema.collection(record.collection)
        // Values of this device alone do not belong to the space.
        let fields = record.fields.filter { collection?.field($0.key)?.isLocal == false }
        return ArchivedRecord(
            collection: record.collection, id: record.id,
            fields: fields.mapValues { SpaceArchive.plain($0, contents) },
            author: record.author.name,
            changed: record.changed, conflicts: record.conflicts.isEmpty ? nil : record.conflicts,
            unknown: record.unknown.isEmpty ? nil : record.unknown)
    }

    /// With the names of files in the archive.
    private func conflicts(_ contents: [BlobID: Content]) -> [ConflictView] {
        let texts = Dictionary(
            contents.map { (ShortIDs.alone("\($0)"), ShortIDs.alone("\($1.id)")) }
        ) { first, _ in first }
        return conflicts.map { archived($0, texts) }
    }

    private func archived(_ conflict: ConflictView, _ texts: [String: String]) -> ConflictView {
        let fields = schema.collection(conflict.collection)
        func isFile(_ field: String?) -> Bool {
            field.flatMap { fields?.field($0) }?.type.isBlob ?? false
        }
        func text(_ text: String, of field: String?) -> String {
            isFile(field) ? texts[text] ?? text : text
        }
        return ConflictView(
            id: conflict.id, shortID: conflict.shortID, trip: conflict.trip,
            collection: conflict.collection, record: conflict.record, field: conflict.field,
            rule: conflict.rule, shown: text(conflict.shown, of: conflict.field),
            values: conflict.values.map { value in
                ConflictView.Value(
                    field: value.field,
                    text: text(value.text, of: value.field ?? conflict.field),
                    author: value.author, device: value.device, written: value.written,
                    isShown: value.isShown)
            })
    }

    /// Without values that only this device has.
    private static func plain(
        _ value: FieldValue, _ contents: [BlobID: Content]
    ) -> FieldValue {
        switch value {
        case .blob(let file):
            let content = file.id.flatMap { BlobID(text: $0) }.flatMap { contents[$0] }
            return .blob(
                BlobReference(
                    id: content?.id.description ?? file.id,
                    bytes: content.map { Int64(clamping: $0.bytes) } ?? file.bytes, here: nil))
        case .reference(let record): return .reference(RecordReference(id: record.id))
        case .set(let elements): return .set(elements.map { plain($0, contents) })
        default: return value
        }
    }
}

extension SpaceArchive.File {
    /// Counts as missing if its key is.
    fileprivate func opened(
        in space: SpaceID, _ replica: any Replica
    ) throws -> SpaceArchive.File {
        guard isHere, try replica.form(of: blob, in: space) == .closed else { return self }
        return SpaceArchive.File(
            blob: blob, bytes: bytes, kind: kind, title: title, isHere: false, isClosed: true)
    }
}

extension RecordService {
    /// The shared space as it is now.
    package func archive(_ typed: String) throws -> SpaceArchive {
        try SpaceArchive(
            self, directory.readable(typed, among: .shared, as: .trip), at: replica.now)
    }
}

extension BlobID {
    init?(text: String) {
        guard let id = BlobID(hexadecimal: text) else {
            return nil
        }
        self = id
    }
}
