internal import GRDB
package import SyncCore

/// Commits that do not count, and bringing back what they say.
package struct OrphanedCommits: Sendable {
    let connection: StoreConnection

    init(_ connection: StoreConnection) { self.connection = connection }

    /// The commits of a space that do not count; what waits of one device alone, if it is named.
    package func all(in space: SpaceID, by device: DeviceID? = nil) throws -> Orphans {
        let orphans = try connection.read { database in
            try Orphans(
                of: try SpaceTable.row(of: space, in: database), by: device, connection.decoder,
                in: database)
        }
        guard !orphans.waiting.isEmpty else { return orphans }
        return orphans.removing(try OrphanTable.rewritten(in: space, connection))
    }

    /// How many there are, by device and reason.
    package func counts(in space: SpaceID) throws -> [OrphanCount] {
        let counts = try connection.read { database in
            let row = try SpaceTable.row(of: space, in: database)
            let counts = try OrphanTable.counts(in: row, database)
            guard connection.loaded({ $0.stranded.contains(space) }) else { return counts }
            return try counts + OrphanTable.countsBeyondGaps(in: row, connection.decoder, database)
        }
        guard !counts.isEmpty, try !OrphanTable.rewritten(in: space, connection).isEmpty
        else { return counts }
        return try all(in: space).counts
    }

    /// An orphan itself, as far as it can be read here; its place is before all others. Throws
    /// ``StoreError/noLongerWaiting`` when it counts by now, or is not here any more.
    package func content(of orphan: Orphan) throws -> StoredCommit {
        try connection.read { try OrphanTable.content(of: orphan, connection.decoder, in: $0) }
    }

    /// Keeps that this person wants to be told no more of these.
    package func dismiss(_ orphans: [Orphan], in space: SpaceID) throws {
        try connection.write { database in
            let row = try SpaceTable.row(of: space, in: database)
            for orphan in orphans {
                try database.run(
                    "INSERT OR IGNORE INTO dismissed (space, commit_id) VALUES (?, ?)",
                    [row, orphan.id.bytes])
            }
        }
    }
}

/// Commits that do not count: those of branches, of `commits` those without effect, and those that wait beyond
/// a gap.
enum OrphanTable {
    /// How many with changes this device has not recovered, in one space or, without one, in all; also those
    /// that others recovered.
    static func counts(in space: Int64?, _ database: Database) throws -> [OrphanCount] {
        let condition = space == nil ? "" : "space = ?1 AND"
        let rows = try database.rows(
            """
            SELECT device, reason, COUNT(*) AS waiting, SUM(dismissed = 0) AS untold FROM (
                SELECT log, \(Orphan.Reason.branch.rawValue) AS reason,
                    \(isDismissed("branches")) AS dismissed
                FROM branches WHERE \(condition) length(operations) > 0
                    AND NOT \(isRecovered("branches"))
                UNION ALL
                SELECT log, \(reasonWithoutEffect), \(isDismissed("commits"))
                FROM commits INDEXED BY commits_without_effect
                WHERE \(condition) effective = 0 AND length(operations) > 0
                    AND NOT \(isRecovered("commits"))
            ) AS found JOIN logs ON logs.id = found.log GROUP BY device, reason
            """, space.map { [$0] } ?? [])
        return try rows.map { row in
            OrphanCount(
                device: try row.identifier("device"), reason: try row.orphanReason(),
                waiting: Int(try row.integer("waiting")), untold: Int(try row.integer("untold")))
        }
    }

    /// Wherever it stands by now: a proof of a fork moves commits, and one beyond a gap may come to fit.
    static func content(
        of orphan: Orphan, _ decoder: any CommitDecoding, in database: Database
    ) throws -> StoredCommit {
        let columns = "received_at, header, signature, clear, operations"
        let row = try database.row(
            """
            SELECT space_id, 0 AS id, ?2 AS clock, \(columns)
            FROM (\(standing { _ in "space, \(columns)" })) AS found JOIN spaces ON spaces.id = found.space
            """, [orphan.id.bytes, Int64(bitPattern: orphan.clock.raw)])
        guard let row else { throw StoreError.noLongerWaiting }
        return try row.storedCommit(of: try row.identifier("space_id"), decoder)
    }

    /// Of a row of `stranded`: whether its commit fits by now and was not taken away there yet.
    private static let isElsewhere = """
        (EXISTS (SELECT 1 FROM commits WHERE commits.commit_id = stranded.commit_id)
            OR EXISTS (SELECT 1 FROM branches WHERE branches.commit_id = stranded.commit_id))
        """

    /// Why an orphan does not count now; nil when it counts, or is not here.
    static func reason(of orphan: CommitID, in database: Database) throws -> Orphan.Reason? {
        try database.number(standing { $0 }, [orphan.bytes])
            .flatMap { Orphan.Reason(rawValue: Int($0)) }
    }

    /// Of a row of `commits` that is without effect: why.
    private static let reasonWithoutEffect = """
        CASE WHEN \(GroupTable.isIncomplete) THEN \(Orphan.Reason.incomplete.rawValue)
            ELSE \(Orphan.Reason.noRight.rawValue) END
        """

