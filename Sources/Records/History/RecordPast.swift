internal import Store
internal import SyncCore

/// Everything that was written to one record, oldest first, and what became of it.
struct RecordPast {
    struct Entry {
        let commit: PastCommit
        let write: Write
        let id: WriteID
        /// The place of the write that superseded it.
        var replacedBy: Int?
    }

    let key: RecordKey
    private(set) var entries: [Entry] = []
    /// What all that counts makes of it.
    private(set) var state = RecordState()
    private var places: [WriteID: Int] = [:]

    /// Of commits in storing order, without some of them. Throws what merging texts throws.
    init(
        of key: RecordKey, _ commits: [PastCommit], under schema: Schema,
        leavingOut left: Set<CommitID> = []
    ) throws {
        self.key = key
        for commit in commits where !left.contains(commit.stored.commit.id) {
            var first: UInt32 = 0
            for operation in commit.stored.commit.operations {
                let current = schema.current(operation)
                if current.record == key.record, current.collection == key.collection {
                    take(current, first, of: commit)
                }
                first += UInt32(truncatingIfNeeded: operation.writes.count)
            }
        }
        let collection = schema.collection(key.collection)
        if state.needsPast(under: collection) {
            try state.mergeFromHistory(under: collection, from: PastTexts(past: self))
        }
    }

    private mutating func take(
        _ operation: RecordOperation, _ first: UInt32, of commit: PastCommit
    ) {
        var last: [RegisterName: Int] = [:]
        for (offset, write) in operation.writes.enumerated() {
            let id = WriteID(
                commit: commit.stored.commit.id,
                index: first + UInt32(truncatingIfNeeded: offset))
            places[id] = entries.count
            last[RegisterName(write)] = entries.count
            entries.append(Entry(commit: commit, write: write, id: id))
        }
        guard commit.isEffective else { return }
        let before = last.mapValues { _ in () }.keys.map { ($0, survivors(of: $0)) }
        state.apply(operation, firstIndex: first, of: commit.applied)
        for (register, ids) in before {
            for gone in ids.subtracting(survivors(of: register)) {
                if let place = places[gone] { entries[place].replacedBy = last[register] }
            }
        }
    }

    private func survivors(of register: RegisterName) -> Set<WriteID> {
        Set(state.register(register)?.writes.map(\.id) ?? [])
    }

    /// Whether anything that counts was written to it.
    var isThere: Bool { entries.contains { $0.commit.isEffective } }
}

/// What one write is about.
struct RegisterName: Hashable {
    let field: String
    let element: Value?

    init(_ write: Write) { (field, element) = (write.field, write.element) }
}

extension RecordState {
    func register(_ name: RegisterName) -> Register? {
        if let element = name.element { return sets[name.field]?[element] }
        return fields[name.field]
    }
}

/// The writes of a past, for merging texts.
private struct PastTexts: RecordHistory {
    let past: RecordPast

    func history(of field: String) -> RegisterHistory? {
        let own = past.entries.filter {
            $0.commit.isEffective && $0.write.field == field && $0.write.element == nil
        }
        guard own.count <= Limits.mergedHistory else { return nil }
        let logs = Set(own.map(\.commit.applied.log))
        return RegisterHistory(
            own.map { entry in
                let applied = entry.commit.applied
                return RegisterHistory.Entry(
                    id: entry.id, log: applied.log, sequence: applied.sequence,
                    clock: applied.clock, precedence: entry.write.precedence,
                    replaces: entry.write.replaces,
                    seen: Dictionary(
                        logs.map { ($0, applied.seen($0)) }, uniquingKeysWith: { first, _ in first }
                    ))
            })
    }

    func value(of write: WriteID) -> Value? {
        past.entries.first { $0.id == write }?.write.value
    }

    func seen(by write: SurvivingWrite, of log: LogID) -> UInt64 {
        past.entries.first { $0.id == write.id }?.commit.applied.seen(log) ?? 0
    }
}
