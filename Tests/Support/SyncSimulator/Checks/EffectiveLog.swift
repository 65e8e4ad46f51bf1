import Store
import SyncCore

/// The effective commits of a space, as merging receives them: derived from the events alone.
struct EffectiveLog {
    struct Entry {
        /// The number in the space's history.
        let number: Int
        let commit: AppliedCommit
        let clear: ClearPart
        /// With the current names of collections and fields.
        let operations: [RecordOperation]

        /// With the records that they are about.
        var writes: [(key: RecordKey, written: Written)] {
            var index: UInt32 = 0
            return operations.flatMap { operation in
                let key = RecordKey(operation)
                return operation.writes.map { write in
                    defer { index += 1 }
                    return (
                        key,
                        Written(
                            id: WriteID(commit: commit.id, index: index), write: write,
                            commit: commit)
                    )
                }
            }
        }
    }

    struct Written {
        let id: WriteID
        let write: Write
        let commit: AppliedCommit
    }

    /// In the order in which they were written.
    let entries: [Entry]
    let schema: Schema?

    init(_ history: SpaceHistory, _ effective: Set<CommitID>, under schema: Schema?) {
        self.schema = schema
        let redatings = EffectiveLog.redatings(history, effective)
        entries = history.entries.enumerated().compactMap { number, entry -> Entry? in
            guard effective.contains(entry.commit.id) else { return nil }
            let header = entry.commit.header
            let clock = redatings.first { redating, author in
                redating.device == header.log.device && history.precedes(number, author)
                    && redating.span.contains(header.clock.milliseconds)
            }.map { header.clock.moved(by: $0.redating.offsetMilliseconds) }
            return Entry(
                number: number,
                commit: AppliedCommit(
                    id: entry.commit.id, header: header, clock: clock ?? header.clock,
                    seen: history.seen(by: number)),
                clear: entry.commit.clear,
                operations: entry.commit.operations.map { schema?.current($0) ?? $0 })
        }
    }

    /// Devices' statements about their own clocks, with the number of the commit; a statement that
    /// takes precedence comes first.
    private static func redatings(
        _ history: SpaceHistory, _ effective: Set<CommitID>
    ) -> [(redating: Redating, author: Int)] {
        var found: [(past: UInt64, id: FactReference, redating: Redating, author: Int)] = []
        for (number, entry) in history.entries.enumerated()
        where effective.contains(entry.commit.id) {
            let header = entry.commit.header
            let past = history.seen(by: number).filter { $0.key != header.log }.reduce(
                header.sequence
            ) { $0 + min($1.value, (history.forks[$1.key] ?? .max) - 1) }
            for (index, fact) in entry.commit.clear.facts.enumerated() {
                guard case .redating(let redating) = fact, redating.device == header.log.device
                else { continue }
                let id = FactReference(commit: entry.commit.id, index: UInt32(index))
                found.append((past, id, redating, number))
            }
        }
        return found.sorted { ($1.past, $1.id) < ($0.past, $0.id) }.map { ($0.redating, $0.author) }
    }

    /// The result of merging these entries in this order.
    func states(of places: some Sequence<Int>) throws -> [RecordKey: RecordState] {
        var states: [RecordKey: RecordState] = [:]
        var pasts: [RecordKey: WrittenPast] = [:]
        for place in places {
            let commit = entries[place].commit
            var index: UInt32 = 0
            for operation in entries[place].operations {
                states[RecordKey(operation), default: RecordState()].apply(
                    operation, firstIndex: index, of: commit)
                index += UInt32(truncatingIfNeeded: operation.writes.count)
            }
            for (key, written) in entries[place].writes {
                pasts[key, default: WrittenPast()].writes.append(written)
            }
        }
        for (key, past) in pasts {
            try states[key]?.mergeFromHistory(under: schema?.collection(key.collection), from: past)
        }
        return states
    }
}

/// Every effective write to one record, in the order in which they were merged.
private struct WrittenPast: RecordHistory {
    var writes: [EffectiveLog.Written] = []

    func history(of field: String) -> RegisterHistory? {
        let written = writes.filter { $0.write.field == field && $0.write.element == nil }
        let logs = Set(written.map(\.commit.log))
        return RegisterHistory(
            written.map { entry in
                RegisterHistory.Entry(
                    id: entry.id, log: entry.commit.log, sequence: entry.commit.sequence,
                    clock: entry.commit.clock, precedence: entry.write.precedence,
                    replaces: entry.write.replaces,
                    seen: logs.reduce(into: [:]) { $0[$1] = entry.commit.seen($1) })
            })
    }

    func value(of write: WriteID) -> Value? {
        writes.first { $0.id == write }?.write.value
    }

    func seen(by write: SurvivingWrite, of log: LogID) -> UInt64 {
        writes.first { $0.id == write.id }?.commit.seen(log) ?? 0
    }
}
