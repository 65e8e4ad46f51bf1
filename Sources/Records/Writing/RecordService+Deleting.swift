package import LocalAPI
internal import Store
package import SyncCore

/// Deleting and restoring records: the only implementation, for every schema and command.
extension RecordService {
    /// Deletes a record and hides its parts, unless a record that needs it forbids that. Returns the record
    /// as it was.
    package func deleteRecord(_ record: String, _ scope: RecordScope) async throws -> RecordView {
        let place = try place(scope.space, scope.collection)
        try requireOwn(place)
        return try await UnfinishedWriting.retrying {
            let reader = reader(place)
            let entry = try find(record, in: place, reader)
            let before = try RecordViews(self, place, reader, []).view(entry)
            try await delete(entry, in: place, reader, .deleteRecords)
            return before
        }
    }

    /// Undoes the deletion of a record and of its parts.
    package func restoreRecord(_ record: String, _ scope: RecordScope) async throws -> RecordView {
        let place = try place(scope.space, scope.collection)
        try requireOwn(place)
        let reader = reader(place)
        let collection = RecordFinder.Place(reader, place.collection.name)
        let entry = try RecordFinder.deleted(record, in: [collection]).entry
        try await restore(entry, in: place, reader, .changeRecords)
        return try view(of: entry.id, in: place)
    }

    /// Deletes a record that was found.
    package func delete(
        _ entry: ShownEntry, in place: Place, _ reader: RecordReader, _ action: SpaceAction
    ) async throws {
        guard !entry.isUnfinished else {
            return try await UnfinishedWriting(service: self, place: place).drop(entry)
        }
        let deletion = try deletion(of: entry, in: place.collection.name, reader)
        try await writer.write(ChangeSet(operations: [deletion]), to: place.space, action)
    }

    /// The operation that deletes a record that was found. Throws when it must stay.
    package func deletion(
        of entry: ShownEntry, in collection: String, _ reader: RecordReader
    ) throws -> RecordOperation {
        let key = RecordKey(collection: collection, record: entry.id)
        try reader.requireUnused(key, called: reader.title(entry.record, in: collection))
        try requirePrecedence(over: entry, in: reader.space)
        return RecordOperation(key, [.deletion(true)])
    }

    /// Undoes the deletion of a record that was found.
    package func restore(
        _ entry: ShownEntry, in place: Place, _ reader: RecordReader, _ action: SpaceAction
    ) async throws {
        guard entry.record.isDeleted else { return }
        try requirePrecedence(over: entry, in: place.space.id)
        let operations = try reader.restored(with: place.key(entry.id)).map {
            RecordOperation($0, [.deletion(false)])
        }
        try await writer.write(ChangeSet(operations: operations), to: place.space, action)
    }

    /// Throws when the present state of the deletion has more authority.
    private func requirePrecedence(
        over entry: ShownEntry, in space: SpaceID
    ) throws(APIError) {
        let written = entry.state.fields[Write.existence]?.writes.map(\.precedence).max() ?? 0
        guard written > Precedence.user.rawValue else { return }
        guard replica.precedence(in: space) >= written else {
            throw APIError(
                code: .notAllowed,
                sentence: "Somebody with authority said whether this is deleted.",
                hint: "Only who writes with authority can change that.")
        }
    }
}

extension RecordReader {
    /// Throws when a record that stays refers to this one, or to one that would be hidden with it, by a
    /// reference that forbids deletion.
    fileprivate func requireUnused(_ key: RecordKey, called name: String) throws {
        let going = Set([key] + (try parts(of: key).map(\.key)))
        for gone in going.sorted() {
            for (collection, users) in try restricting(gone) {
                let staying = users.filter {
                    !going.contains(RecordKey(collection: collection, record: $0.id))
                }
                guard staying.isEmpty else {
                    throw RecordErrors.recordInUse(name, by: staying.count, of: collection)
                }
            }
        }
    }

    /// A deleted record, and the parts that the same commit deleted.
    func restored(with key: RecordKey) throws -> [RecordKey] {
        let deletions = (try state(key)?.fields[Write.existence]?.writes ?? [])
            .filter { $0.value == .boolean(true) }
        let parts = Set(try parts(of: key).map(\.key))
        var keys: Set<RecordKey> = [key]
        for commit in Set(deletions.map(\.id.commit)) {
            keys.formUnion(
                parts.intersection(try replica.store.records.deletions(by: commit, in: space)))
        }
        return keys.sorted()
    }
}

extension RecordOperation {
    /// Writes to one record.
    package init(_ key: RecordKey, _ writes: [Write]) {
        self.init(collection: key.collection, record: key.record, writes: writes)
    }
}
