internal import GRDB
package import SyncCore

/// Ids that begin with the same bytes: however many other records there are, only their places in the index are
/// looked up.
extension StoredRecords {
    /// The neighbours of some ids in the order of all ids of a collection, in each space, deleted ones too, that begin
    /// with the same `count` bytes.
    package func neighbours(
        of records: [RecordID], in collection: String, sharing count: Int
    ) throws -> [RecordID] {
        try connection.read { database in
            let crowded = try crowded(records, in: collection, sharing: count, database)
            guard !crowded.isEmpty else { return [] }
            return try database.rows(
                """
                WITH RECURSIVE \(StoredRecords.wanted), neighbours(id, record) AS (
                    SELECT wanted.id, (
                        SELECT MAX(record) FROM records
                        WHERE space = spaces.id AND collection = ?4 AND record < wanted.id
                    ) FROM wanted, spaces
                    UNION ALL
                    SELECT wanted.id, (
                        SELECT MIN(record) FROM records
                        WHERE space = spaces.id AND collection = ?4 AND record > wanted.id
                    ) FROM wanted, spaces
                )
                SELECT record FROM neighbours WHERE substr(record, 1, ?5) = substr(id, 1, ?5)
                """,
                StoredRecords.values(of: crowded) + [collection, Int64(count)]
            ).map { try $0.record("record") }
        }
    }

    /// Those of some ids that share their first bytes with another record: most often none.
    private func crowded(
        _ records: [RecordID], in collection: String, sharing count: Int, _ database: Database
    ) throws -> [RecordID] {
        guard !records.isEmpty else { return [] }
        let rest = Array(repeating: UInt8.max, count: Bytes16.byteCount - count)
        let last = records.flatMap { $0.bytes.prefix(count) + rest }
        let found = try database.rows(
            """
            WITH RECURSIVE \(StoredRecords.wanted), holding(space) AS MATERIALIZED (
                SELECT id FROM spaces
                WHERE EXISTS (SELECT 1 FROM records WHERE space = spaces.id AND collection = ?4)
            )
            SELECT wanted.id FROM wanted CROSS JOIN holding
            WHERE EXISTS (
                SELECT 1 FROM records
                WHERE space = holding.space AND collection = ?4
                    AND record >= substr(wanted.id, 1, ?5)
                    AND record <= substr(?6, ?3 * wanted.n + 1, ?3) AND record <> wanted.id
            )
            """,
            StoredRecords.values(of: records) + [collection, Int64(count), last])
        return Set(try found.map { try $0.record("id") }).sorted()
    }

    /// The ids that are handed over as one value, with their numbers.
    private static let wanted = """
        places(n) AS (
            SELECT 0 UNION ALL SELECT n + 1 FROM places WHERE n + 1 < ?1
        ), wanted(n, id) AS (SELECT n, substr(?2, ?3 * n + 1, ?3) FROM places)
        """

    private static func values(of records: [RecordID]) -> [(any Bindable)?] {
        [Int64(records.count), records.flatMap(\.bytes), Int64(Bytes16.byteCount)]
    }
}
