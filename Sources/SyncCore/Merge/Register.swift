/// One write that no other write has superseded.
package struct SurvivingWrite: Hashable, Sendable {
    package let id: WriteID
    package let log: LogID
    package let sequence: UInt64
    package let clock: HybridTime
    package let precedence: UInt32
    package let value: Value

    package init(
        id: WriteID, log: LogID, sequence: UInt64, clock: HybridTime, precedence: UInt32,
        value: Value
    ) {
        (self.id, self.log, self.sequence) = (id, log, sequence)
        (self.clock, self.precedence, self.value) = (clock, precedence, value)
    }

    /// The order of last-write-wins: precedence, hybrid clock, author, commit, index.
    package static func isOlder(_ left: SurvivingWrite, _ right: SurvivingWrite) -> Bool {
        (left.precedence, left.clock, left.log.device, left.id)
            < (right.precedence, right.clock, right.log.device, right.id)
    }
}

/// The surviving concurrent writes of one field: usually one.
package struct Register: Hashable, Sendable {
    /// In the order of write ids, so that equal registers have equal bytes.
    package private(set) var writes: [SurvivingWrite]

    package init(_ writes: [SurvivingWrite] = []) {
        self.writes = writes.sorted { $0.id < $1.id }
    }

    /// Takes in a write. `seen` says up to where its commit had seen a log, its own included;
    /// writes must come in causal order. Without `replaces` the write supersedes all that its commit
    /// had seen; with it, exactly those named. None supersedes a higher precedence.
    package mutating func apply(
        _ write: SurvivingWrite, replaces: [WriteID]?, seen: (LogID) -> UInt64
    ) {
        writes.removeAll { existing in
            guard existing.precedence <= write.precedence else { return false }
            // A commit cannot replace what it had not seen: arrival order would then decide.
            guard existing.sequence <= seen(existing.log) else { return false }
            return replaces?.contains(existing.id) ?? true
        }
        forgetRepetitions(of: write.id.commit)
        let place = writes.firstIndex { write.id < $0.id } ?? writes.endIndex
        writes.insert(write, at: place)
        Invariants.check(
            zip(writes, writes.dropFirst()).allSatisfy { $0.id <= $1.id },
            "the writes of a field are out of order")
        Invariants.check(
            writes.count { $0.id.commit == write.id.commit } <= Limits.writesOfOneCommit,
            "one commit leaves too many writes of a field")
    }

    /// One commit that writes a register again and again without superseding itself leaves its last
    /// writes: each would be looked at with every further one. A commit's writes are taken in one after
    /// another everywhere, so it does not matter when.
    private mutating func forgetRepetitions(of commit: CommitID) {
        guard writes.count >= Limits.writesOfOneCommit else { return }
        let own = writes.indices.filter { writes[$0].id.commit == commit }
        if own.count >= Limits.writesOfOneCommit, let first = own.first { writes.remove(at: first) }
    }

    /// The greatest by last-write-wins; nil when the register is empty.
    package var latest: SurvivingWrite? {
        writes.max(by: SurvivingWrite.isOlder)
    }

    /// Whether the survivors disagree; equal values are no conflict.
    package var isConflicted: Bool {
        guard let first = writes.first else { return false }
        return writes.dropFirst().contains { $0.value != first.value }
    }
}

extension Limits {
    /// Writes of one commit that stay side by side in one register; people need one.
    package static let writesOfOneCommit = 16
}
