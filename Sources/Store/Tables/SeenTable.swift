internal import GRDB
internal import SyncCore

/// What the commits of a log had seen of other logs.
enum SeenTable {
    /// What one commit had seen; without a position, the last one that is here.
    static func seen(
        by log: Int64, at sequence: UInt64 = UInt64(Int64.max), _ database: Database
    ) throws -> [LogID: UInt64] {
        let rows = try database.rows(
            """
            SELECT device, incarnation, MAX(sequence) AS sequence FROM seen
                JOIN logs ON logs.id = seen.target
            WHERE log = ? AND at_sequence <= ? GROUP BY target
            """, [log, Int64(bitPattern: sequence)])
        var seen: [LogID: UInt64] = [:]
        for row in rows { seen[try row.log()] = try row.unsigned("sequence") }
        return seen
    }

    /// Notes how far the commits of a log had seen another one, from one of them on.
    static func note(
        _ seen: UInt64, of target: Int64, by log: Int64, at sequence: UInt64, _ database: Database
    ) throws {
        try database.run(
            "INSERT INTO seen (log, target, at_sequence, sequence) VALUES (?, ?, ?, ?)",
            [log, target, Int64(bitPattern: sequence), Int64(bitPattern: seen)])
    }
}
