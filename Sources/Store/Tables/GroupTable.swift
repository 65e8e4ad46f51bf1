internal import GRDB
internal import SyncCore

/// Which commits have others of their group after them: `groups`.
enum GroupTable {
    /// For a selection of rows of `commits`: the last sequence of the group; null in the last commit and without one.
    static let end = "(SELECT last FROM groups WHERE commit_row = commits.id) AS group_end"

    /// The row of the last commit of the group, if it is here, and when that came; null in the last commit and without
    /// one.
    static let shown = "\(ofEnd("id")) AS end_row, \(ofEnd("received_at")) AS end_received_at"

    private static func ofEnd(_ column: String) -> String {
        """
        (SELECT ends.\(column) FROM groups JOIN commits AS ends
            ON ends.log = groups.log AND ends.sequence = groups.last
            WHERE commit_row = commits.id)
        """
    }

    /// Of a row of `commits`: whether it is of a group of which the last commit is not here.
    static let isIncomplete = """
        EXISTS (SELECT 1 FROM groups JOIN logs AS ends ON ends.id = groups.log
            WHERE commit_row = commits.id AND last > ends.head_sequence)
        """

    /// Notes a commit of a group that others follow.
    static func note(
        _ row: Int64, of group: CommitGroup, in log: Int64, _ database: Database
    ) throws {
        try database.run(
            "INSERT INTO groups (commit_row, log, first, last) VALUES (?, ?, ?, ?)",
            [row, log, Int64(bitPattern: group.first), Int64(bitPattern: group.last)])
    }

    /// The rows of a group before its last commit, in their order, with the columns of a commit.
    static func rows(
        of group: CommitGroup, in log: Int64, _ database: Database
    ) throws -> [Row] {
        try database.rows(
            """
            SELECT id, effective, header, signature, clear, operations
            FROM groups JOIN commits ON commits.id = commit_row
            WHERE groups.log = ? AND last = ? ORDER BY sequence
            """, [log, Int64(bitPattern: group.last)])
    }

    /// Whether a commit here had seen a part of a group of which the last commit comes now.
    static func isSeenInPart(
        _ group: CommitGroup, in log: Int64, of space: Int64, _ database: Database
    ) throws -> Bool {
        try database.number(
            """
            SELECT 1 FROM logs AS others WHERE space = ? AND (
                SELECT seen.sequence FROM seen WHERE seen.log = others.id AND target = ?
                ORDER BY at_sequence DESC LIMIT 1) >= ?
            LIMIT 1
            """, [space, log, Int64(bitPattern: group.first)]) != nil
    }

    /// Whether a commit is of a group.
    static func holds(
        _ header: CommitHeader, in log: Int64, _ database: Database
    ) throws -> Bool {
        if header.following > 0 { return true }
        return try database.number(
            "SELECT 1 FROM groups WHERE log = ? AND last = ? LIMIT 1",
            [log, Int64(bitPattern: header.sequence)]) != nil
    }

    /// A condition for rows of `commits`: those shown after a place, which is its one argument. And the order in which
    /// they came to be shown, where ``shown`` is selected.
    static func isShown(
        after place: Int64, _ database: Database
    ) throws -> (condition: String, order: String) {
        let late = try rows(shownAfter: place, database).map(String.init).joined(separator: ", ")
        // Nearly always there are none, and a condition with OR would have to be sorted.
        guard !late.isEmpty else { return ("commits.id > ?", "commits.id") }
        return (
            "(commits.id > ? OR commits.id IN (\(late)))", "COALESCE(end_row, commits.id)"
        )
    }

    /// Commits stored up to a place whose group came to be whole after it.
    private static func rows(shownAfter place: Int64, _ database: Database) throws -> [Int64] {
        guard place > 0 else { return [] }
        return try database.rows(
            """
            SELECT commit_row FROM groups CROSS JOIN commits AS ends
                ON ends.log = groups.log AND ends.sequence = groups.last
            WHERE commit_row <= ? AND ends.id > ?
            """, [place, place]
        ).map { try $0.integer("commit_row") }
    }

    /// Of each log that ends within a group: that group.
    static func open(
        in space: Int64, _ logs: [LogID: Int64], _ database: Database
    ) throws -> [LogID: CommitGroup] {
        let rows = try database.rows(
            """
            SELECT logs.id AS log, first, last, own.grant_commit, own.grant_index,
                before.commit_id AS before
            FROM logs JOIN groups ON groups.log = logs.id AND last > head_sequence
                JOIN commits AS own ON own.id = commit_row AND own.sequence = head_sequence
                LEFT JOIN commits AS before ON before.log = logs.id AND before.sequence = first - 1
            WHERE logs.space = ?
            """, [space])
        let byRow = Dictionary(logs.map { ($0.value, $0.key) }) { first, _ in first }
        var open: [LogID: CommitGroup] = [:]
        for row in rows {
            guard let log = byRow[try row.integer("log")] else { throw row.wrong("log") }
            let first = try row.sequence("first")
            let last = try row.sequence("last")
            let before = try row.optionalBytes("before").flatMap { CommitID(bytes: $0) }
            guard first < last, (first == 1) == (before == nil) else { throw row.wrong("first") }
            open[log] = CommitGroup(
                first: first, last: last,
                grant: FactReference(
                    commit: try row.identifier("grant_commit"),
                    index: UInt32(truncatingIfNeeded: try row.integer("grant_index"))),
                before: before.map { LogHead(sequence: first - 1, commit: $0) })
        }
        return open
    }
}
