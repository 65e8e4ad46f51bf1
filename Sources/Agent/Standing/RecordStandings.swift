import LocalAPI
import Store
import SyncCore

/// Where the records of one space stand, read for one request.
struct RecordStandings {
    let readers: ReaderStandings
    let missing: Set<BlobID>
    /// Bytes, as the commits that name the files say.
    let sizes: [BlobID: UInt64]
    private let schema: Schema

    /// Without files nothing is read about them.
    init(_ replica: AgentNode, _ space: SpaceID, _ schema: Schema, hasFiles: Bool) throws {
        self.schema = schema
        readers = try replica.readers(of: space)
        let store = replica.store
        missing = hasFiles ? Set(try store.missingBlobs(of: space).map(\.blob)) : []
        sizes =
            hasFiles
            ? Dictionary(try store.namedBlobs(of: space).map { ($0.blob, $0.size) }) { $1 } : [:]
    }

    func standing(of entry: ShownEntry, in collection: CollectionSchema) -> RecordStanding {
        var standing = RecordStanding()
        standing.add(entry.state)
        standing.isConflicted = entry.state.isConflicted(under: collection)
        standing.isDeleted = entry.state.isDeleted
        standing.isFile = schema.isFile(collection)
        for field in collection.fields where field.type.isBlob {
            guard let blob = entry.record.value(field.name)?.blob else { continue }
            standing.files.append(file(blob))
        }
        return standing
    }

    func file(_ blob: BlobID) -> RecordStanding.File {
        let (isHere, size) = (!missing.contains(blob), sizes[blob] ?? 0)
        return RecordStanding.File(
            blob: blob, isHere: isHere, bytesHere: isHere ? size : 0, size: size)
    }

    func status(of entry: ShownEntry, in collection: CollectionSchema) -> RecordStatus {
        readers.status(of: standing(of: entry, in: collection))
    }
}

extension Schema {
    /// Whether a record of a collection stands for one file: without it, it would say nothing.
    func isFile(_ collection: CollectionSchema) -> Bool {
        let ofJournal = [JournalSchema.Collection.media, JournalSchema.Collection.track]
        if isJournal { return ofJournal.contains(collection.name) }
        return collection.fields.contains { $0.type.isBlob && $0.isRequired }
    }

    var hasFiles: Bool {
        collections.contains { collection in collection.fields.contains { $0.type.isBlob } }
    }
}

extension FieldType {
    var isBlob: Bool { if case .blob = self { true } else { false } }
}
