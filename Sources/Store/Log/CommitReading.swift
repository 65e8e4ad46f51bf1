package import SyncCore

/// Commits in storing order, which is causal: what a peer is sent.
package struct CommitPage: Sendable {
    /// `place` is the commit's place in storing order.
    package let commits: [(place: Int64, id: CommitID, commit: EncodedCommit)]
    /// Where to go on; nil when nothing follows now.
    package let next: Int64?
}

/// A stored commit without its bytes.
package struct CommitSummary: Hashable, Sendable {
    package let id: CommitID
    /// Its place in storing order.
    package let place: Int64
    package let log: LogID
    package let sequence: UInt64
    /// When it counts as written.
    package let clock: HybridTime
    package let receivedAt: Milliseconds
    package let isEffective: Bool
    package let byteCount: Int
}

/// The log of each space: storing, writing and reading commits, and proofs of forks.
package struct CommitLog: Sendable {
    let connection: StoreConnection

    init(_ connection: StoreConnection) { self.connection = connection }

    /// The commits of a space that `watermark` does not cover, in storing order, after place
    /// `after` (0: from the start), until `byteLimit` is reached; at least one, when there is one.
    package func commits(
        of space: SpaceID, beyond watermark: Watermark, after: Int64 = 0, byteLimit: Int
    ) throws -> CommitPage {
        try connection.read { database in
            let spaceRow = try SpaceTable.row(of: space, in: database)
            let (known, first) = try LogTable.logs(of: spaceRow, beyond: watermark, database)
            guard let first else { return CommitPage(commits: [], next: nil) }
            var found: [(place: Int64, id: CommitID, commit: EncodedCommit)] = []
            var bytes = 0
            let cursor = try database.rowCursor(
                """
                SELECT id, log, sequence, commit_id, byte_count, header, signature, clear,
                    operations
                FROM commits WHERE space = ? AND id > ? ORDER BY id
                """, [spaceRow, max(after, first - 1)])
            while let row = try cursor.next() {
                // A log without an entry has nothing beyond the watermark.
                guard let covered = known[try row.integer("log")],
                    try row.sequence("sequence") > covered
                else { continue }
                bytes &+= Int(try row.integer("byte_count"))
                if !found.isEmpty && bytes > byteLimit {
                    return CommitPage(commits: found, next: found.last?.place)
                }
                found.append(
                    (
                        try row.integer("id"), try row.identifier("commit_id"),
                        try row.encodedCommit()
                    ))
            }
            return CommitPage(commits: found, next: nil)
        }
    }

    /// A stored commit's bytes; nil when it is not here.
    package func commit(_ id: CommitID) throws -> EncodedCommit? {
        try connection.read { database in
            try database.row(
                """
                SELECT header, signature, clear, operations FROM commits WHERE commit_id = ?
                UNION ALL
                SELECT header, signature, clear, operations FROM branches WHERE commit_id = ?
                """, [id.bytes, id.bytes]
            )?.encodedCommit()
        }
    }

    /// A space's commits from the newest stored back, those before place `before` (nil: all).
    package func history(
        of space: SpaceID, before: Int64? = nil, limit: Int
    ) throws -> [CommitSummary] {
        try connection.read { database in
            try database.rows(
                """
                SELECT commits.id, commit_id, device, incarnation, sequence, clock, received_at,
                    effective, byte_count
                FROM commits JOIN logs ON logs.id = commits.log
                WHERE commits.space = ? AND commits.id < ? ORDER BY commits.id DESC LIMIT ?
                """, [try SpaceTable.row(of: space, in: database), before ?? .max, limit]
            ).map { row in
                CommitSummary(
                    id: try row.identifier("commit_id"), place: try row.integer("id"),
                    log: try row.log(), sequence: try row.sequence("sequence"),
                    clock: HybridTime(raw: try row.unsigned("clock")),
                    receivedAt: try row.moment("received_at") ?? Milliseconds(0),
                    isEffective: try row.flag("effective"),
                    byteCount: Int(try row.integer("byte_count")))
            }
        }
    }

    /// How many commits of a space that count have changes of records, sealed or not.
    package func changeCount(in space: SpaceID) throws -> Int {
        try connection.read { database in
            let count = try database.number(
                """
                SELECT COUNT(*) FROM commits
                WHERE space = ? AND effective = 1 AND length(operations) > 0
                """, [try SpaceTable.row(of: space, in: database)])
            return Int(count ?? 0)
        }
    }

    /// The greatest clock among the last commits of a device's logs, as they were redated, to start
    /// its hybrid clock from.
    package func latestClock(of device: DeviceID) throws -> HybridTime {
        try connection.read { database in
            let rows = try database.rows(
                """
                SELECT clock FROM logs JOIN commits
                    ON commits.log = logs.id AND commits.sequence = logs.head_sequence
                WHERE logs.device = ?
                UNION ALL
                SELECT clock FROM logs JOIN branches ON branches.log = logs.id
                WHERE logs.device = ?
                """, [device.bytes, device.bytes])
            return try rows.map { HybridTime(raw: try $0.unsigned("clock")) }.max()
                ?? HybridTime(raw: 0)
        }
    }
}

extension CommitLog {
    /// How many commits of a space say something that only a newer program understands, by the device
    /// that wrote them.
    package func newerParts(of space: SpaceID) throws -> [DeviceID: Int] {
        try connection.read { database in
            try NewerParts(in: database).counts[space] ?? [:]
        }.mapValues { Int(clamping: $0) }
    }
}