    /// Selects columns of a commit that does not count, its id the first value, wherever it stands.
    private static func standing(_ columns: (String) -> String) -> String {
        """
        SELECT \(columns(reasonWithoutEffect)) FROM commits WHERE commit_id = ?1 AND effective = 0
        UNION ALL SELECT \(columns("\(Orphan.Reason.branch.rawValue)")) FROM branches WHERE commit_id = ?1
        UNION ALL SELECT \(columns("\(Orphan.Reason.gap.rawValue)")) FROM stranded WHERE commit_id = ?1 AND \(isElsewhere) = 0
        """
    }

    /// Calls `body` with each commit of a space that waits for one that damage took, and whether it is to be
    /// recovered.
    static func eachBeyondGap(
        in space: Int64, _ decoder: any CommitDecoding, _ database: Database,
        _ body: (Orphan, Bool) throws -> Void
    ) throws {
        let cursor = try database.rowCursor(
            """
            SELECT commit_id, header,
                length(operations) > 0 AND NOT \(isRecovered("stranded")) AS waits,
                \(isDismissed("stranded")) AS dismissed
            FROM stranded WHERE space = ? AND \(isElsewhere) = 0
            """, [space])
        while let row = try cursor.next() {
            let header = try decoder.header(try row.bytes("header"))
            let orphan = Orphan(
                id: try row.identifier("commit_id"), log: header.log, sequence: header.sequence,
                clock: header.clock, reason: .gap, isDismissed: try row.flag("dismissed"),
                previous: header.previous, seen: header.seen)
            try body(orphan, try row.flag("waits"))
        }
    }

    static func countsBeyondGaps(
        in space: Int64, _ decoder: any CommitDecoding, _ database: Database
    ) throws -> [OrphanCount] {
        var found: [DeviceID: (waiting: Int, untold: Int)] = [:]
        try eachBeyondGap(in: space, decoder, database) { orphan, waits in
            guard waits else { return }
            found[orphan.log.device, default: (0, 0)].waiting += 1
            if !orphan.isDismissed { found[orphan.log.device, default: (0, 0)].untold += 1 }
        }
        return found.sorted { $0.key < $1.key }.map { device, count in
            OrphanCount(
                device: device, reason: .gap, waiting: count.waiting, untold: count.untold)
        }
    }

    /// Whether this device recovered a commit of a table: it rewrote it and did not undo that, or others
    /// had written all of it before. The commits that did so have to count.
    static func isRecovered(_ table: String) -> String {
        """
        COALESCE((
            SELECT MIN(undone_by IS NOT NULL OR \(isRewriterEffective))
                AND (MAX(undone_by IS NULL AND recovery <> \(byOthers)) OR MIN(undone_by IS NULL))
            FROM recovered WHERE recovered.space = \(table).space
                AND recovered.commit_id = \(table).commit_id), 0)
        """
    }

    /// Of a row of `recovered`: whether the commit that rewrote an orphan counts.
    static let isRewriterEffective = """
        EXISTS (SELECT 1 FROM commits AS writer
            WHERE writer.commit_id = recovered.new_commit AND writer.effective = 1)
        """

    private static func isDismissed(_ table: String) -> String {
        """
        EXISTS (SELECT 1 FROM dismissed WHERE dismissed.space = \(table).space
            AND dismissed.commit_id = \(table).commit_id)
        """
    }

    /// Every one of a space, and whether it waits to be recovered.
    static let select = """
        SELECT device, incarnation, sequence, clock, commit_id, previous, reason, header, dismissed,
            changes AND NOT recovered AS waits
        FROM (
            SELECT log, sequence, clock, commit_id, previous, \(Orphan.Reason.branch.rawValue) AS reason, header,
                length(operations) > 0 AS changes, \(isRecovered("branches")) AS recovered,
                \(isDismissed("branches")) AS dismissed
            FROM branches WHERE space = ?1
            UNION ALL
            SELECT log, sequence, clock, commit_id, zeroblob(32), \(reasonWithoutEffect), zeroblob(0),
                length(operations) > 0, \(isRecovered("commits")), \(isDismissed("commits"))
            FROM commits INDEXED BY commits_without_effect WHERE space = ?1 AND effective = 0
        ) AS found JOIN logs ON logs.id = found.log
        """

    /// In place of a number in a row of `recovered`: another device brought it back.
    static let byOthers: Int64 = -1

    /// Of a row of `recovered`: it was brought back here and not taken back, and its commit still does
    /// not count.
    static let canBeUndone = """
        undone_by IS NULL AND recovery >= 0 AND (
            EXISTS (SELECT 1 FROM branches WHERE branches.commit_id = recovered.commit_id)
            OR EXISTS (SELECT 1 FROM stranded WHERE stranded.commit_id = recovered.commit_id)
            OR EXISTS (SELECT 1 FROM commits
                WHERE commits.commit_id = recovered.commit_id AND effective = 0))
        """
}

extension Row {
    /// The column `reason`: why a commit does not count.
    func orphanReason() throws -> Orphan.Reason {
        guard let reason = Orphan.Reason(rawValue: Int(try integer("reason"))) else {
            throw wrong("reason")
        }
        return reason
    }
}
