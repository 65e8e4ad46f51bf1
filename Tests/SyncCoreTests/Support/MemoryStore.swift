import SyncCore

/// A store in memory: one space's log over the core's own ledger and merge.
struct MemoryStore {
    struct Outcome {
        var before = Watermark()
        var after = Watermark()
        var stored: [VerifiedCommit] = []
        /// Each reason, of every commit that was left out.
        var refusals: [SpaceLedger.Refusal] = []
        var refusal: SpaceLedger.Refusal? { refusals.first }
    }

    private struct Position: Hashable {
        let log: LogID
        let sequence: UInt64
    }

    private(set) var ledger: SpaceLedger?
    /// In storing order.
    private(set) var commits: [VerifiedCommit] = []
    private var applied: [AppliedCommit] = []
    private var places: [Position: CommitID] = [:]

    var watermark: Watermark { ledger?.watermark ?? Watermark() }

    /// Takes commits in order; leaves out what does not fit, and ends at misbehaviour.
    mutating func apply(_ new: [VerifiedCommit]) -> Outcome {
        var outcome = Outcome(before: watermark)
        for commit in new {
            if ledger == nil {
                guard let genesis = commit.commit.clear.genesis else {
                    outcome.refusals.append(.causalPastMissing)
                    break
                }
                ledger = SpaceLedger(
                    space: commit.space, role: genesis.role, schema: genesis.schema)
            }
            let refusal = check(commit)
            if refusal == .known { continue }
            if let refusal {
                outcome.refusals.append(refusal)
                if refusal.isMisbehaviour { break }
                continue
            }
            record(commit)
            outcome.stored.append(commit)
        }
        outcome.after = watermark
        return outcome
    }

    func check(_ commit: VerifiedCommit) -> SpaceLedger.Refusal? {
        try? ledger?.check(commit) { places[Position(log: $0, sequence: $1)] }
    }

    private mutating func record(_ commit: VerifiedCommit) {
        _ = ledger?.record(commit)
        commits.append(commit)
        if let state = ledger?.applied(commit) { applied.append(state) }
        places[Position(log: commit.header.log, sequence: commit.header.sequence)] = commit.id
    }

    /// Writes one commit of this log under the device's most able grant; nil without one.
    mutating func append(
        in log: LogID, clock: UInt64, under grant: FactReference? = nil, _ draft: TestDraft
    ) -> VerifiedCommit? {
        guard let ledger,
            let grant = grant ?? ledger.membership.writingGrant(of: log.device)
        else { return nil }
        let commit = TestCommit.next(in: log, of: ledger, under: grant, clock: clock, draft)
        guard ledger.isEffective(commit), check(commit) == nil else { return nil }
        record(commit)
        return commit
    }

    /// Commits beyond a watermark from place `after` on, at most `limit`.
    func page(beyond watermark: Watermark, after: Int64, limit: Int) -> LoadedCommits {
        var found: [UnverifiedCommit] = []
        for (place, commit) in commits.enumerated().dropFirst(Int(after)) {
            let header = commit.header
            if watermark.covers(header.log, header.sequence) { continue }
            if found.count == limit {
                return LoadedCommits(commits: found, cursor: Int64(place), isLast: false)
            }
            found.append(commit.commit)
        }
        return LoadedCommits(commits: found, cursor: Int64(commits.count), isLast: true)
    }

    /// What all effective commits amount to.
    var records: [RecordID: RecordState] {
        var records: [RecordID: RecordState] = [:]
        for (commit, state) in zip(commits, applied) where ledger?.isEffective(commit) == true {
            var index: UInt32 = 0
            for operation in commit.commit.operations {
                records[operation.record, default: RecordState()]
                    .apply(operation, firstIndex: index, of: state)
                index += UInt32(operation.writes.count)
            }
        }
        return records
    }
}
