package import SyncCore
internal import Synchronization

extension CommitLog {
    /// Stores commits of a space in their order, makes the effective ones visible, and returns when
    /// all of that is durable. A genesis makes its space.
    ///
    /// Known commits are skipped. What does not fit is left out, with what builds on it, and the rest
    /// goes on: one log that nobody can take must not hold up the others. Misbehaviour ends the work and
    /// keeps what came before it. Long batches take several transactions, so that a local write between them need not
    /// wait; when one throws, those before it stay: ask ``SyncStore/ledger(of:)`` how far it came.
    ///
    /// `device` is whose store this is: where it was only given a space to carry, it keeps what such a
    /// device may have.
    package func apply(
        _ commits: [VerifiedCommit], to space: SpaceID, on device: DeviceID? = nil,
        now: Milliseconds
    ) throws -> ApplyReport {
        var report = ApplyReport(
            space: space, view: connection.loaded { $0.spaces[space].map { SpaceView($0.ledger) } })
        var rest = commits[...]
        while !rest.isEmpty && report.refusal?.reason.isMisbehaviour != true {
            let writes = connection.pace.withLock { $0.nextWrites() }
            let part = rest.prefix(CommitLog.turnLength(of: rest, writes))
            precondition(!part.isEmpty, "\(rest.count) commits fit no transaction")
            rest = rest.dropFirst(part.count)
            report.merge(
                try connection.turn { try $0.apply(part, to: space, on: device, now: now) })
        }
        Invariants.check(
            Set(report.stored.map(\.id)).isSubset(of: commits.map(\.id)),
            "a commit is stored that did not come")
        if !report.stored.isEmpty, connection.loaded({ $0.stranded.contains(space) }) {
            report.merge(try StrandedCommits(connection).readmit(space))
        }
        return report
    }

    /// How many of the commits fit one turn of so many writes, at least one.
    private static func turnLength(of commits: ArraySlice<VerifiedCommit>, _ most: Int) -> Int {
        var writes = 0
        var count = 0
        for commit in commits {
            // A commit costs about as much as four writes: its row, indexes and log head.
            writes += 4 + commit.commit.operations.reduce(0) { $0 + $1.writes.count }
            if count > 0 && writes > most { break }
            count += 1
        }
        return count
    }
}

extension CommitLog {
    /// Takes in a proof that a log forked: durable on return.
    package func apply(
        _ fork: VerifiedFork, to space: SpaceID
    ) throws -> ApplyReport {
        try connection.turn { turn in
            var report = ApplyReport(space: space)
            guard var state = turn.loaded.spaces[space] else {
                throw StoreError.spaceUnknown(space)
            }
            let before = state.ledger
            try turn.adopt(fork, in: &state, &report)
            try turn.finish(&state, since: before, &report)
            turn.loaded.spaces[space] = state
            report.view = SpaceView(state.ledger)
            return report
        }
    }
}
