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

        var isEffective: Bool { commit.isEffective }
        var commitID: CommitID { id.commit }
    }

    let key: RecordKey
    /// Without what is left out.
    private(set) var entries: [Entry] = []
    /// What all that counts makes of it.
    private(set) var state = RecordState()
    private var places: [WriteID: Int] = [:]
    /// What the commits that undo others write to the record.
    private var undoing: [CommitID: [Write]] = [:]
    private let left: LeftOut?

    /// Of commits in storing order. Throws what merging texts throws.
    init(
        of key: RecordKey, _ commits: [PastCommit], under schema: Schema,
        leavingOut left: LeftOut? = nil
    ) throws {
        (self.key, self.left) = (key, left)
        let own = RecordPast.operations(on: key, in: commits, schema)
        for (commit, _, operation) in own
        where left?.reversers.contains(commit.stored.commit.id) ?? false {
            undoing[commit.stored.commit.id, default: []] += operation.writes
        }
        for (commit, first, operation) in own { take(operation, first, of: commit) }
        let collection = schema.collection(key.collection)
        if state.needsPast(under: collection) {
            try state.mergeFromHistory(under: collection, from: PastTexts(past: self))
        }
    }

    private typealias Own = (commit: PastCommit, first: UInt32, operation: RecordOperation)

    private static func operations(
        on key: RecordKey, in commits: [PastCommit], _ schema: Schema
    ) -> [Own] {
        commits.flatMap { commit in
            var first: UInt32 = 0
            return commit.stored.commit.operations.compactMap { operation -> Own? in
                defer { first += UInt32(truncatingIfNeeded: operation.writes.count) }
                guard operation.record == key.record else { return nil }
                let current = schema.current(operation)
                return current.collection == key.collection ? (commit, first, current) : nil
            }
        }
    }

    /// Whether a write of a commit is left out. Of one that others undid it is where they wrote to the same
    /// register, or deleted the record.
    func isLeftOut(_ register: RegisterName, of commit: CommitID) -> Bool {
        guard let left else { return false }
        if left.undone.contains(commit) || left.reversers.contains(commit) { return true }
        return (left.reversed[commit] ?? []).contains { reverser in
            (undoing[reverser] ?? []).contains { $0.isDeletion || RegisterName($0) == register }
        }
    }

    private mutating func take(
        _ operation: RecordOperation, _ first: UInt32, of commit: PastCommit
    ) {
        for (offset, write) in operation.writes.enumerated() {
            let name = RegisterName(write)
            let index = first + UInt32(truncatingIfNeeded: offset)
            let id = WriteID(commit: commit.stored.commit.id, index: index)
            guard !isLeftOut(name, of: id.commit) else { continue }
            let place = entries.count
            places[id] = place
            entries.append(Entry(commit: commit, write: write, id: id))
            guard commit.isEffective else { continue }
            let before = survivors(of: name)
            state.apply(
                RecordOperation(
                    collection: operation.collection, record: operation.record, writes: [write]),
                firstIndex: index, of: commit.applied)
            for gone in before.subtracting(survivors(of: name)) {
                if let former = places[gone] { entries[former].replacedBy = place }
            }
        }
    }

    private func survivors(of register: RegisterName) -> Set<WriteID> {
        Set(state.register(register)?.writes.map(\.id) ?? [])
    }
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
            $0.isEffective && $0.write.field == field && $0.write.element == nil
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
