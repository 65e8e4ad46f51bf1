import SyncCore

/// A store in memory: one space's log over the core's own ledger and merge.
struct MemoryStore {
    struct Outcome {
        var after = Watermark()
        var stored: [VerifiedCommit] = []
        /// One for every commit that was left out.
        var refusals: [ApplyReport.Refusal] = []
        var refusal: SpaceLedger.Refusal? { refusals.first?.reason }
        var found = ForkFindings()
    }

    private struct Position: Hashable {
        let log: LogID
        let sequence: UInt64
    }

    private(set) var ledger: SpaceLedger?
    /// In storing order.
    private(set) var commits: [VerifiedCommit] = []
    /// Commits at forks and beyond.
    private(set) var branches: [VerifiedCommit] = []
    private(set) var proofs: [LogID: UnverifiedFork] = [:]
    /// What facts say of logs whose devices are no members yet, as far as is known here.
    private var openForks: [(log: LogID, sequence: UInt64)] = []
    private var applied: [AppliedCommit] = []
    private var places: [Position: CommitID] = [:]

    var watermark: Watermark { ledger?.watermark ?? Watermark() }
    var forks: [LogID: ForkedLog] { ledger?.forks ?? [:] }

    /// Takes commits in order; leaves out what does not fit, and ends at misbehaviour.
    mutating func apply(_ new: [VerifiedCommit], now: Milliseconds = Milliseconds(0)) -> Outcome {
        var outcome = Outcome()
        ledger?.pace.advance(to: now)
        for commit in new {
            if ledger == nil {
                guard let genesis = commit.commit.clear.genesis else {
                    outcome.refusals.append(ApplyReport.Refusal(commit, .causalPastMissing))
                    break
                }
                ledger = SpaceLedger(
                    space: commit.space, role: genesis.role, schema: genesis.schema)
            }
            guard let refusal = take(commit, &outcome), refusal != .known else { continue }
            let reason = ledger?.noteRefusal(refusal, of: commit) ?? refusal
            outcome.refusals.append(ApplyReport.Refusal(commit, reason))
            if case .suspected(let log, let sequence) = refusal {
                outcome.found.suspect(log, at: sequence)
            }
            if refusal.isMisbehaviour { break }
        }
        outcome.after = watermark
        return outcome
    }

    private mutating func take(
        _ commit: VerifiedCommit, _ outcome: inout Outcome
    ) -> SpaceLedger.Refusal? {
        let refusal = check(commit)
        switch refusal {
        case nil:
            record(commit)
            outcome.stored.append(commit)
            takeForks(of: commit, &outcome)
            return nil
        case .forked(let stored):
            guard let other = commits.first(where: { $0.id == stored }) else { return refusal }
            let proof = UnverifiedFork(
                first: .init(other.encoded, other.header),
                second: .init(commit.encoded, commit.header))
            guard fork(commit.header.log, at: commit.header.sequence, proof) else { return refusal }
            outcome.found.newForks.insert(commit.header.log)
            return keepBranch(commit, &outcome)
        case .beyondFork: return keepBranch(commit, &outcome)
        default: return refusal
        }
    }

    private mutating func keepBranch(
        _ commit: VerifiedCommit, _ outcome: inout Outcome
    ) -> SpaceLedger.Refusal? {
        outcome.found.lastBranch = BranchPlace(commit.commit)
        if branches.contains(where: { $0.id == commit.id }) { return .known }
        let header = commit.header
        let refusal = try? ledger?.checkBranch(commit) { previous in
            branches.contains {
                $0.id == previous && $0.header.log == header.log
                    && $0.header.sequence == header.sequence - 1
            }
        }
        if let refusal { return refusal }
        let seen = seen(by: commit)
        _ = ledger?.recordBranch(commit, seen: seen)
        branches.append(commit)
        outcome.found.branched += 1
        takeForks(of: commit, &outcome)
        return nil
    }

