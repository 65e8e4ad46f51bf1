/// Forked logs in the ledger: a proof cuts the log, and what stands beyond is branches.
extension SpaceLedger {
    /// Whether a proof is news, of a device that was ever granted the space and that does not fill
    /// it with forks of logs that are not here. The genesis itself cannot be in doubt: its id is the space's.
    package func acceptsFork(of log: LogID, at sequence: UInt64) -> Bool {
        if let known = forks[log], sequence >= known.sequence { return false }
        guard sequence > 1 || log != membership.facts.genesisLog,
            membership.facts.isKnown(log.device)
        else {
            return false
        }
        return forks[log] != nil || watermark.heads[log] != nil
            || forks.keys.count { $0.device == log.device } < Limits.logsPerDevice
    }

    /// Takes in that a log forked at a position: what stands there and beyond are `branches`, and
    /// `base` is the commit before it, nil when that is not here or there is none. Returns whether
    /// this was news.
    package mutating func fork(
        _ log: LogID, at sequence: UInt64, base: LogHead?, branches: [BranchLink]
    ) -> Bool {
        guard membership.fork(log, at: sequence, branches: branches) else { return false }
        precondition(
            base.map { $0.sequence == sequence - 1 } ?? true,
            "\(log) forked at \(sequence) and ends at \(base?.sequence ?? 0)")
        precondition(
            forks[log].map { sequence < $0.sequence } ?? true, "the fork of \(log) becomes higher")
        if watermark.covers(log, sequence) {
            watermark.cut(log, to: base)
            // Nobody asks what a log had seen that never goes on.
            seenBy[log] = nil
        }
        if watermark.sequence(of: log) + 1 >= sequence { openGroups.forget(log) }
        precondition(!watermark.covers(log, sequence), "\(log) counts beyond its fork")
        forks[log] = ForkedLog(sequence: sequence, branches: branches)
        Invariants.check(
            forks.mapValues(\.sequence) == membership.forks,
            "the members of \(space) are judged by other forks than \(log) has")
        return true
    }

    /// Checks that a commit beyond a fork hangs together with what is here. `isBranch` says whether
    /// a commit with this id stands in a branch of that log, one position before.
    package func checkBranch(
        _ commit: VerifiedCommit, isBranch: (CommitID) throws -> Bool
    ) throws -> Refusal? {
        let header = commit.header
        let log = header.log
        guard let fork = forks[log] else { return .causalPastMissing }
        if header.sequence == fork.sequence {
            guard watermark.covers(log, fork.sequence - 1) else { return .causalPastMissing }
            guard header.previous == watermark.heads[log]?.commit ?? .zero else {
                // They parted even earlier.
                return .suspected(log, header.sequence - 1)
            }
        } else if try !isBranch(header.previous) {
            return isLeft(commit, followsKnown: false) ? .paced : .causalPastMissing
        }
        // What counts is never a matter of what else came first.
        if commit.leadsToPin { return nil }
        if isLeft(commit, followsKnown: true) { return .paced }
        let isNewBranch = !fork.tips.contains(header.previous)
        guard fork.count < Limits.branchCommits, !isNewBranch || fork.tips.count < Limits.branchTips
        else { return .surplus }
        let facts = membership.facts.size(in: log).count + commit.facts.count
        return facts > Limits.factsPerLog * Limits.branchTips ? .surplus : nil
    }

    /// Takes a checked commit of a branch in, with what it had seen of other logs; returns whether
    /// membership changed. What it says of members counts where it is pinned, and others may name it.
    package mutating func recordBranch(
        _ commit: VerifiedCommit, seen: [LogID: UInt64]
    ) -> Bool {
        precondition(
            forks.cuts(commit.header.log, commit.header.sequence),
            "\(commit.header.sequence) of \(commit.header.log) is of no branch")
        if !commit.leadsToPin, let share = share(of: commit) { pace.spend(share) }
        forks[commit.header.log]?.tips.remove(commit.header.previous)
        forks[commit.header.log]?.tips.insert(commit.id)
        forks[commit.header.log]?.count += 1
        precondition(
            forks[commit.header.log].map { $0.tips.count <= $0.count } ?? false,
            "\(commit.header.log) has more ends than branch commits")
        return membership.add(commit, seen: seen, isBranch: true)
    }

    /// All that is known here, with the branches that are pinned: what a commit written now has seen.
    package var heard: Watermark {
        var heard = watermark
        for (log, head) in membership.pinnedHeads { heard.advance(log, to: head) }
        Invariants.check(
            membership.pinnedHeads.allSatisfy { heard.covers($0.key, $0.value.sequence) },
            "a pinned branch of \(space) was never heard of")
        return heard
    }
}
