import Store
import SyncCore

/// What is shown is what merging the history alone makes, in the order in which it was written:
/// whatever came in which order, and however the store finds it again.
extension World {
    func checkMerging() {
        for space in spaces {
            guard let history = histories[space] else { continue }
            for group in groups(of: space) {
                do {
                    try checkMerging(in: space, history, group)
                } catch {
                    fail("merging", "a store does not answer: \(error)")
                }
            }
        }
    }

    /// All of a group let the same commits count.
    private func checkMerging(
        in space: SpaceID, _ history: SpaceHistory, _ group: [Replica]
    ) throws {
        guard let store = group.first?.store else { return }
        let effective = try effectiveCommits(of: space, store)
        let expected = try states(of: history, effective)
        let conflicts = expected.filter {
            $0.value.isConflicted(under: schema.collection($0.key.collection))
        }.map(\.key).sorted()
        for replica in group {
            guard let store = replica.store else { continue }
            for (key, state) in expected where try store.record(key, of: space) != state {
                fail(
                    "merging",
                    "\(replica.index) makes something else of \(key.collection) "
                        + "\(key.record) in \(short(space))")
            }
            if try store.conflicts(of: space) != conflicts {
                fail("merging", "\(replica.index) asks about other records of \(short(space))")
            }
        }
    }

    private func states(
        of history: SpaceHistory, _ effective: Set<CommitID>
    ) throws -> [RecordKey: RecordState] {
        var states: [RecordKey: RecordState] = [:]
        var pasts: [RecordKey: WrittenPast] = [:]
        for (number, entry) in history.entries.enumerated()
        where effective.contains(entry.commit.id) {
            var seen: [LogID: UInt64] = [:]
            for earlier in 0..<number where history.precedes(earlier, number) {
                let header = history.entries[earlier].commit.header
                seen[header.log] = max(seen[header.log] ?? 0, header.sequence)
            }
            let commit = AppliedCommit(
                id: entry.commit.id, header: entry.commit.header, seen: seen)
            var index: UInt32 = 0
            for operation in entry.commit.operations {
                let key = RecordKey(
                    collection: operation.collection, record: operation.record)
                states[key, default: RecordState()].apply(
                    operation, firstIndex: index, of: commit)
                for write in operation.writes {
                    pasts[key, default: WrittenPast()].add(write, index, commit)
                    index += 1
                }
            }
        }
        for (key, past) in pasts {
            try states[key]?.settle(under: schema.collection(key.collection), from: past)
        }
        return states
    }
}

/// Every effective write to one record, in the order in which they were made.
private struct WrittenPast: RecordPast {
    private var writes: [(id: WriteID, write: Write, commit: AppliedCommit)] = []

    mutating func add(_ write: Write, _ index: UInt32, _ commit: AppliedCommit) {
        writes.append((WriteID(commit: commit.id, index: index), write, commit))
    }

    func history(of field: String) -> RegisterHistory? {
        let written = writes.filter { $0.write.field == field }
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
