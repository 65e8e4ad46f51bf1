internal import Store
package import SyncCore

/// Several people may have added the same file to one record: lists show it once, and it counts once.
extension RecordReader {
    /// What makes a record of files a copy of another one: it belongs to the same, and has the same files.
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
    package func shownFileCount(in names: [String]) throws -> Int {
        let count = try names.reduce(0) { try $0 + shownCount(in: $1) }
        guard count > 1 else { return count }
        var records: Set<RecordKey> = []
        var places: Set<FilePlace> = []
        for blob in try replica.store.repeatedBlobs(of: space) {
            for key in try replica.store.records(naming: blob, of: space)
            where names.contains(key.collection) && !records.contains(key) {
                guard let collection = schema.collection(key.collection),
                    let entry = try shown(key.collection, key.record),
                    let place = place(of: entry, in: collection)
                else { continue }
                records.insert(key)
                places.insert(place)
            }
        }
        return count - (records.count - places.count)
    }

    /// What people added to shown records: one for each record and field that has a file, copies once.
    package func shownFiles() throws -> [BlobID] {
        try schema.ownCollections.flatMap { collection -> [BlobID] in
            guard collection.fields.contains(where: \.type.isFile) else { return [] }
            var places: Set<FilePlace> = []
            return try shown(in: collection.name).flatMap { entry -> [BlobID] in
                guard let place = place(of: entry, in: collection),
                    collection.owners.isEmpty || places.insert(place).inserted
                else { return [] }
                return place.blobs
            }
        }
    }
}
