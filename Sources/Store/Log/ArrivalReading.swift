internal import GRDB
package import SyncCore

/// A commit that writes to records, by when it was written and when it came here; a commit of a group comes with the
/// last one of it.
package struct ArrivedCommit: Hashable, Sendable {
    /// In the order in which commits came to be shown, over all spaces.
    package let place: Int64
    package let id: CommitID
    /// When it counts as written.
    package let clock: HybridTime
    package let receivedAt: Milliseconds

    package init(place: Int64, id: CommitID, clock: HybridTime, receivedAt: Milliseconds) {
        (self.place, self.id, self.clock, self.receivedAt) = (place, id, clock, receivedAt)
    }

    package init(_ stored: StoredCommit) {
        self.init(
            place: stored.shownFrom, id: stored.commit.id, clock: stored.clock,
            receivedAt: stored.shownAt)
    }
}

/// How commits came to this device, read without what they say. Throws what the store throws.
package struct ArrivalReading: Sendable {
    private let connection: StoreConnection

    init(_ connection: StoreConnection) { self.connection = connection }

    /// When the first commit of a space came here; nil when none did.
    package func beginning(of space: SpaceID) throws -> Milliseconds? {
        try connection.read { database in
            try database.row(
                "SELECT received_at FROM commits WHERE space = ? ORDER BY id LIMIT 1",
                [try SpaceTable.row(of: space, in: database)])?.moment("received_at")
        }
    }

    /// By space the devices of which changes of records came more than `milliseconds` after they were written, with
    /// the place of the last such: after a place and not before `time`. What was written before
    /// ``beginning(of:)`` is not looked at.
    package func lateDevices(
        after place: Int64, receivedFrom time: Milliseconds, by milliseconds: UInt64
    ) throws -> [SpaceID: [DeviceID: Int64]] {
        try connection.read { database in
            let rows = try database.rows(
                """
                SELECT space_id, device, MAX(commits.id) AS place FROM commits NOT INDEXED
                    CROSS JOIN logs ON logs.id = commits.log
                    CROSS JOIN spaces ON spaces.id = commits.space
                WHERE commits.id > ? AND effective = 1 AND required & ? != 0 AND received_at >= ?
                    AND received_at - (clock >> 16) > ?
                    AND clock >> 16 >= (
                        SELECT first.received_at FROM commits AS first
                        WHERE first.space = commits.space ORDER BY first.id LIMIT 1)
                GROUP BY commits.space, device
                """,
                [
                    place, ArrivalReading.ofRecords, time.stored, Int64(clamping: milliseconds),
                ])
            var found: [SpaceID: [DeviceID: Int64]] = [:]
            for row in rows {
                let device: DeviceID = try row.identifier("device")
                found[try row.identifier("space_id"), default: [:]][device] =
                    try row.integer("place")
            }
            return found
        }
    }

    /// The effective commits of a device in a space that change records, in the order in which they came to be shown:
    /// those after a place, of many the last ones.
    package func commits(
        of device: DeviceID, in space: SpaceID, after place: Int64, limit: Int
    ) throws -> [ArrivedCommit] {
        try connection.read { database in
            let row = try SpaceTable.row(of: space, in: database)
            let shown = try GroupTable.isShown(after: place, database)
            return try database.rows(
                """
                SELECT id, commit_id, clock, received_at, \(GroupTable.shown) FROM commits
                WHERE space = ? AND \(shown.condition) AND effective = 1 AND required & ? != 0
                    AND log IN (SELECT id FROM logs WHERE space = ? AND device = ?)
                ORDER BY \(shown.order) DESC, id DESC LIMIT ?
                """, [row, place, ArrivalReading.ofRecords, row, device.bytes, limit]
            ).reversed().map { row in
                ArrivedCommit(
                    place: try row.optionalInteger("end_row") ?? row.integer("id"),
                    id: try row.identifier("commit_id"),
                    clock: HybridTime(raw: try row.unsigned("clock")),
                    receivedAt: try row.moment("end_received_at") ?? row.moment("received_at")
                        ?? Milliseconds(0))
            }.sorted { $0.place < $1.place }
        }
    }

    /// When the last of these commits up to a place came to be shown; nil for none.
    package func lastReceipt(
        of device: DeviceID, in space: SpaceID, upTo place: Int64
    ) throws -> Milliseconds? {
        try connection.read { database in
            let row = try SpaceTable.row(of: space, in: database)
            let shown = try GroupTable.isShown(after: place, database)
            let logs = try database.rows(
                "SELECT id FROM logs WHERE space = ? AND device = ?", [row, device.bytes])
            // By log, so that only what came after the place is passed over.
            let receipts = try logs.compactMap { log in
                try database.row(
                    """
                    SELECT received_at, \(GroupTable.shown) FROM commits
                    WHERE log = ? AND id <= ? AND NOT (\(shown.condition)) AND effective = 1
                        AND required & ? != 0
                    ORDER BY sequence DESC LIMIT 1
                    """, [try log.integer("id"), place, place, ArrivalReading.ofRecords])
            }
            return try receipts.compactMap {
                try $0.moment("end_received_at") ?? $0.moment("received_at")
            }.max()
        }
    }

    /// The devices of which something was stored in a time, this one among them: of the last `limit` commits
    /// before a place.
    package func writers(
        before place: Int64, within times: ClosedRange<Milliseconds>, limit: Int
    ) throws -> Set<DeviceID> {
        try connection.read { database in
            Set(
                try database.rows(
                    """
                    SELECT DISTINCT device FROM commits CROSS JOIN logs ON logs.id = commits.log
                    WHERE commits.id < ? AND commits.id >= ? AND received_at BETWEEN ? AND ?
                    """,
                    [
                        place, place - Int64(limit), times.lowerBound.stored,
                        times.upperBound.stored,
                    ]
                ).map { try $0.identifier("device") })
        }
    }

    /// How many records of each space are deleted; counted in an index.
    package func deletedCounts() throws -> [SpaceID: Int] {
        try connection.read { database in
            let rows = try database.rows(
                """
                SELECT space_id, deleted_count FROM (
                    SELECT space, COUNT(*) AS deleted_count FROM records INDEXED BY records_deleted
                    WHERE deleted = 1 GROUP BY space
                ) JOIN spaces ON spaces.id = space
                """)
            return try rows.reduce(into: [:]) { counts, row in
                let space: SpaceID = try row.identifier("space_id")
                counts[space] = Int(try row.integer("deleted_count"))
            }
        }
    }

    /// What writing to records takes.
    private static let ofRecords = Int64(Permissions([.write, .delete]).rawValue)
}
