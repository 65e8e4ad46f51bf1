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
        return try await UnfinishedWriting.retrying {
            let reader = reader(place)
            let entry = try find(record, in: place, reader)
            var plan = RecordPlan(place, entry.id)
            try await plan.change(changes, RecordValues(self, place, reader), over: entry)
            try await carryOut(plan, over: entry)
            return try view(of: entry.id, in: place)
        }
    }

    /// Carries out the plan for a record; `entry` is its read state, nil for a new one.
    private func carryOut(_ plan: RecordPlan, over entry: ShownEntry? = nil) async throws {
        let place = plan.place
        if entry?.isUnfinished ?? !plan.isFinished {
            try await UnfinishedWriting(service: self, place: place).carryOut(plan, over: entry)
        } else if !plan.writes.isEmpty {
            let operation = RecordOperation(place.key(plan.record), plan.writes)
            try await writer.write(
                ChangeSet(blobs: plan.blobs, operations: [operation]), to: place.space,
                .changeRecords)
        }
        guard !plan.local.isEmpty else { return }
        let local = plan.localWrites
        try await replica.store.offloaded {
            try $0.records.setLocalValues(local, in: place.space.id)
        }
    }

    package func view(of record: RecordID, in place: Place) throws -> RecordView {
        try replica.snapshot {
            let reader = reader(place)
            guard let entry = try reader.entry(place.key(record)) else {
                throw RecordErrors.unknownRecord(place.collection.name, record.description)
            }
            var view = try RecordViews(self, place, reader, []).view(entry)
            if entry.isUnfinished { view.content.schema = SchemaView.Collection(place.collection) }
            return view
        }
    }

    /// Other commands write the names of people, devices and spaces.
    func requireOwn(_ place: Place) throws(APIError) {
        guard !Schema.isEverywhere(place.collection.name) else {
            throw APIError(
                code: .badInput,
                sentence: "Records of \(place.collection.name) are written by peersync itself.",
                hint: "A space is renamed with 'peersync trip rename'.")
        }
    }
}
