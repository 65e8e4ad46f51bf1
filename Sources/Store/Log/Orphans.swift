internal import GRDB
package import SyncCore

extension SyncStore {
    /// Commits of a space with changes that do not count because their author had no right to them, and
    /// that were not rescued from here: those stored after a place, by device, in storing order.
    /// Commits of branches are not among them.
    package func orphans(
        in space: SpaceID, after place: Int64 = 0
    ) throws -> [DeviceID: [StoredCommit]] {
        try read { database in
            let cursor = try database.rowCursor(
                """
                SELECT commits.id, clock, received_at, header, signature, clear, operations
                FROM commits INDEXED BY commits_without_effect
                WHERE \(Orphans.condition) ORDER BY id
                """, [try row(of: space, in: database), place])
            var found: [DeviceID: [StoredCommit]] = [:]
            while let row = try cursor.next() {
                let stored = try row.storedCommit(of: space, decoder)
                found[stored.commit.header.log.device, default: []].append(stored)
            }
            return found
        }
    }

    /// How many there are, by device.
    package func orphanCounts(
        in space: SpaceID, after place: Int64
    ) throws -> [DeviceID: Int] {
        try read { database in
            let rows = try database.rows(
                """
                SELECT device, COUNT(*) AS count
                FROM commits INDEXED BY commits_without_effect JOIN logs ON logs.id = commits.log
                WHERE \(Orphans.condition) GROUP BY device
                """, [try row(of: space, in: database), place])
            var counts: [DeviceID: Int] = [:]
            for row in rows {
                counts[try row.identifier("device")] = Int(try row.integer("count"))
            }
            return counts
        }
    }
}

private enum Orphans {
    /// Of a space and a place.
    static let condition = """
        commits.space = ? AND effective = 0 AND commits.id > ? AND length(operations) > 0
            AND NOT EXISTS (SELECT 1 FROM rescued
                WHERE rescued.space = commits.space AND rescued.commit_id = commits.commit_id)
        """
}
