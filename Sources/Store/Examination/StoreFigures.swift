internal import GRDB

/// How much of what a store holds: numbers only.
package struct StoreFigures: Hashable, Sendable {
    package var sqliteVersion = ""
    package var format = 0
    /// By what is counted: `commits`, `effective_commits`, `logs`, `spaces`, …
    package var counts: [String: Int] = [:]
    /// Records that are not deleted, by collection.
    package var records: [String: Int] = [:]
}

extension StoreExamination {
    package func figures() throws -> StoreFigures {
        try look { database in
            var figures = StoreFigures()
            let version = try database.row("SELECT sqlite_version() AS version")
            figures.sqliteVersion = try version?.text("version") ?? ""
            figures.format = Int(try database.number("PRAGMA user_version") ?? 0)
            for (name, query) in StoreExamination.counted {
                figures.counts[name] = Int(try database.number(query) ?? 0)
            }
            let rows = try database.rows(
                "SELECT collection, COUNT(*) AS count FROM records WHERE deleted = 0 GROUP BY 1")
            for row in rows {
                figures.records[try row.text("collection")] = Int(try row.integer("count"))
            }
            return figures
        }
    }

    private static let counted = [
        "commits": "SELECT COUNT(*) FROM commits",
        "effective_commits": "SELECT COUNT(*) FROM commits WHERE effective = 1",
        "branch_commits": "SELECT COUNT(*) FROM branches",
        "recovered_commits": "SELECT COUNT(*) FROM recovered",
        "forked_logs": "SELECT COUNT(*) FROM forks", "logs": "SELECT COUNT(*) FROM logs",
        "spaces": "SELECT COUNT(*) FROM spaces",
        "spaces_active": "SELECT COUNT(*) FROM spaces WHERE standing = 2",
        "conflicts": "SELECT COUNT(*) FROM records WHERE conflicted = 1",
        "devices": "SELECT COUNT(*) FROM devices",
        "blobs_present": "SELECT COUNT(*) FROM blobs WHERE state = 1",
        "blobs_missing": "SELECT COUNT(*) FROM blobs WHERE state = 0",
        "blobs_freed": "SELECT COUNT(*) FROM blobs WHERE state = 2",
        "blob_bytes_present": "SELECT SUM(size) FROM blobs WHERE state = 1",
        "blob_bytes_missing": "SELECT SUM(size) FROM blobs WHERE state = 0",
        "pages": "PRAGMA page_count", "page_bytes": "PRAGMA page_size",
        "pages_free": "PRAGMA freelist_count",
    ]
}
