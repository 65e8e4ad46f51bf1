package import SyncCore

/// A commit and when it came here.
package struct StoredCommit: Sendable {
    package let space: SpaceID
    /// Its place in storing order, over all spaces.
    package let place: Int64
    /// The place at which it came to be shown: of a group that of the last commit.
    package let shownFrom: Int64
    package let receivedAt: Milliseconds
    /// When it came to be shown: of a group, when the last commit was received.
    package let shownAt: Milliseconds
    /// When it counts as written.
    package let clock: HybridTime
    package let commit: UnverifiedCommit
}

/// How a commit came to this device, or was written here.
package struct CommitArrival: Sendable {
    /// In storing order; nil for one that stands in a branch.
    package let place: Int64?
    /// When it could count: of a group, when the last of its commits was here.
    package let receivedAt: Milliseconds
    /// Up to where its log must be known for it to count: of a group, the sequence of the last commit.
    package let sequence: UInt64
    /// The epoch under which it is sealed; nil for one that can be read without a key.
    package let epoch: CommitID?
}

extension CommitLog {
    /// Effective commits from the newest stored back: those shown after place `after` and stored before place
    /// `before` (nil: up to the newest), of one space (nil: of all), without those of one device.
    package func storedCommits(
        of space: SpaceID?, after: Int64, before: Int64?, exceptOf device: DeviceID?, limit: Int
    ) throws -> [StoredCommit] {
        try connection.read { database in
            let isAfter = try GroupTable.isShown(after: after, database).condition
            var conditions = "\(isAfter) AND commits.id < ? AND effective = 1"
            var values: [(any Bindable)?] = [after, before ?? .max]
            if let space {
                conditions += " AND commits.space = ?"
                values.append(try SpaceTable.row(of: space, in: database))
            }
            if let device {
                conditions += " AND log NOT IN (SELECT id FROM logs WHERE device = ?)"
                values.append(device.bytes)
            }
            return try database.rows(
                """
                SELECT commits.id, space_id, clock, received_at, header, signature, clear, operations,
                    \(GroupTable.shown)
                FROM commits JOIN spaces ON spaces.id = commits.space
                WHERE \(conditions) ORDER BY commits.id DESC LIMIT ?
                """, values + [limit]
            ).map { row in
                try row.storedCommit(
                    of: try row.identifier("space_id"), connection.decoder,
                    shownFrom: try row.optionalInteger("end_row"),
                    at: try row.moment("end_received_at"))
            }
        }
    }

    /// The first effective commits of a space that a watermark does not cover, in storing order, without
    /// those of one device.
    package func storedCommits(
        of space: SpaceID, beyond watermark: Watermark, exceptOf device: DeviceID, limit: Int
    ) throws -> [StoredCommit] {
        try connection.read { database in
            let row = try SpaceTable.row(of: space, in: database)
            let (known, first) = try LogTable.logs(of: row, beyond: watermark, database)
            var found: [StoredCommit] = []
            guard let first else { return found }
            let cursor = try database.rowCursor(
                """
                SELECT id, log, sequence, clock, received_at, header, signature, clear, operations
                FROM commits WHERE space = ? AND id >= ? AND effective = 1
                    AND log NOT IN (SELECT id FROM logs WHERE device = ?)
                ORDER BY id
                """, [row, first, device.bytes])
            while found.count < limit, let row = try cursor.next() {
                guard let covered = known[try row.integer("log")],
                    try row.sequence("sequence") > covered
                else { continue }
                found.append(try row.storedCommit(of: space, connection.decoder))
            }
            return found
        }
    }

    /// When and where a commit was stored; nil when it is not here.
    package func arrival(of commit: CommitID) throws -> CommitArrival? {
        try connection.read { database in
            try database.row(
                """
                SELECT id, received_at, sequence, epoch, \(GroupTable.end), \(GroupTable.shown)
                FROM commits LEFT JOIN sealed ON sealed.commit_row = commits.id WHERE commit_id = ?1
                UNION ALL SELECT NULL, received_at, sequence, NULL, NULL, NULL, NULL
                FROM branches WHERE commit_id = ?1
                """, [commit.bytes]
            ).map { row in
                let received = try row.moment("received_at") ?? Milliseconds(0)
                return CommitArrival(
                    place: try row.optionalInteger("id"),
                    receivedAt: max(received, try row.moment("end_received_at") ?? received),
                    sequence: try row.optionalInteger("group_end").map { UInt64(bitPattern: $0) }
                        ?? row.sequence("sequence"),
                    epoch: try row.optionalBytes("epoch").flatMap { CommitID(bytes: $0) })
            }
        }
    }

    /// The place of the newest commit; 0 before there is one.
    package func lastPlace() throws -> Int64 {
        try connection.read { try $0.number("SELECT MAX(id) FROM commits") ?? 0 }
    }
}

extension Row {
    func storedCommit(
        of space: SpaceID, _ decoder: any CommitDecoding, shownFrom: Int64? = nil,
        at shownAt: Milliseconds? = nil
    ) throws -> StoredCommit {
        let receivedAt = try moment("received_at") ?? Milliseconds(0)
        return StoredCommit(
            space: space, place: try integer("id"), shownFrom: try shownFrom ?? integer("id"),
            receivedAt: receivedAt, shownAt: shownAt ?? receivedAt,
            clock: HybridTime(raw: try unsigned("clock")),
            commit: try commit(decoder))
    }
}
