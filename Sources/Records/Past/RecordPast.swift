internal import Store
internal import SyncCore

/// All writes to one record, oldest first, and their outcome.
struct RecordPast {
    struct Entry {
        let commit: PastCommit
        let write: Write
        let id: WriteID
        /// The index of the write that superseded it.
        var replacedBy: Int?

        var isEffective: Bool { commit.isEffective }
        var commitID: CommitID { id.commit }
    }

    let key: RecordKey
    /// Without ignored writes.
    private(set) var entries: [Entry] = []
    /// Those that say something of the record itself.
    var statements: some BidirectionalCollection<Entry> {
        entries.lazy.filter { !$0.write.isTouch }
    }
    /// The record that the effective writes produce.
    private(set) var state = RecordState()
    /// The ignored writes, each with those that it replaced: a write over an ignored one replaces these,
    /// too.
    private(set) var leftOut: [WriteID: Set<WriteID>] = [:]
    private var places: [WriteID: Int] = [:]

    /// `commits` are in storing order. Throws what merging texts throws.
    init(
        of key: RecordKey, _ commits: [PastCommit], under schema: Schema,
        leavingOut left: LeftOut? = nil
    ) throws {
        let own = RecordPast.operations(on: key, in: commits, schema)
        self.key = key
        let out = left.map { RecordLeftOut($0, own.map { ($0.commit, $0.operation) }) }
        for (commit, first, operation) in own {
            replay(operation, first, of: commit, leavingOut: out)
        }
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

    private mutating func replay(
        _ operation: RecordOperation, _ first: UInt32, of commit: PastCommit,
        leavingOut out: RecordLeftOut?
    ) {
        for (offset, write) in operation.writes.enumerated() {
            let index = first + UInt32(truncatingIfNeeded: offset)
            let id = WriteID(commit: commit.stored.commit.id, index: index)
            let write = naming(write)
            if out?.contains(RegisterName(write), of: commit) ?? false {
                leftOut[id] = commit.isEffective ? replaced(by: write, id, operation, commit) : []
                continue
            }
            let place = entries.count
            places[id] = place
            entries.append(Entry(commit: commit, write: write, id: id))
            guard commit.isEffective else { continue }
            for gone in apply(write, id, operation, commit) {
                if let former = places[gone] { entries[former].replacedBy = place }
            }
        }
    }

    /// Applies a write, and returns the writes that it replaces.
    private mutating func apply(
        _ write: Write, _ id: WriteID, _ operation: RecordOperation, _ commit: PastCommit
    ) -> Set<WriteID> {
        let before = survivors(of: RegisterName(write))
        state.apply(
            RecordOperation(
                collection: operation.collection, record: operation.record, writes: [write]),
            firstIndex: id.index, of: commit.applied)
        return before.subtracting(survivors(of: RegisterName(write)))
    }

    /// The writes that an ignored write would replace.
    private func replaced(
        by write: Write, _ id: WriteID, _ operation: RecordOperation, _ commit: PastCommit
    ) -> Set<WriteID> {
        var copy = self
        return copy.apply(write, id, operation, commit).union(write.replaces ?? [])
    }

    /// The write, with ignored writes in its list replaced by those that they replaced.
    private func naming(_ write: Write) -> Write {
        guard let named = write.replaces else { return write }
        var write = write
        write.replaces = named.flatMap { leftOut[$0] ?? [$0] }
        return write
    }

    func entry(of write: WriteID) -> Entry? { places[write].map { entries[$0] } }

    private func survivors(of register: RegisterName) -> Set<WriteID> {
        Set(state.register(register)?.writes.map(\.id) ?? [])
    }
}

/// The register that a write changes.
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

extension RecordPast {
    /// The text to write at this time so that the wanted text is shown after merging with the simultaneous texts
    /// of others. Sometimes that is an earlier text. Nil if none is sure to do so.
    func text(showing wanted: Value, by write: Write, at time: HybridTime) throws -> Value? {
        let before = entries.reversed().filter {
            $0.isEffective && RegisterName($0.write) == RegisterName(write)
        }.map(\.write.value)
        // Merging depends on the order of ids, too, and the id of the commit is not known yet.
        let next = [CommitID.zero, .greatest].map { NextWrite(write, in: $0, at: time, of: self) }
        var tried: Set<Value> = []
        for text in [wanted] + before
        where tried.count < Limits.textsTried && tried.insert(text).inserted {
            if try next.allSatisfy({ try $0.shown(text) == wanted }) { return text }
        }
        return nil
    }
}

/// A write that is only considered, after all others and by a commit that has seen them.
private struct NextWrite {
    private let id: WriteID
    private let texts: PastTexts
    private let history: RegisterHistory?

    init(_ write: Write, in commit: CommitID, at time: HybridTime, of past: RecordPast) {
        id = WriteID(commit: commit, index: 0)
        texts = PastTexts(past: past)
        guard let entries = texts.entries(of: write.field), let last = entries.last else {
            history = nil
            return
        }
        let next = RegisterHistory.Entry(
            id: id, log: last.log, sequence: .max, clock: time, precedence: write.precedence,
            replaces: write.replaces, seen: last.seen.mapValues { _ in .max })
        history = RegisterHistory(entries + [next])
    }

    /// What the field shows if it writes this text.
    func shown(_ text: Value) throws -> Value {
        guard let history else { return text }
        let merged = try MergeText.merge(history) { $0 == id ? text : texts.value(of: $0) }
        return merged?.value ?? text
    }
}

extension CommitID {
    fileprivate static var greatest: CommitID {
        CommitID(bytes: [UInt8](repeating: .max, count: Bytes32.byteCount)) ?? .zero
    }
}

extension Limits {
    /// Texts to try for the one that shows the wanted text.
    static let textsTried = 16
}

/// The writes of a past, for merging texts.
private struct PastTexts: RecordHistory {
    let past: RecordPast

    func history(of field: String) -> RegisterHistory? {
        entries(of: field).map { RegisterHistory($0) }
    }

    /// Nil with more than are merged.
    func entries(of field: String) -> [RegisterHistory.Entry]? {
        let own = past.entries.filter {
            $0.isEffective && $0.write.field == field && $0.write.element == nil
        }
        guard own.count <= Limits.mergedHistory else { return nil }
        let logs = Set(own.map(\.commit.applied.log))
        return own.map { entry in
            let applied = entry.commit.applied
            return RegisterHistory.Entry(
                id: entry.id, log: applied.log, sequence: applied.sequence, clock: applied.clock,
                precedence: entry.write.precedence, replaces: entry.write.replaces,
                seen: Dictionary(uniqueKeysWithValues: logs.map { ($0, applied.seen($0)) }))
        }
    }

    func value(of write: WriteID) -> Value? { past.entry(of: write)?.write.value }

    func seen(by write: SurvivingWrite, of log: LogID) -> UInt64 {
        past.entry(of: write.id)?.commit.applied.seen(log) ?? 0
    }
}
