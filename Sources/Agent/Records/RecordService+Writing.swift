import LocalAPI
import Media
import Store
import SyncCore

/// Making, changing, deleting and restoring records: each is one commit.
extension RecordService {
    func addRecord(_ draft: RecordDraft) async throws -> RecordView {
        let place = try place(draft.space, draft.collection)
        try requireOwn(place)
        let record = replica.newRecordID()
        var plan = RecordPlan(place, record)
        let values = RecordValues(self, place, reader(place))
        try plan.set(draft.fields, values, over: nil, seen: nil)
        try plan.requireFields()
        try await plan.finish(values, over: nil)
        try plan.put(draft.place ?? RecordPlace(first: false), self)
        plan.requireExistence()
        try await carryOut(plan)
        return try view(of: record, in: place)
    }

    func changeRecord(_ record: String, _ changes: RecordChanges) async throws -> RecordView {
        let place = try place(changes.space, changes.collection)
        try requireOwn(place)
        let reader = reader(place)
        let entry = try find(record, in: place, reader)
        guard
            !changes.fields.isEmpty || !changes.add.isEmpty || !changes.remove.isEmpty
                || changes.place != nil
        else { throw APIError.nothingToSet }
        var plan = RecordPlan(place, entry.id)
        let values = RecordValues(self, place, reader)
        try plan.set(changes.fields, values, over: entry, seen: changes.seen)
        try await plan.finish(values, over: entry)
        for (elements, isIn) in [(changes.add, true), (changes.remove, false)] {
            for (name, given) in elements.sorted(by: { $0.key < $1.key }) {
                let field = try values.field(name)
                for element in given {
                    plan.writes.append(
                        Write(
                            field: name, element: try values.element(element, of: field),
                            value: .boolean(isIn)))
                }
            }
        }
        if let wanted = changes.place { try plan.put(wanted, self) }
        try await carryOut(plan)
        return try view(of: entry.id, in: place)
    }

    /// Deletes a record. What belongs to it is hidden with it; what it is needed by forbids it.
    func deleteRecord(_ record: String, _ scope: RecordScope) async throws -> RecordView {
        let place = try place(scope.space, scope.collection)
        try requireOwn(place)
        let reader = reader(place)
        let entry = try find(record, in: place, reader)
        let before = try RecordViews(self, place, reader, []).view(entry)
        var checked: Set<RecordKey> = []
        try requireUnused(place.key(entry.id), called: before.name, reader, &checked)
        try requireWord(over: entry, in: place)
        try await write(
            ChangeSet(operations: [operation(place, entry.id, [.deletion(true)])]), to: place,
            .deleteRecords)
        return before
    }

    /// Takes a deletion back; nothing of the record was lost by it.
    func restoreRecord(_ record: String, _ scope: RecordScope) async throws -> RecordView {
        let place = try place(scope.space, scope.collection)
        try requireOwn(place)
        let reader = reader(place)
        let entry = try find(record, in: place, reader) { $0 == .deleted || $0 == .held }
        if entry.record.isDeleted {
            try requireWord(over: entry, in: place)
            try await write(
                ChangeSet(operations: [operation(place, entry.id, [.deletion(false)])]),
                to: place, .changeRecords)
        }
        return try view(of: entry.id, in: place)
    }

    private func carryOut(_ plan: RecordPlan) async throws {
        let place = plan.place
        if !plan.writes.isEmpty {
            try await write(
                ChangeSet(
                    blobs: plan.blobs, operations: [operation(place, plan.record, plan.writes)]),
                to: place, .changeRecords)
        }
        guard !plan.local.isEmpty else { return }
        let local = plan.localWrites
        try await replica.store.offloaded { try $0.setLocalValues(local, in: place.space) }
    }

    func operation(
        _ place: Place, _ record: RecordID, _ writes: [Write]
    ) -> RecordOperation {
        RecordOperation(collection: place.collection.name, record: record, writes: writes)
    }

    private func view(of record: RecordID, in place: Place) throws -> RecordView {
        let reader = reader(place)
        guard let entry = try reader.entry(place.key(record)) else {
            throw APIError.unknownRecord(place.collection.name, record.description)
        }
        return try RecordViews(self, place, reader, []).view(entry)
    }

    /// Throws when somebody with more authority said whether the record is deleted.
    private func requireWord(over entry: ShownEntry, in place: Place) throws(APIError) {
        let written = entry.state.fields[Write.existence]?.writes.map(\.precedence).max() ?? 0
        guard written > Precedence.user.rawValue else { return }
        guard precedence(in: place) >= written else { throw APIError.outrankedDeletion }
    }

    /// How much what this device writes there counts.
    func precedence(in place: Place) -> UInt32 {
        replica.membership(of: place.space)?.precedence(of: replica.identity.deviceID) ?? 0
    }

    /// Names of people, devices and spaces are written by the commands that are for them.
    func requireOwn(_ place: Place) throws(APIError) {
        guard !Schema.isEverywhere(place.collection.name) else {
            throw APIError.collectionOfProgram(place.collection.name)
        }
    }

    /// Throws when a record that stays refers to this one, or to one that would be hidden with it, and
    /// its reference forbids that.
    private func requireUnused(
        _ key: RecordKey, called name: String, _ reader: RecordReader,
        _ checked: inout Set<RecordKey>
    ) throws {
        guard checked.insert(key).inserted else { return }
        for (collection, users) in try reader.restricting(key) {
            let staying = users.filter {
                !checked.contains(RecordKey(collection: collection, record: $0.id))
            }
            guard staying.isEmpty else {
                throw APIError.recordInUse(name, by: staying.count, of: collection)
            }
        }
        for collection in reader.schema.collections {
            for field in collection.fields {
                guard case .reference(key.collection, .cascade) = field.type else { continue }
                for part in try reader.referring(
                    to: key.record, in: collection.name, through: field)
                {
                    try requireUnused(
                        RecordKey(collection: collection.name, record: part.id), called: name,
                        reader, &checked)
                }
            }
        }
    }
}
