internal import GRDB
internal import SyncCore

/// Which commits are sealed or not whole, and what became of their contents.
enum SealedTable {
    /// For a selection of rows of `commits`: its last columns, which a claim is made of, and from where.
    static let claimed = """
        COALESCE(sealed.contents, length(operations) > 0) AS contents, epoch
        FROM commits LEFT JOIN sealed ON sealed.commit_row = commits.id
        """
    /// The same where nothing is sealed and nothing has to be.
    static let unclaimed = "0 AS contents, NULL AS epoch FROM commits"

    /// Whether the commit in a row of `blob_names` is sealed.
    static let namesSealed = """
        EXISTS (SELECT 1 FROM sealed
            WHERE sealed.commit_row = blob_names.commit_row AND length(sealed.epoch) > 0)
        """

    static func note(
        _ claim: CommitClaim, at row: Int64, in space: Int64, _ database: Database
    ) throws {
        guard claim.epoch != nil || claim.contents == .withheld else { return }
        try database.run(
            "INSERT INTO sealed (commit_row, space, epoch, contents) VALUES (?, ?, ?, ?)",
            [row, space, claim.epoch?.bytes ?? [], Int64(claim.contents.rawValue)])
    }

    static func sealing(
        of space: Int64, _ logs: [LogID: Int64], _ membership: Membership, in database: Database
    ) throws -> LogSealing {
        LogSealing(
            sealedFrom: try sealedFrom(logs, membership, in: database),
            withheldFrom: try withheldFrom(space, logs, in: database))
    }

    /// In each log that has them the first commit of which a part was kept back.
    static func withheldFrom(
        _ space: Int64, _ logs: [LogID: Int64], in database: Database
    ) throws -> [LogID: UInt64] {
        let rows = try database.rows(
            """
            SELECT log, MIN(sequence) AS sequence FROM sealed
                JOIN commits ON commits.id = sealed.commit_row
            WHERE sealed.space = ? AND contents = ? GROUP BY log
            """, [space, Int64(CommitContents.withheld.rawValue)])
        let first = try rows.reduce(into: [Int64: UInt64]()) {
            $0[try $1.integer("log")] = try $1.sequence("sequence")
        }
        return first.isEmpty ? [:] : logs.compactMapValues { first[$0] }
    }

    /// In each log the first commit that had seen an epoch.
    static func sealedFrom(
        _ logs: [LogID: Int64], _ membership: Membership, in database: Database
    ) throws -> [LogID: UInt64] {
        guard membership.isEncrypted else { return [:] }
        return try membership.epochFacts.sealedFrom(logs.keys) { log, other, sequence in
            guard let row = logs[log], let target = logs[other] else { return nil }
            return try database.number(
                """
                SELECT MIN(at_sequence) FROM seen
                WHERE log = ? AND target = ? AND sequence >= ?
                """, [row, target, Int64(bitPattern: sequence)]
            ).map { UInt64(bitPattern: $0) }
        }
    }
}
