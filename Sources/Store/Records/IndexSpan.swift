internal import GRDB
package import SyncCore

/// A span of an order in which an index holds the records of a collection: behind its first place, up to and with
/// its last one.
package enum IndexSpan: Hashable, Sendable {
    /// By their time, in milliseconds since 1970.
    case times(after: Int64, through: Int64)
    /// By ``NameKey``.
    case names(after: [UInt8], through: [UInt8])
    /// By their ids.
    case ids(after: [UInt8], through: [UInt8])

    package static let allTimes = IndexSpan.times(after: .min, through: .max)
    /// No byte of UTF-8 is 255.
    package static let allNames = IndexSpan.names(after: [], through: [0xFF])
    package static let allIDs = IndexSpan.ids(
        after: [], through: Array(repeating: 0xFF, count: Bytes16.byteCount))

    /// Whether a record stands in this span; nil when the order has no place for it.
    package func holds(
        _ record: RecordID, _ state: RecordState, in collection: CollectionSchema
    ) -> Bool? {
        switch self {
        case .times(let after, let through):
            return collection.time(of: state).map { after < $0 && $0 <= through }
        case .names(let after, let through):
            return collection.name(of: state).flatMap { NameKey.key(of: $0) }.map {
                after.lexicographicallyPrecedes($0) && !through.lexicographicallyPrecedes($0)
            }
        case .ids(let after, let through):
            return after.lexicographicallyPrecedes(record.bytes)
                && !through.lexicographicallyPrecedes(record.bytes)
        }
    }

    fileprivate var column: String {
        switch self {
        case .times: "time"
        case .names: "name"
        case .ids: "record"
        }
    }

    fileprivate var bounds: [(any Bindable)?] {
        switch self {
        case .times(let after, let through): [after, through]
        case .names(let after, let through), .ids(let after, let through): [after, through]
        }
    }

    /// Its part up to and with the place of a row, and the part behind that.
    fileprivate func split(at row: Row) throws -> (IndexSpan, IndexSpan) {
        switch self {
        case .times(let after, let through):
            let place = try row.integer("place")
            return (.times(after: after, through: place), .times(after: place, through: through))
        case .names(let after, let through):
            let place = try row.bytes("place")
            return (.names(after: after, through: place), .names(after: place, through: through))
        case .ids(let after, let through):
            let place = try row.bytes("place")
            return (.ids(after: after, through: place), .ids(after: place, through: through))
        }
    }
}

/// Reading a collection part by part: however many others there are, only these are read.
extension StoredRecords {
    /// The first records of a span: so many or all that are left, and with the last of them all that stand at its
    /// place; `rest` is nil when these are all. Those of one place are in the order of their ids.
    package func list(
        of space: SpaceID, in collection: String, _ span: IndexSpan, includeDeleted: Bool = false,
        limit: Int = .max
    ) throws -> (records: [StoredRecord], rest: IndexSpan?) {
        try connection.read { database in
            let column = span.column
            let condition =
                "space = ? AND collection = ? AND \(column) > ? AND \(column) <= ?"
                + (includeDeleted ? "" : " AND deleted = 0")
            let values: [(any Bindable)?] = [
                try SpaceTable.row(of: space, in: database), collection,
            ]
            var (part, rest): (IndexSpan, IndexSpan?) = (span, nil)
            // The last one of the part, if there is another one behind it.
            let last =
                limit == .max
                ? []
                : try database.rows(
                    """
                    SELECT \(column) AS place FROM records WHERE \(condition)
                    ORDER BY \(column) LIMIT 2 OFFSET ?
                    """, values + span.bounds + [Int64(limit - 1)])
            if last.count == 2 {
                let (first, behind) = try span.split(at: last[0])
                let isMore =
                    try span.split(at: last[1]).0 != first
                    || database.number(
                        "SELECT 1 FROM records WHERE \(condition) LIMIT 1",
                        values + behind.bounds) != nil
                (part, rest) = (first, isMore ? behind : nil)
            }
            let found = try database.rows(
                """
                SELECT record, deleted, body FROM records WHERE \(condition)
                ORDER BY \(column), record
                """, values + part.bounds
            ).map { try $0.storedRecord() }
            return (found, rest)
        }
    }

    /// The records of a collection that have no place in a span, in the order of their ids.
    package func list(
        of space: SpaceID, in collection: String, outside span: IndexSpan,
        includeDeleted: Bool = false
    ) throws -> [StoredRecord] {
        try connection.read { database in
            let column = span.column
            let values: [(any Bindable)?] =
                [try SpaceTable.row(of: space, in: database), collection] + span.bounds
            // Counted in indexes alone: most often every record has a place.
            let counts = try database.row(
                """
                SELECT (
                    SELECT COUNT(*) FROM records WHERE space = ?1 AND collection = ?2
                ) AS whole, (
                    SELECT COUNT(*) FROM records
                    WHERE space = ?1 AND collection = ?2 AND \(column) > ?3 AND \(column) <= ?4
                ) AS placed
                """, values)
            guard let counts, try counts.integer("whole") > counts.integer("placed") else {
                return []
            }
            return try database.rows(
                """
                SELECT record, deleted, body FROM records
                WHERE space = ? AND collection = ?
                    AND (\(column) IS NULL OR \(column) <= ? OR \(column) > ?)
                    \(includeDeleted ? "" : "AND deleted = 0")
                ORDER BY record
                """, values
            ).map { try $0.storedRecord() }
        }
    }
}
