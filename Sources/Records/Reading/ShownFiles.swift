internal import Store
package import SyncCore

/// The files of a space that people added. Several may have added the same file to one record: lists show it
/// once, and it counts once.
struct ShownFiles {
    private let reader: RecordReader

    init(_ reader: RecordReader) { self.reader = reader }

    /// Two records of files are copies if they belong to the same record and have the same files.
    private struct FilePlace: Hashable {
        let collection: String
        let owners: [RecordID]
        let blobs: [BlobID]
    }

    /// Nil for a record without a file.
    private func place(of entry: ShownEntry, in collection: CollectionSchema) -> FilePlace? {
        let blobs = collection.fields.filter(\.type.isFile).compactMap {
            entry.record.value($0.name)?.blob
        }
        let owners = collection.owners.flatMap { field, _ in entry.record.targets(of: field) }
        return blobs.isEmpty
            ? nil : FilePlace(collection: collection.name, owners: owners, blobs: blobs)
    }

    /// How many records of some collections are shown, copies once: only files that were named several times
    /// are looked at.
    func count(in names: [String]) throws -> Int {
        let count = try names.reduce(0) { try $0 + reader.shownCount(in: $1) }
        guard count > 1 else { return count }
        let (store, space) = (reader.replica.store, reader.space)
        var records: Set<RecordKey> = []
        var places: Set<FilePlace> = []
        for blob in try store.files.repeated(of: space) {
            for key in try store.records.keys(naming: blob, of: space)
            where names.contains(key.collection) && !records.contains(key) {
                guard let collection = reader.schema.collection(key.collection),
                    let entry = try reader.shown(key.collection, key.record),
                    let place = place(of: entry, in: collection)
                else { continue }
                records.insert(key)
                places.insert(place)
            }
        }
        return count - (records.count - places.count)
    }

    /// The files that people added to shown records: one for each record and field, copies once. Calls
    /// `beforeRecord` before it looks at each record.
    func all(beforeRecord: () throws -> Void = {}) throws -> [BlobID] {
        try reader.schema.ownCollections.flatMap { collection -> [BlobID] in
            guard collection.fields.contains(where: \.type.isFile) else { return [] }
            var places: Set<FilePlace> = []
            return try reader.shown(in: collection.name).flatMap { entry -> [BlobID] in
                try beforeRecord()
                guard let place = place(of: entry, in: collection),
                    collection.owners.isEmpty || places.insert(place).inserted
                else { return [] }
                return place.blobs
            }
        }
    }
}

extension FieldType {
    package var isBlob: Bool { if case .blob = self { true } else { false } }

    /// Whether it has a file that people added, not a thumbnail.
    var isFile: Bool {
        switch self {
        case .blob(.original), .blob(.track): true
        default: false
        }
    }
}
