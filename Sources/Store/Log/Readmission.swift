internal import GRDB
package import SyncCore

/// Changes of a log that were here before pages of the database were damaged.
package struct LostChanges: Hashable, Sendable {
    package let space: SpaceID
    package let log: LogID
    let extent: DismissedDamage.Loss
    /// The devices that have acknowledged the last of them: they have them, or had them.
    package let holders: Set<DeviceID>
    /// Whether the person dismissed the loss.
    package let isDismissed: Bool

    /// How many are not here; 1 where that is not known.
    package var count: Int { extent.count }

    /// Noted as the end of a log of which another branch is here than was before: beyond what a log can get to, so
    /// that no commits but a proof of the fork end the loss.
    fileprivate static let ofBranch = Limits.sequence - 1
}

/// What damage took from the logs, and commits that wait for it.
package struct StrandedCommits: Sendable {
    let connection: StoreConnection

    init(_ connection: StoreConnection) { self.connection = connection }

    /// What was lost to damage and did not come again yet, by log. A space that this device left lost nothing if
    /// nothing of it is here: it is not fetched again.
    package func lostChanges() throws -> [LostChanges] {
        let (spaces, standings, dismissed) = connection.loaded {
            ($0.spaces, $0.standings, $0.dismissed)
        }
        return try noted().compactMap { end -> LostChanges? in
            let ledger = spaces[end.space]?.ledger
            guard ledger != nil || standings[end.space] != .left else { return nil }
            let here = ledger?.watermark.sequence(of: end.log) ?? 0
            let isCut = ledger?.forks[end.log] != nil
            guard end.sequence > here, !isCut else { return nil }
            let isOfBranch = end.sequence == LostChanges.ofBranch
            let waiting = try stranded(of: end.log, in: end.space, after: here)
            let count = isOfBranch ? 1 : Int(clamping: end.sequence - here) - waiting
            // Otherwise all of them wait for changes of another log.
            guard count > 0 else { return nil }
            let holders = try SignedStatements(connection).acks(of: end.space).filter {
                $0.said.watermark.covers(end.log, end.sequence)
            }
            let extent = DismissedDamage.Loss(after: here, sequence: end.sequence, count: count)
            return LostChanges(
                space: end.space, log: end.log, extent: extent,
                holders: Set(holders.map(\.said.device)),
                isDismissed: dismissed.covers(extent, of: end.log, in: end.space))
        }
    }

    /// How many commits of a log wait for those before them.
    private func stranded(of log: LogID, in space: SpaceID, after here: UInt64) throws -> Int {
        var count = 0
        try eachStranded(of: space) { _, commit in
            if commit.header.log == log, commit.header.sequence > here { count += 1 }
        }
        return count
    }

    private func eachStranded(
        of space: SpaceID, _ body: (Row, UnverifiedCommit) throws -> Void
    ) throws {
        try connection.read { database in
            let cursor = try database.rowCursor(
                """
                SELECT stranded.id AS id, header, signature, clear, operations FROM stranded
                    JOIN spaces ON spaces.id = stranded.space
                WHERE space_id = ? ORDER BY place, stranded.id
                """, [space.bytes])
            while let row = try cursor.next() {
                try body(row, try row.commit(connection.decoder))
            }
        }
    }

    /// How far logs go of which commits wait for others.
    var ends: [LogEnd] {
        get throws {
            var ends: [LogEnd] = []
            for space in connection.loaded({ $0.stranded }) {
                try eachStranded(of: space) { _, commit in
                    let header = commit.header
                    ends.append(LogEnd(space: space, log: header.log, sequence: header.sequence))
                }
            }
            return ends
        }
    }

    /// Notes how far logs had been here, of which not everything is, and removes dismissals of what is here by now.
    /// Returns whether none of the logs is the one that this device writes now. A loss that was noted before costs no write, but counts as well: an
    /// older database may have come back after it was noted, with the log that this device wrote then.
    func noteLost(_ heads: [LogEnd]) throws -> Bool {
        try narrowDismissed()
        let (spaces, standings, incarnation) = connection.loaded {
            ($0.spaces, $0.standings, $0.incarnation)
        }
        let noted = try noted()
        var ends: [SpaceID: [LogID: UInt64]] = [:]
        for head in heads + noted {
            let known = ends[head.space]?[head.log] ?? 0
            let isOther = try spaces[head.space].map { try hasOtherBranch(than: head, in: $0) }
            let end = isOther ?? false ? LostChanges.ofBranch : head.sequence
            ends[head.space, default: [:]][head.log] = max(known, end)
        }
        for space in ends.keys {
            guard let ledger = spaces[space]?.ledger else { continue }
            // Of a log that forked less is in its place.
            ends[space] = ends[space]?.filter { log, end in
                !ledger.watermark.covers(log, end) && ledger.forks[log] == nil
            }
        }
        ends = ends.filter { !$0.value.isEmpty && standings[$0.key] != nil }
        guard !ends.isEmpty else { return true }
        guard let own = incarnation else { throw StoreError.corrupt("no incarnation") }
        let isOwnWhole = ends.values.allSatisfy { $0.keys.allSatisfy { $0.incarnation != own } }
        for end in noted where ends[end.space]?[end.log].map({ $0 <= end.sequence }) == true {
            ends[end.space]?[end.log] = nil
        }
        ends = ends.filter { !$0.value.isEmpty }
        guard !ends.isEmpty else { return isOwnWhole }
        try connection.turn { turn in
            turn.loaded.isMarked = false
            for (space, logs) in ends {
                let row = try SpaceTable.row(of: space, in: turn.database)
                for (log, end) in logs {
                    try turn.database.run(
                        """
                        INSERT INTO lost (space, device, incarnation, sequence) VALUES (?, ?, ?, ?)
                        ON CONFLICT DO UPDATE SET sequence = max(sequence, excluded.sequence)
                        """,
                        [
                            row, log.device.bytes, log.incarnation.bytes,
                            Int64(bitPattern: end),
                        ])
                }
            }
        }
        return isOwnWhole
    }

    /// Whether another commit is here in the position of a log's last one. After a home was put back and written to
    /// again, so it is in a copy of the database from before that.
    private func hasOtherBranch(than end: LogEnd, in state: LoadedSpace) throws -> Bool {
        guard end.idStart != 0, let row = state.logs[end.log],
            let head = state.ledger.watermark.heads[end.log], head.sequence >= end.sequence
        else { return false }
        var here: CommitID? = head.commit
        if head.sequence > end.sequence {
            here = try connection.read { try LogTable.commit(at: end.sequence, of: row, in: $0) }
        }
        return here.map { LogEnd.idStart(of: $0) } != end.idStart
    }

    /// How far logs were by what was noted of losses.
    private func noted() throws -> [LogEnd] {
        try connection.read { database in
            try database.rows(
                """
                SELECT space_id, device, incarnation, sequence FROM lost
                    JOIN spaces ON spaces.id = lost.space ORDER BY 1, 2, 3
                """
            ).map { row in
                LogEnd(
                    space: try row.identifier("space_id"), log: try row.log(),
                    sequence: try row.sequence("sequence"))
            }
        }
    }

    /// Takes in everything that waits, and proofs of forks, until nothing more fits.
    func readmitAll(_ forks: [UnverifiedFork]) throws {
        for space in connection.loaded({ $0.stranded }).sorted() {
            _ = try readmit(space, isTold: false)
        }
        for proof in forks {
            let spaces = connection.loaded { $0.spaces }
            for (space, state) in spaces.sorted(by: { $0.key < $1.key }) {
                let keys = connection.loaded { $0.keys }
                guard let fork = connection.verifier.verify(proof, in: space, keys: keys),
                    state.ledger.acceptsFork(of: fork.log, at: fork.sequence)
                else { continue }
                _ = try CommitLog(connection).apply(fork, to: space)
                _ = try readmit(space, isTold: false)
            }
        }
    }

    /// Takes in what waits in a space for other commits, as far as it fits now. Where nobody is told of it,
    /// the commits do not stay in memory, and the report has only the last part.
    func readmit(_ space: SpaceID, isTold: Bool = true) throws -> ApplyReport {
        var report = ApplyReport(
            space: space, view: connection.loaded { $0.spaces[space].map { SpaceView($0.ledger) } })
        var after: (place: Int64, id: Int64) = (.min, 0)
        var taken = 0
        while true {
            let part = try connection.turn { turn in
                try turn.readmit(space, after: &after, &taken, &report, connection.verifier)
            }
            if !isTold { report = ApplyReport(space: space) }
            if part > 0 { continue }
            // What waited for something later comes with another round.
            guard taken > 0 else { return report }
            (after, taken) = ((.min, 0), 0)
        }
    }
}

