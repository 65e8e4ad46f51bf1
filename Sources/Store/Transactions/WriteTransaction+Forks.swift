internal import SyncCore

/// Forked logs: a proof cuts the log, and what stands beyond is kept as branches.
extension WriteTransaction {
    /// Another commit stands at the position of this one: both headers prove a fork.
    func prove(
        _ commit: VerifiedCommit, _ stored: CommitID, _ state: inout LoadedSpace,
        _ report: inout ApplyReport
    ) throws {
        let row = try database.row(
            "SELECT header, signature, clear, operations FROM commits WHERE commit_id = ?",
            [stored.bytes])
        guard let row else { throw StoreError.corrupt("commit \(stored) is not there") }
        let encoded = try row.encodedCommit()
        // The stored one was verified when it came.
        let proof = UnverifiedFork(
            first: UnverifiedFork.Side(encoded, try decoder.header(encoded.header)),
            second: UnverifiedFork.Side(commit.encoded, commit.header))
        guard proof.isCoherent(in: state.ledger.space) else { return }
        try adopt(VerifiedFork(verified: proof), in: &state, &report)
    }

    /// The proofs that a commit carries in its clear part.
    func adoptForks(
        statedBy commit: VerifiedCommit, in state: inout LoadedSpace,
        _ report: inout ApplyReport
    ) throws {
        for (fact, stated) in zip(commit.facts, commit.commit.clear.facts) {
            guard case .fork = fact, case .fork(let proof) = stated else { continue }
            try adopt(VerifiedFork(verified: proof), in: &state, &report)
        }
    }

    /// Cuts a log before a fork; what is known already, or of nobody here, changes nothing.
    func adopt(
        _ fork: VerifiedFork, in state: inout LoadedSpace, _ report: inout ApplyReport
    ) throws {
        let (log, sequence) = (fork.log, fork.sequence)
        guard state.ledger.acceptsFork(of: log, at: sequence) else { return }
        let base = try baseHead(of: log, before: sequence, state)
        if let row = state.logs[log], state.ledger.watermark.covers(log, sequence) {
            try collectRecords(of: row, from: sequence, state, &report)
            try BranchTable.move(row, from: sequence, in: database)
            state.forgetFiles(at: nextVersion)
            try database.run(
                "UPDATE logs SET head_sequence = ?, head_commit = ? WHERE id = ?",
                [
                    Int64(bitPattern: base?.sequence ?? 0), (base?.commit ?? .zero).bytes, row,
                ])
        }
        let branches = try state.logs[log].map { try BranchTable.links(of: $0, in: database) }
        guard state.ledger.fork(log, at: sequence, base: base, branches: branches ?? []) else {
            return
        }
        try ForkTable.save(fork, of: state.row, in: database)
        report.found.newForks.insert(log)
        report.membershipChanged = true
    }

    private func baseHead(
        of log: LogID, before sequence: UInt64, _ state: LoadedSpace
    ) throws -> LogHead? {
        guard sequence > 1, let commit = try commitID(at: sequence - 1, of: log, state) else {
            return nil
        }
        return LogHead(sequence: sequence - 1, commit: commit)
    }

    /// Notes the records that effective commits of a log touch from a position on.
    private func collectRecords(
        of log: Int64, from sequence: UInt64, _ state: LoadedSpace,
        _ report: inout ApplyReport
    ) throws {
        let cursor = try database.rowCursor(
            """
            SELECT header, signature, clear, operations FROM commits
            WHERE log = ? AND sequence >= ? AND effective = 1
            """, [log, Int64(bitPattern: sequence)])
        while let row = try cursor.next() {
            let commit = try row.commit(decoder)
            displaced.formUnion(keys(of: commit, in: state))
        }
    }

    /// Stores a commit that stands beyond a fork, when it hangs together with what is here.
    func keepBranch(
        _ commit: VerifiedCommit, in state: inout LoadedSpace, _ report: inout ApplyReport,
        now: Milliseconds
    ) throws -> SpaceLedger.Refusal? {
        if try BranchTable.holds(commit.id, in: database) { return .known }
        let header = commit.header
        let row = try intern(header.log, in: &state)
        let refusal = try state.ledger.checkBranch(commit) { previous in
            try BranchTable.holds(previous, of: row, at: header.sequence - 1, in: database)
        }
        if let refusal { return refusal }
        try BranchTable.insert(commit, space: state.row, log: row, now: now, in: database)
        decoder.learnKeys(from: commit)
        let membership = state.ledger.membership
        let seen =
            try commit.needsSeen
            ? BranchTable.seen(by: header, of: row, database, decoder) {
                membership.facts.seen(by: $0)
            }
            : [:]
        if state.ledger.recordBranch(commit, seen: seen) { report.membershipChanged = true }
        loaded.keys.learn(from: commit.commit.clear)
        report.found.branched += 1
        try adoptForks(statedBy: commit, in: &state, &report)
        return nil
    }
}
