internal import GRDB
package import SyncCore

/// What one sync with one device moved.
package struct SyncRun: Hashable, Sendable {
    package var device: DeviceID
    package var startedAt: Milliseconds
    /// Nil while it runs, and for one that a crash ended.
    package var endedAt: Milliseconds?
    package var commitsSent = 0
    package var commitsReceived = 0
    package var blobsSent = 0
    package var blobsReceived = 0
    package var bytesSent: Int64 = 0
    package var bytesReceived: Int64 = 0
    package var conflicts = 0
    package var errors = 0
    /// Anything else, as the caller writes it.
    package var detail = ""

    package init(device: DeviceID, startedAt: Milliseconds) {
        self.device = device
        self.startedAt = startedAt
    }
}

extension SyncStore {
    /// Keeps a run under a new id, and only the latest ``Limits/syncRunsKept``.
    package func save(_ run: SyncRun) throws -> Int64 {
        try write { database in
            try database.run(
                """
                INSERT INTO sync_runs (device, started_at, ended_at, commits_sent,
                    commits_received, blobs_sent, blobs_received, bytes_sent, bytes_received,
                    conflicts, errors, detail)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
                [
                    run.device.bytes, run.startedAt.stored, run.endedAt?.stored, run.commitsSent,
                    run.commitsReceived, run.blobsSent, run.blobsReceived, run.bytesSent,
                    run.bytesReceived, run.conflicts, run.errors, run.detail,
                ])
            let id = database.lastInsertedRowID
            try database.run(
                "DELETE FROM sync_runs WHERE id <= ?", [id - Int64(Limits.syncRunsKept)])
            return id
        }
    }

    /// The latest runs, newest first.
    package func syncRuns(limit: Int) throws -> [(id: Int64, run: SyncRun)] {
        try read { database in
            try database.rows(
                "SELECT * FROM sync_runs ORDER BY id DESC LIMIT ?", [Int64(limit)]
            ).map { row in
                var run = SyncRun(
                    device: try row.identifier("device"),
                    startedAt: try row.moment("started_at") ?? Milliseconds(0))
                run.endedAt = try row.moment("ended_at")
                run.commitsSent = Int(try row.integer("commits_sent"))
                run.commitsReceived = Int(try row.integer("commits_received"))
                run.blobsSent = Int(try row.integer("blobs_sent"))
                run.blobsReceived = Int(try row.integer("blobs_received"))
                run.bytesSent = try row.integer("bytes_sent")
                run.bytesReceived = try row.integer("bytes_received")
                run.conflicts = Int(try row.integer("conflicts"))
                run.errors = Int(try row.integer("errors"))
                run.detail = try row.text("detail")
                return (try row.integer("id"), run)
            }
        }
    }
}