extension WriteTransaction {
    /// One part of what waits. Returns how many commits were looked at.
    fileprivate func readmit(
        _ space: SpaceID, after: inout (place: Int64, id: Int64), _ taken: inout Int,
        _ report: inout ApplyReport, _ verifier: any CommitVerifying
    ) throws -> Int {
        let row0 = try database.number("SELECT id FROM spaces WHERE space_id = ?", [space.bytes])
        let rows = try database.rows(
            """
            SELECT id, place, received_at, header, signature, clear, operations FROM stranded
            WHERE space = ? AND (place, id) > (?, ?) ORDER BY place, id LIMIT ?
            """, [row0 ?? 0, after.place, after.id, Limits.strandedPerTurn])
        for row in rows {
            let id = try row.integer("id")
            after = (try row.integer("place"), id)
            let commit = try row.commit(decoder)
            let batch = verifier.verify([commit], keys: loaded.keys)
            var isDone = batch.verdict == .broken
            if let verified = batch.commits.first {
                let now = try row.moment("received_at") ?? Milliseconds(0)
                let part = try apply([verified], to: space, now: now)
                isDone = part.stored.count + part.found.branched > 0 || part.refusals.isEmpty
                taken += part.stored.count + part.found.branched
                report.merge(part)
            }
            if isDone { try database.run("DELETE FROM stranded WHERE id = ?", [id]) }
        }
        if rows.isEmpty,
            try database.number("SELECT 1 FROM stranded WHERE space = ? LIMIT 1", [row0 ?? 0])
                == nil
        {
            loaded.stranded.remove(space)
        }
        return rows.count
    }
}

extension Limits {
    /// Commits that wait for others and are tried in one transaction: a local write in between
    /// waits for as long.
    static let strandedPerTurn = 256
}
