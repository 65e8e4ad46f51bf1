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
    private let store: SyncStore

    package init(of store: SyncStore) { self.store = store }

    /// The commits that write to one of some records, in storing order, which is causal, from a place on; also
    /// those without effect. What is sealed and cannot be opened writes to nothing.
    package func commits(
        writingTo records: Set<RecordID>, from place: Int64, in space: SpaceID
    ) throws -> [PastCommit] {
        guard !records.isEmpty else { return [] }
        return try store.read { database in
            let row = try store.row(of: space, in: database)
            // Of few records only those are decoded in which one's id stands; what is sealed shows none.
            let named = records.count > Limits.recordsFoundByBytes ? [] : records.sorted()
            let hints = named.map { _ in "instr(operations, ?) > 0" }.joined(separator: " OR ")
            let condition =
                named.isEmpty
                ? ""
                : "AND (\(hints) OR id IN (SELECT commit_row FROM sealed WHERE sealed.space = commits.space))"
            let cursor = try database.rowCursor(
                """
                SELECT id, log, sequence, clock, received_at, effective, header, signature, clear,
                    operations
                FROM commits WHERE space = ? AND id >= ? \(condition) ORDER BY id
                """, [row, place] + named.map(\.bytes))
            var found: [PastCommit] = []
            while let row = try cursor.next() {
                let stored = try row.storedCommit(of: space, store.decoder)
                guard stored.commit.operations.contains(where: { records.contains($0.record) })
                else { continue }
                let seen = try SeenTable.seen(
                    by: try row.integer("log"), at: try row.sequence("sequence"), database)
                found.append(
                    PastCommit(
                        stored: stored, isEffective: try row.flag("effective"),
                        applied: AppliedCommit(
                            id: stored.commit.id, header: stored.commit.header,
                            clock: stored.clock, seen: seen)))
            }
            return found
        }
    }

    /// Effective commits of a device's logs, from the newest stored back: those after a place and before
    /// another (nil: up to the newest).
    package func commits(
        by device: DeviceID, after: Int64 = 0, before: Int64? = nil, limit: Int
    ) throws -> [StoredCommit] {
        try store.read { database in
            try database.rows(
                """
                SELECT commits.id, space_id, clock, received_at, header, signature, clear, operations
                FROM commits JOIN spaces ON spaces.id = commits.space
                WHERE commits.id > ? AND commits.id < ? AND effective = 1
                    AND log IN (SELECT id FROM logs WHERE device = ?)
                ORDER BY commits.id DESC LIMIT ?
                """, [after, before ?? .max, device.bytes, limit]
            ).map { try $0.storedCommit(of: try $0.identifier("space_id"), store.decoder) }
        }
    }

    /// The commits that are here whose ids begin so, as hexadecimal digits; a few at most.
    package func commits(beginning digits: String) throws -> [StoredCommit] {
        let padded = digits.count % 2 == 0 ? digits : digits + "0"
        guard let first = SyncCore.bytes(hexadecimal: padded) else { return [] }
        return try store.read { database in
            try database.rows(
                """
                SELECT commits.id, space_id, clock, received_at, header, signature, clear, operations
                FROM commits JOIN spaces ON spaces.id = commits.space
                WHERE commit_id >= ? AND effective = 1 ORDER BY commit_id LIMIT ?
                """, [first, Limits.commitsMeant]
            ).map { try $0.storedCommit(of: try $0.identifier("space_id"), store.decoder) }
                .filter { $0.commit.id.description.hasPrefix(digits) }
        }
    }
}

extension Limits {
    /// Records whose commits are found by their ids; of more, all commits are decoded.
    static let recordsFoundByBytes = 8
    /// Commits that a beginning of an id may mean.
    static let commitsMeant = 20
}
