internal import GRDB
package import SyncCore

/// The rows of the commits that wrote to a record and count: the column `writers` of `records`.
///
/// Kept so that the past of one record costs what was written to it, and not what stands in the log. Null when
/// they are not known: an earlier program made the row, or there are too many to write them down with each
/// change. Then the log is searched.
struct WriterRows {
    /// In storing order, each once.
    private(set) var rows: [Int64]? = []

    init() {}

    init(_ bytes: [UInt8]?) throws(RecordCodec.Malformed) {
        guard let bytes else {
            rows = nil
            return
        }
        var reader = ByteReader(bytes)
        var found: [Int64] = []
        var last: UInt64 = 0
        while !reader.isAtEnd {
            last &+= try reader.number()
            found.append(Int64(bitPattern: last))
        }
        rows = found
    }

    /// Known ones, in storing order.
    init(rows: [Int64]) {
        precondition(
            zip(rows, rows.dropFirst()).allSatisfy { $0 < $1 }, "writers are out of order")
        self.rows = rows
    }

    /// Commits are applied in storing order but for those of groups, which wait for their last one; and one may write
    /// to a record twice.
    mutating func note(_ row: Int64) {
        guard rows?.last != row else { return }
        // No copy of the list is held here: it grows in place.
        let place = (rows?.lastIndex { $0 <= row } ?? -1) + 1
        guard place == 0 || rows?[place - 1] != row else { return }
        rows?.insert(row, at: place)
    }

    /// As differences, variable-length numbers; nil for more than `limit`.
    func bytes(upTo limit: Int) -> [UInt8]? {
        guard let rows, rows.count <= limit else { return nil }
        var writer = ByteWriter(capacity: 4 * rows.count)
        var last: UInt64 = 0
        for row in rows {
            let row = UInt64(bitPattern: row)
            writer.append(number: row &- last)
            last = row
        }
        Invariants.check(
            (try? WriterRows(writer.bytes).rows) == rows, "writers are read back as others")
        return writer.bytes
    }
}

extension WriterRows {
    /// The rows of the commits that may write to one of these, in order: all that do and count, and perhaps
    /// others; those without effect as well, if they are wanted.
    static func rows(
        writingTo keys: some Collection<RecordKey>, in space: Int64, withOrphans: Bool = false,
        _ database: Database
    ) throws -> [Int64] {
        var rows: Set<Int64> = []
        // Where the writers of a record are not known, the log is searched from its first one on.
        var first = Int64.max
        for key in keys {
            let row = try database.row(
                """
                SELECT maker, writers FROM records
                WHERE space = ? AND collection = ? AND record = ?
                """, [space, key.collection, key.record.bytes])
            guard let row else { continue }
            if let writers = try WriterRows(try row.optionalBytes("writers")).rows {
                rows.formUnion(writers)
            } else {
                first = min(first, try row.integer("maker"))
            }
        }
        let unknown = first < .max ? ["id >= \(first)"] : []
        for condition in (withOrphans ? ["effective = 0"] : []) + unknown {
            rows.formUnion(
                try search(
                    condition, naming: Set(keys.map(\.record)), in: space, database))
        }
        return rows.sorted()
    }

    /// The rows of the commits that write to one record and count, and perhaps of others, in order: these, or where
    /// they are not known those from the first one on.
    func commits(
        writingTo record: RecordID, from maker: Int64, in space: Int64, _ database: Database
    ) throws -> [Int64] {
        try rows
            ?? WriterRows.search(
                "effective = 1 AND id >= \(maker)", naming: [record], in: space, database
            ).sorted()
    }

    /// Of few records only those commits are found in which one's id stands, and all sealed ones, which show no id.
    static func search(
        _ condition: String, naming records: Set<RecordID>, in space: Int64, _ database: Database
    ) throws -> Set<Int64> {
        let named = records.count > Limits.recordsFoundByBytes ? [] : records.sorted()
        let hints = named.map { _ in "instr(operations, ?) > 0" }.joined(separator: " OR ")
        // A subquery that took the space from the row around it would be run again for each row.
        let names =
            named.isEmpty
            ? ""
            : "AND (\(hints) OR id IN (SELECT commit_row FROM sealed WHERE space = ?1))"
        let cursor = try database.rowCursor(
            "SELECT id FROM commits WHERE space = ?1 AND \(condition) \(names)",
            [space] + named.map(\.bytes))
        var rows: Set<Int64> = []
        while let row = try cursor.next() { rows.insert(try row.integer("id")) }
        return rows
    }
}

extension Limits {
    /// Records whose commits are found by their ids; of more, all commits are decoded.
    static let recordsFoundByBytes = 8
    /// Commits that are written down with a record that they wrote to; of a record with more, the log is searched.
    /// While texts of it are put together, ``mergedHistory`` of them are: each change of it needs them.
    package static let keptWriters = 250
}
