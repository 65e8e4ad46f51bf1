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

    /// Commits are applied in storing order, and one may write to a record twice.
    mutating func note(_ row: Int64) {
        guard let known = rows, known.last != row else { return }
        rows = known.count < Limits.keptWriters ? known + [row] : nil
    }

    /// As differences, variable-length numbers.
    var bytes: [UInt8]? {
        guard let rows else { return nil }
        var writer = ByteWriter(capacity: 4 * rows.count)
        var last: UInt64 = 0
        for row in rows {
            let row = UInt64(bitPattern: row)
            writer.append(number: row &- last)
            last = row
        }
        return writer.bytes
    }
}

extension Limits {
    /// Commits that are written down with a record that they wrote to; of a record with more, the log is searched.
    package static let keptWriters = 250
}
