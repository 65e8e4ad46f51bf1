internal import LocalAPI
internal import Store
internal import SyncCore

/// Writes records that are in no log yet: writes stay on this device, until the one that finishes a record
/// puts all of it into the log, in one commit.
struct UnfinishedWriting {
    let service: RecordService
    let place: RecordService.Place

    private var replica: any Replica { service.replica }

    /// Runs work that reads and writes an unfinished record, again when another writer changed it in
    /// between.
    static func retrying<Answer>(_ work: () async throws -> Answer) async throws -> Answer {
        for _ in 1..<Limits.unfinishedTries {
            do { return try await work() } catch StoreError.unfinishedChanged { continue }
        }
        do {
            return try await work()
        } catch StoreError.unfinishedChanged {
            throw APIError(
                code: .conflict, sentence: "Other commands change this record all the time.",
                hint: "Try again.")
        }
    }

    /// Carries out the plan for a record; `entry` is its read state, nil for a new one.
    func carryOut(_ plan: RecordPlan, over entry: ShownEntry?) async throws {
        guard plan.isFinished else { return try await keep([plan], over: entry) }
        let key = place.key(plan.record)
        var whole = plan
        whole.writes = try state(of: plan, over: entry).wholeWrites
        try whole.requireFields()
        try requireOwners(of: whole)
        var changes = ChangeSet(
            blobs: plan.blobs, operations: [RecordOperation(key, whole.writes)])
        changes.finishes = entry.map { [key: $0.state] } ?? [:]
        try await service.writer.write(changes, to: place.space, .changeRecords)
    }

    /// Keeps new records on this device, with their values for this device alone.
    func add(_ plans: [RecordPlan]) async throws {
        guard !plans.isEmpty else { return }
        try await keep(plans, over: nil)
        let local = Dictionary(plans.map { (place.key($0.record), $0.local) }) { $1 }
        let space = place.space.id
        try await replica.store.offloaded { try $0.records.setLocalValues(local, in: space) }
    }

    /// Throws where nothing can be written: a member without that right could never finish a record.
    func requireWriting() throws {
        try service.writer.requireNotDeleted(place.space)
        try service.writer.require(.write, in: place.space, .changeRecords)
        if let fault = replica.storageFault { throw fault }
    }

    /// Whether a new record will fit into a commit.
    func fits(_ plan: RecordPlan) throws -> Bool { fits(plan, try state(of: plan, over: nil)) }

    private func fits(_ plan: RecordPlan, _ state: RecordState) -> Bool {
        RecordBatches.fits(RecordOperation(place.key(plan.record), state.wholeWrites))
    }

    private func keep(_ plans: [RecordPlan], over entry: ShownEntry?) async throws {
        let space = place.space
        try requireWriting()
        var states: [RecordKey: RecordState?] = [:]
        for plan in plans {
            let state = try state(of: plan, over: entry)
            guard fits(plan, state) else { throw APIError.requestTooLarge }
            states[place.key(plan.record)] = state
        }
        let before = entry.map { [place.key($0.id): $0.state] } ?? [:]
        try await replica.store.offloaded { [states] in
            try $0.unfinished.keep(states, insteadOf: before, in: space.id)
        }
    }

    /// Deletes an unfinished record completely.
    func drop(_ entry: ShownEntry) async throws {
        if let fault = replica.storageFault { throw fault }
        let (key, space) = (place.key(entry.id), place.space.id)
        try await replica.store.offloaded {
            try $0.unfinished.keep([key: nil], insteadOf: [key: entry.state], in: space)
        }
    }

    /// Refuses a save that saw another state than the present one: only a log can keep both.
    func requireSeen(
        _ fields: some Sequence<String>, of entry: ShownEntry, in token: String
    ) throws {
        for field in fields {
            let writes = entry.record.writes(field)
            guard try VersionToken.seen(writes, in: token).count == writes.count else {
                let reader = service.reader(place)
                let title = reader.title(entry.record, in: place.collection.name)
                throw APIError(
                    code: .conflict,
                    sentence:
                        "\(Sentence.name(title)) was changed on this device since you looked at it.",
                    hint: "Look at it again, then save.")
            }
        }
    }

    private func state(of plan: RecordPlan, over entry: ShownEntry?) throws -> RecordState {
        // A migration may have changed the types since it was written.
        var state = entry?.state.converted(to: place.collection) ?? RecordState()
        let mark = replica.newRecordID(in: place.space.id)
        state.keep(
            plan.writes,
            by: LogID(
                device: replica.local.device, incarnation: try replica.store.incarnation()),
            at: HybridTime(milliseconds: replica.now.value, counter: 0),
            as: CommitID(sha256(mark.bytes)))
        return state
    }

    /// If it were finished with a deleted owner, it would be hidden at once.
    private func requireOwners(of plan: RecordPlan) throws {
        let reader = service.reader(place)
        for (field, target) in place.collection.owners {
            let written = plan.writes.first { $0.field == field.name }
            guard let owner = written?.value.reference,
                let entry = try reader.entry(RecordKey(collection: target, record: owner)),
                try !reader.isShown(entry, in: target)
            else { continue }
            throw APIError(
                code: .conflict,
                sentence: """
                    It belongs to \(Sentence.name(reader.title(entry.record, in: target))) of \(target), which is deleted: finished, it \
                    would be hidden.
                    """,
                hint: "Name another one, or bring that back: peersync record restore")
        }
    }
}

extension Limits {
    /// Attempts to change an unfinished record that others keep changing.
    static let unfinishedTries = 10
}
