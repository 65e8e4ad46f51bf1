internal import GRDB
package import SyncCore

/// A commit that writes to records somebody asks about, and what its author had seen.
package struct PastCommit: Sendable {
    package let stored: StoredCommit
    package let isEffective: Bool
    package let applied: AppliedCommit
}

/// What was written, read from the log. Throws what the store throws.
package struct PastReading: Sendable {
    private let connection: StoreConnection

    init(_ connection: StoreConnection) { self.connection = connection }

    /// The commits that write to one of some records, in storing order, which is causal; also those without
    /// effect. What is sealed and cannot be opened writes to nothing.
    package func commits(
        writingTo keys: some Collection<RecordKey>, in space: SpaceID
    ) throws -> [PastCommit] {
        guard !keys.isEmpty else { return [] }
        let records = Set(keys.map(\.record))
        return try connection.read { database in
            let number = try SpaceTable.row(of: space, in: database)
            let rows = try WriterRows.rows(
                writingTo: keys, in: number, withOrphans: true, database)
            return try rows.compactMap { row in
                let row = try database.row(
                    """
                    SELECT id, log, sequence, clock, received_at, effective, header, signature, clear,
                        operations
                    FROM commits WHERE id = ?
                    """, [row])
                guard let row else { return nil }
                let stored = try row.storedCommit(of: space, connection.decoder)
                guard stored.commit.operations.contains(where: { records.contains($0.record) })
                else { return nil }
                let seen = try SeenTable.seen(
                    by: try row.integer("log"), at: try row.sequence("sequence"), database)
                return PastCommit(
                    stored: stored, isEffective: try row.flag("effective"),
                    applied: AppliedCommit(
                        id: stored.commit.id, header: stored.commit.header,
                        clock: stored.clock, seen: seen))
            }
        }
    }

    /// Effective commits of a device's logs, from the newest stored back: those after a place and before
    /// another (nil: up to the newest). Only as many are read as are wanted, however long the logs are.
    package func commits(
        by device: DeviceID, after: Int64 = 0, before: Int64? = nil, limit: Int
    ) throws -> [StoredCommit] {
        try connection.read { database in
            let logs = try database.rows("SELECT id FROM logs WHERE device = ?", [device.bytes])
            var places: [Int64] = []
            for log in logs {
                // A log is stored in the order of its sequences, and most often the first places are wanted.
                let cursor = try database.rowCursor(
                    """
                    SELECT id, effective FROM commits WHERE log = ? AND +id < ?
                    ORDER BY sequence DESC
                    """, [try log.integer("id"), before ?? .max])
                var count = 0
                while count < limit, let row = try cursor.next() {
                    let place = try row.integer("id")
                    guard place > after else { break }
                    guard try row.flag("effective") else { continue }
                    places.append(place)
                    count += 1
                }
            }
            return try places.sorted(by: >).prefix(limit).compactMap { place in
                try database.row(
                    """
                    SELECT commits.id, space_id, clock, received_at, header, signature, clear,
                        operations
                    FROM commits JOIN spaces ON spaces.id = commits.space WHERE commits.id = ?
                    """, [place]
                ).map { try $0.storedCommit(of: try $0.identifier("space_id"), connection.decoder) }
            }
        }
    }

    /// The other commits of the group of one that is here, those that count; none without a group.
    package func others(inGroupOf stored: StoredCommit) throws -> Set<CommitID> {
        try connection.read { database in
            let rows = try database.rows(
                """
                SELECT commit_id FROM commits
                WHERE log = (SELECT log FROM commits WHERE id = ?1) AND id <> ?1 AND effective = 1
                    AND sequence BETWEEN (
                        SELECT first FROM groups WHERE groups.log = commits.log AND last = ?2 LIMIT 1
                    ) AND ?2
                """, [stored.place, Int64(bitPattern: stored.commit.header.groupEnd)])
            return Set(try rows.map { try $0.identifier("commit_id") })
        }
    }

    /// The commits that are here whose ids begin so, as hexadecimal digits; a few at most.
    package func commits(beginning digits: String) throws -> [StoredCommit] {
        let padded = digits.count % 2 == 0 ? digits : digits + "0"
        guard let first = SyncCore.bytes(hexadecimal: padded) else { return [] }
        return try connection.read { database in
            try database.rows(
                """
                SELECT commits.id, space_id, clock, received_at, header, signature, clear, operations
                FROM commits JOIN spaces ON spaces.id = commits.space
                WHERE commit_id >= ? AND effective = 1 ORDER BY commit_id LIMIT ?
                """, [first, first.count < Bytes32.byteCount ? Limits.commitsMeant : 1]
            ).map { try $0.storedCommit(of: try $0.identifier("space_id"), connection.decoder) }
                .filter { $0.commit.id.description.hasPrefix(digits) }
        }
    }
}

extension Limits {
    /// Commits that a beginning of an id may mean.
    static let commitsMeant = 20
}
