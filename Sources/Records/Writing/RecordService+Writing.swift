package import LocalAPI
internal import Store
package import SyncCore

/// Making and changing records: each is one commit.
extension RecordService {
    package func addRecord(_ draft: RecordDraft) async throws -> RecordView {
        let place = try place(draft.space, draft.collection)
        try requireOwn(place)
        let record = replica.newRecordID(in: place.space.id)
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

    package func changeRecord(_ record: String, _ changes: RecordChanges) async throws -> RecordView
    {
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

    private func carryOut(_ plan: RecordPlan) async throws {
        let place = plan.place
        if !plan.writes.isEmpty {
            let operation = RecordOperation(place.key(plan.record), plan.writes)
            try await spaces.write(
                ChangeSet(blobs: plan.blobs, operations: [operation]), to: place.space,
                .changeRecords)
        }
        guard !plan.local.isEmpty else { return }
        let local = plan.localWrites
        try await replica.store.offloaded { try $0.setLocalValues(local, in: place.space.id) }
    }

    package func view(of record: RecordID, in place: Place) throws -> RecordView {
        try replica.snapshot {
            let reader = reader(place)
            guard let entry = try reader.entry(place.key(record)) else {
                throw APIError.unknownRecord(place.collection.name, record.description)
            }
            return try RecordViews(self, place, reader, []).view(entry)
        }
    }

    /// Names of people, devices and spaces are written by the commands that are for them.
    func requireOwn(_ place: Place) throws(APIError) {
        guard !Schema.isEverywhere(place.collection.name) else {
            throw APIError.collectionOfProgram(place.collection.name)
        }
    }
}
