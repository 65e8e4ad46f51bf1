package import SyncCore

/// The double of the store in tests of the engine: one space's log in memory, over the core's own ledger
/// and merge. `StoreContractTests` hold it to what the store promises.
package struct MemoryStore {
    private struct Position: Hashable {
        let log: LogID
        let sequence: UInt64
    }

    package private(set) var ledger: SpaceLedger?
    /// In storing order.
    package private(set) var commits: [VerifiedCommit] = []
    /// The place of each of them, which it keeps when others leave.
    private var places: [Int64] = []
    private var lastPlace: Int64 = 0
    /// Commits at forks and beyond.
    package private(set) var branches: [VerifiedCommit] = []
    private var proofs: [LogID: UnverifiedFork] = [:]
    /// What facts say of logs whose devices are no members yet, as far as is known here.
    private var openForks: [(log: LogID, sequence: UInt64)] = []
    private var applied: [AppliedCommit] = []
    private var positions: [Position: CommitID] = [:]

    package init() {}

    package var watermark: Watermark { ledger?.watermark ?? Watermark() }
    package var forks: [LogID: ForkedLog] { ledger?.forks ?? [:] }

    /// Stores commits in order; leaves out what does not fit, and ends at misbehaviour.
    package mutating func apply(
        _ new: [VerifiedCommit], now: Milliseconds = Milliseconds(0)
    ) -> ApplyReport {
        var report = ApplyReport(space: ledger?.space ?? new.first?.space ?? SpaceID(.zero))
        ledger?.pace.advance(to: now)
        for commit in new {
            if ledger == nil {
                guard let genesis = commit.commit.clear.genesis else {
                    report.note(ApplyReport.Refusal(commit, .causalPastMissing))
                    break
                }
                ledger = SpaceLedger(
                    space: commit.space, role: genesis.role, schema: genesis.schema)
            }
            guard let refusal = store(commit, &report), refusal != .known else { continue }
            let reason = ledger?.noteRefusal(refusal, of: commit) ?? refusal
            report.note(ApplyReport.Refusal(commit, reason))
            if reason.isMisbehaviour { break }
        }
        let stored = Set(report.stored.map(\.id))
        report.effective = commits.count {
            stored.contains($0.id) && ledger?.isEffective($0) == true
        }
        report.view = ledger.map(SpaceView.init)
        return report
    }

    /// Takes in a proof that a log forked.
    package mutating func apply(_ proof: UnverifiedFork) -> ApplyReport {
        var report = ApplyReport(space: ledger?.space ?? SpaceID(.zero))
        let log = proof.first.header.log
        if fork(log, at: proof.first.header.sequence, proof) { report.found.newForks = [log] }
        report.view = ledger.map(SpaceView.init)
        return report
    }

    private mutating func store(
        _ commit: VerifiedCommit, _ report: inout ApplyReport
    ) -> SpaceLedger.Refusal? {
        let refusal = check(commit)
        switch refusal {
        case nil:
            record(commit)
            report.stored.append(commit.commit)
            adoptForks(of: commit, &report)
            return nil
        case .forked(let stored):
            guard let other = commits.first(where: { $0.id == stored }) else { return refusal }
            let proof = UnverifiedFork(
                first: .init(other.encoded, other.header),
                second: .init(commit.encoded, commit.header))
            guard fork(commit.header.log, at: commit.header.sequence, proof) else { return refusal }
            report.found.newForks.insert(commit.header.log)
            return keepBranch(commit, &report)
        case .beyondFork: return keepBranch(commit, &report)
        default: return refusal
        }
    }

    private mutating func keepBranch(
        _ commit: VerifiedCommit, _ report: inout ApplyReport
    ) -> SpaceLedger.Refusal? {
        report.found.lastBranch = BranchPlace(commit.commit)
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
        report.found.branched += 1
        adoptForks(of: commit, &report)
        return nil
    }

    /// Those that its facts speak of, and those of before whose devices are known only now.
    private mutating func adoptForks(of commit: VerifiedCommit, _ report: inout ApplyReport) {
        guard !commit.facts.isEmpty else { return }
        for case .fork(let log, let sequence) in commit.facts { openForks.append((log, sequence)) }
        for (log, sequence) in openForks where fork(log, at: sequence) {
            report.found.newForks.insert(log)
        }
        openForks.removeAll { ledger?.membership.facts.isKnown($0.log.device) == true }
    }

    /// Learns that a log forked; false when that was known or is not taken.
    @discardableResult
    package mutating func fork(
        _ log: LogID, at sequence: UInt64, _ proof: UnverifiedFork? = nil
    ) -> Bool {
        guard ledger?.acceptsFork(of: log, at: sequence) == true else { return false }
        let base = positions[Position(log: log, sequence: sequence - 1)].map {
            LogHead(sequence: sequence - 1, commit: $0)
        }
        let moved = commits.indices.filter { commits[$0].header.log == log }
            .filter { commits[$0].header.sequence >= sequence }
        branches += moved.map { commits[$0] }
        for index in moved.reversed() {
            positions[Position(log: log, sequence: commits[index].header.sequence)] = nil
            commits.remove(at: index)
            places.remove(at: index)
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

    package func check(_ commit: VerifiedCommit) -> SpaceLedger.Refusal? {
        try? ledger?.check(commit) { positions[Position(log: $0, sequence: $1)] }
    }

    private mutating func record(_ commit: VerifiedCommit) {
        _ = ledger?.record(commit)
        commits.append(commit)
        lastPlace += 1
        places.append(lastPlace)
        if let state = ledger?.applied(commit.commit) { applied.append(state) }
        positions[Position(log: commit.header.log, sequence: commit.header.sequence)] = commit.id
    }

    /// Writes one commit of this log, which `make` makes for its place, under the device's most able grant;
    /// nil where it has none or may not write that.
    package mutating func append(
        in log: LogID, under grant: FactReference? = nil,
        making make: (SpaceLedger, FactReference) -> VerifiedCommit
    ) -> VerifiedCommit? {
        guard let ledger,
            let grant = grant ?? ledger.membership.writingGrant(of: log.device)
        else { return nil }
        let commit = make(ledger, grant)
        self.ledger?.needAll(of: log)
        guard ledger.isAllowed(ledger.claim(of: commit.commit)), check(commit) == nil else {
            return nil
        }
        record(commit)
        for case .fork(let log, let sequence) in commit.facts { fork(log, at: sequence) }
        return commit
    }

    /// Commits beyond a watermark behind place `after`, at most `limit`.
    package func page(beyond watermark: Watermark, after: Int64, limit: Int) -> LoadedCommits {
        var found: [UnverifiedCommit] = []
        var cursor = after
        for (place, commit) in zip(places, commits) where place > after {
            let header = commit.header
            if watermark.covers(header.log, header.sequence) { continue }
            if found.count == limit {
                return LoadedCommits(commits: found, cursor: cursor, isLast: false)
            }
            found.append(commit.commit)
            cursor = place
        }
        return LoadedCommits(commits: found, cursor: lastPlace, isLast: true)
    }

    /// What a peer lacks that listed these forks, at most `limit` commits.
    package func forks(for question: ForkQuestion, limit: Int) -> LoadedForks {
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
    package var records: [RecordID: RecordState] {
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