    /// Those that its facts speak of, and those of before whose devices are known only now.
    private mutating func takeForks(of commit: VerifiedCommit, _ outcome: inout Outcome) {
        guard !commit.facts.isEmpty else { return }
        for case .fork(let log, let sequence) in commit.facts { openForks.append((log, sequence)) }
        for (log, sequence) in openForks where fork(log, at: sequence) {
            outcome.found.newForks.insert(log)
        }
        openForks.removeAll { ledger?.membership.facts.isKnown($0.log.device) == true }
    }

    /// Learns that a log forked; false when that was known or is not taken.
    @discardableResult
    mutating func fork(
        _ log: LogID, at sequence: UInt64, _ proof: UnverifiedFork? = nil
    ) -> Bool {
        guard ledger?.acceptsFork(of: log, at: sequence) == true else { return false }
        let base = places[Position(log: log, sequence: sequence - 1)].map {
            LogHead(sequence: sequence - 1, commit: $0)
        }
        let moved = commits.indices.filter { commits[$0].header.log == log }
            .filter { commits[$0].header.sequence >= sequence }
        branches += moved.map { commits[$0] }
        for index in moved.reversed() {
            places[Position(log: log, sequence: commits[index].header.sequence)] = nil
            commits.remove(at: index)
            applied.remove(at: index)
        }
        let own = branches.filter { $0.header.log == log }
        _ = ledger?.fork(
            log, at: sequence, base: base, branches: own.map { BranchLink($0.commit) })
        proofs[log] = proof
        return true
    }

    /// What a commit of a branch had seen of other logs.
    private func seen(by commit: VerifiedCommit) -> [LogID: UInt64] {
        var seen: [LogID: UInt64] = [:]
        var next: VerifiedCommit? = commit
        while let current = next {
            for position in current.header.seen {
                seen[position.log] = max(seen[position.log] ?? 0, position.head.sequence)
            }
            next = (branches + commits).first { $0.id == current.header.previous }
        }
        return seen
    }

    func check(_ commit: VerifiedCommit) -> SpaceLedger.Refusal? {
        try? ledger?.check(commit) { places[Position(log: $0, sequence: $1)] }
    }

    private mutating func record(_ commit: VerifiedCommit) {
        _ = ledger?.record(commit)
        commits.append(commit)
        if let state = ledger?.applied(commit.commit) { applied.append(state) }
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
        self.ledger?.needAll(of: log)
        guard ledger.isAllowed(ledger.claim(of: commit.commit)), check(commit) == nil else {
            return nil
        }
        record(commit)
        for case .fork(let log, let sequence) in commit.facts { fork(log, at: sequence) }
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

    /// What a peer lacks that listed these forks, at most `limit` commits.
    func forks(for question: ForkQuestion, limit: Int) -> LoadedForks {
        var loaded = LoadedForks(proofs: [], commits: [])
        if let place = question.wanted.first(where: { branch($0.commit) != nil }) {
            var next = branch(place.commit)
            while let commit = next, loaded.headers.count < limit {
                loaded.headers.append(
                    UnverifiedHeader(bytes: commit.encoded.header, header: commit.header))
                next = branch(commit.header.previous)
            }
        }
        for log in forks.keys.sorted() {
            let theirs = question.listed.first { $0.log == log }
            if theirs.map({ $0.sequence > forks[log]?.sequence ?? 0 }) ?? true {
                loaded.proofs += proofs[log].map { [$0] } ?? []
                continue
            }
            var held: Set<CommitID> = []
            var next = theirs?.tips ?? []
            while let tip = next.popLast() {
                guard let commit = branches.first(where: { $0.id == tip }) else { continue }
                if held.insert(tip).inserted { next.append(commit.header.previous) }
            }
            loaded.commits +=
                branches.filter { $0.header.log == log && !held.contains($0.id) }.map(\.commit)
        }
        let missing = loaded.commits.sorted { BranchPlace($0) < BranchPlace($1) }
            .filter { commit in question.after.map { $0 < BranchPlace(commit) } ?? true }
        loaded.commits = loaded.headers.isEmpty ? Array(missing.prefix(limit)) : []
        return loaded
    }

    private func branch(_ id: CommitID) -> VerifiedCommit? { branches.first { $0.id == id } }

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
