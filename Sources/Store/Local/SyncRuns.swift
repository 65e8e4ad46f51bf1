internal import GRDB
package import SyncCore

/// What one sync with one device came to, from the moment that both differed.
package struct StoredSyncRun: Hashable, Sendable {
    /// Given by the store; 0 before.
    package var id: Int64 = 0
    package var device: DeviceID
    package var startedAt: Milliseconds
    package var endedAt: Milliseconds
    package var commitsSent: Int
    package var commitsReceived: Int
    package var filesSent: Int
    package var filesReceived: Int
    /// Over the network, all of it.
    package var bytesSent: Int64
    package var bytesReceived: Int64
    /// Records that are in conflict since.
    package var conflicts: Int
    package var errors: Int
    /// JSON of what else is known of it.
    package var detail: String

    package init(
        device: DeviceID, startedAt: Milliseconds, endedAt: Milliseconds, commitsSent: Int,
        commitsReceived: Int, filesSent: Int, filesReceived: Int, bytesSent: Int64,
        bytesReceived: Int64, conflicts: Int, errors: Int, detail: String
    ) {
        (self.device, self.startedAt, self.endedAt) = (device, startedAt, endedAt)
        (self.commitsSent, self.commitsReceived) = (commitsSent, commitsReceived)
        (self.filesSent, self.filesReceived) = (filesSent, filesReceived)
        (self.bytesSent, self.bytesReceived) = (bytesSent, bytesReceived)
        (self.conflicts, self.errors, self.detail) = (conflicts, errors, detail)
    }
}

/// The record of past syncs with single devices.
package struct SyncRuns: Sendable {
    let connection: StoreConnection

    init(_ connection: StoreConnection) { self.connection = connection }

    /// Keeps runs in their order, in one transaction, and of all runs the latest ``Limits/syncRunsKept``.
    package func add(_ runs: [StoredSyncRun]) throws {
        try connection.write { database in
            for run in runs { try SyncRuns.insert(run, in: database) }
            try database.run(
                "DELETE FROM sync_runs WHERE id <= (SELECT MAX(id) FROM sync_runs) - ?",
                [Int64(Limits.syncRunsKept)])
        }
    }

    private static func insert(_ run: StoredSyncRun, in database: Database) throws {
        precondition(run.id == 0, "the sync \(run.id) is kept already")
        try database.run(
            """
            INSERT INTO sync_runs (device, started_at, ended_at, commits_sent, commits_received,
                blobs_sent, blobs_received, bytes_sent, bytes_received, conflicts, errors, detail)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                run.device.bytes, run.startedAt.stored, run.endedAt.stored,
                Int64(run.commitsSent), Int64(run.commitsReceived), Int64(run.filesSent),
                Int64(run.filesReceived), run.bytesSent, run.bytesReceived,
                Int64(run.conflicts), Int64(run.errors), run.detail,
            ])
    }

    /// The latest runs, the last one first.
    package func latest(atMost limit: Int) throws -> [StoredSyncRun] {
        try connection.read { database in
            try database.rows(
                "SELECT * FROM sync_runs ORDER BY id DESC LIMIT ?", [Int64(max(0, limit))]
            ).map { row in
                var run = StoredSyncRun(
                    device: try row.identifier("device"),
                    startedAt: try row.moment("started_at") ?? Milliseconds(0),
                    endedAt: try row.moment("ended_at") ?? Milliseconds(0),
                    commitsSent: Int(try row.integer("commits_sent")),
                    commitsReceived: Int(try row.integer("commits_received")),
                    filesSent: Int(try row.integer("blobs_sent")),
                    filesReceived: Int(try row.integer("blobs_received")),
                    bytesSent: try row.integer("bytes_sent"),
                    bytesReceived: try row.integer("bytes_received"),
                    conflicts: Int(try row.integer("conflicts")),
                    errors: Int(try row.integer("errors")), detail: try row.text("detail"))
                run.id = try row.integer("id")
                return run
            }
        }
    }
}

extension Limits {
    /// Sync runs that are kept: some weeks of a busy home, below a megabyte.
    package static let syncRunsKept = 1_000
}
