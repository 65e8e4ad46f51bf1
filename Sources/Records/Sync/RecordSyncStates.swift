package import LocalAPI
internal import Store
package import SyncCore

/// The sync states of the records of one space, read for one request. A record includes the files that
/// belong to it, such as the photos and the track of a memory.
package struct RecordSyncStates {
    package let reader: RecordReader
    package let space: SpaceSyncState
    /// The missing files, and the sizes of all; nil where each file is looked up.
    private let files: (missing: Set<BlobID>, sizes: [BlobID: UInt64])?
    /// By collection: the fields with files of its records.
    private let parts: [String: [FilePart]]

    /// With `isBulk` the files of the whole space are read at once.
    package init(_ reader: RecordReader, isBulk: Bool) throws {
        self.reader = reader
        let replica = reader.replica
        parts = Dictionary(
            uniqueKeysWithValues: reader.schema.collections.map {
                ($0.name, reader.schema.fileParts(of: $0.name))
            })
        space = try replica.sync.state(of: reader.space)
        guard isBulk, reader.schema.hasFiles else {
            files = nil
            return
        }
        let store = replica.store
        files = (
            Set(try store.files.missing(of: reader.space, withFreed: true).map(\.blob)),
            Dictionary(try store.files.named(of: reader.space).map { ($0.blob, $0.size) }) { $1 }
        )
    }

    /// The status of a record (requirements J5 and K4).
    package func status(
        of entry: ShownEntry, in collection: CollectionSchema
    ) throws -> RecordStatus {
        entry.isUnfinished ? .unfinished : space.status(of: try state(of: entry, in: collection))
    }

    package func state(
        of entry: ShownEntry, in collection: CollectionSchema
    ) throws -> RecordSyncState {
        var state = RecordSyncState()
        state.add(entry.state)
        state.isConflicted = entry.state.isConflicted(under: collection)
        state.isDeleted = entry.state.isDeleted
        state.isFile = reader.schema.isFile(collection)
        var blobs = collection.files(of: entry.record)
        for part in parts[collection.name] ?? [] {
            for file in try reader.referring(
                to: entry.id, in: part.collection.name, through: part.field)
            {
                state.add(file.state)
                blobs += part.collection.files(of: file.record)
            }
        }
        var seen: Set<BlobID> = []
        for blob in blobs where seen.insert(blob).inserted { state.files.append(try file(blob)) }
        if !space.others.isEmpty, !space.isKnownElsewhere(state) {
            state.origin = try reader.replica.store.records.origin(
                of: RecordKey(collection: collection.name, record: entry.id), in: reader.space)
        }
        return state
    }

    /// Reads the parts of several records at once, before their states are requested one by one.
    package func prepare(_ entries: [ShownEntry], in collection: String) throws {
        for part in parts[collection] ?? [] {
            try reader.prepare(
                linksTo: entries.map(\.id), in: part.collection.name, through: part.field)
        }
    }

    package func file(_ blob: BlobID) throws -> RecordSyncState.File {
        let replica = reader.replica
        var (isHere, wasHere) = (false, false)
        let size: UInt64
        var freedAt: Milliseconds?
        if let files {
            (isHere, size) = (!files.missing.contains(blob), files.sizes[blob] ?? 0)
        } else {
            let stored = try replica.store.files.blob(blob)
            (size, freedAt) = (stored?.size ?? 0, stored?.freedAt)
            isHere = try replica.store.files.spaces(holding: blob).contains(reader.space)
            if !isHere {
                wasHere = try replica.store.files.isGone(blob, in: reader.space)
            } else if stored?.isSmall == false, replica.noteIfGone(blob, bytes: size) {
                (isHere, wasHere) = (false, true)
            }
        }
        return RecordSyncState.File(
            blob: blob, isHere: isHere,
            bytesHere: isHere ? size : replica.bytesReceived(of: blob), size: size,
            wasHere: wasHere, freedAt: isHere ? nil : freedAt)
    }
}

/// A collection with files of other records, and the field that refers to those.
private struct FilePart {
    let collection: CollectionSchema
    let field: FieldSchema
}

extension Schema {
    /// Whether a record of a collection stands for one file, and is nothing without it.
    func isFile(_ collection: CollectionSchema) -> Bool {
        let isPart = !collection.owners.isEmpty
        return collection.fields.contains { $0.type.isFile && ($0.isRequired || isPart) }
    }

    fileprivate func fileParts(of owner: String) -> [FilePart] {
        parts(of: owner).compactMap { name, field in
            collection(name).flatMap {
                isFile($0) ? FilePart(collection: $0, field: field) : nil
            }
        }
    }

    var hasFiles: Bool {
        collections.contains { collection in collection.fields.contains { $0.type.isBlob } }
    }
}

extension CollectionSchema {
    /// Files that people added, without thumbnails.
    fileprivate func files(of record: ShownRecord) -> [BlobID] {
        fields.filter(\.type.isFile).compactMap { record.value($0.name)?.blob }
    }
}
