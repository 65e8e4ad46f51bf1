internal import GRDB
package import SyncCore

/// A span of an order in which an index holds the records of a collection: behind its first place, up to and with
/// its last one.
package enum IndexSpan: Hashable, Sendable {
    /// By their time, in milliseconds since 1970.
    case times(after: Int64, through: Int64)
    /// By their time and, within one time, by their ids.
    case timesAndIDs(after: TimePlace, through: TimePlace)
    /// By ``NameKey``.
    case names(after: [UInt8], through: [UInt8])
    /// By their ids.
    case ids(after: [UInt8], through: [UInt8])

    /// The place of one record in the order of times.
    package struct TimePlace: Hashable, Sendable {
        /// Milliseconds since 1970.
        package let time: Int64
        package let id: [UInt8]

        package init(time: Int64, id: [UInt8]) { (self.time, self.id) = (time, id) }

        fileprivate func isBefore(_ other: TimePlace) -> Bool {
            time == other.time ? id.lexicographicallyPrecedes(other.id) : time < other.time
        }
    }

    package static let allTimesAndIDs = IndexSpan.timesAndIDs(
        after: TimePlace(time: .min, id: []), through: TimePlace(time: .max, id: greatestID))
    /// No byte of UTF-8 is 255.
    package static let allNames = IndexSpan.names(after: [], through: [0xFF])
    package static let allIDs = IndexSpan.ids(after: [], through: greatestID)

    private static let greatestID = [UInt8](repeating: 0xFF, count: Bytes16.byteCount)

    /// Whether a record stands in this span; nil when the order has no place for it.
    package func holds(
        _ record: RecordID, _ state: RecordState, in collection: CollectionSchema
    ) -> Bool? {
        switch self {
        case .times(let after, let through):
            return collection.time(of: state).map { after < $0 && $0 <= through }
        case .timesAndIDs(let after, let through):
            return collection.time(of: state).map { time in
                let place = TimePlace(time: time, id: record.bytes)
                return after.isBefore(place) && !through.isBefore(place)
            }
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
        case .times, .timesAndIDs: "time"
        case .names: "name"
        case .ids: "record"
        }
    }

    /// The columns of a place, the first one named so, and its order.
    fileprivate var place: (columns: String, order: String) {
        if case .timesAndIDs = self { return ("time AS place, record", "time, record") }
        return ("\(column) AS place", column)
    }

    /// Of rows in it, and of those that have no place in it; ``bounds`` are bound from ?3 on.
    fileprivate var conditions: (inside: String, outside: String) {
        if case .timesAndIDs = self {
            return (
                """
                time >= ?3 AND time <= ?5
                    AND (time > ?3 OR record > ?4) AND (time < ?5 OR record <= ?6)
                """,
                """
                time IS NULL OR time < ?3 OR time > ?5
                    OR (time = ?3 AND record <= ?4) OR (time = ?5 AND record > ?6)
                """
            )
        }
        return (
            "\(column) > ?3 AND \(column) <= ?4",
            "\(column) IS NULL OR \(column) <= ?3 OR \(column) > ?4"
        )
    }

    fileprivate var bounds: [(any Bindable)?] {
        switch self {
        case .times(let after, let through): [after, through]
        case .timesAndIDs(let after, let through):
            [after.time, after.id, through.time, through.id]
        case .names(let after, let through), .ids(let after, let through): [after, through]
        }
    }

    /// Its part up to and with the place of a row, and the part behind that.
    fileprivate func split(at row: Row) throws -> (IndexSpan, IndexSpan) {
        switch self {
        case .times(let after, let through):
            let place = try row.integer("place")
            return (.times(after: after, through: place), .times(after: place, through: through))
        case .timesAndIDs(let after, let through):
            let place = TimePlace(time: try row.integer("place"), id: try row.bytes("record"))
            return (
                .timesAndIDs(after: after, through: place),
                .timesAndIDs(after: place, through: through)
            )
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
            let condition =
                "space = ?1 AND collection = ?2 AND \(span.conditions.inside)"
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
                    SELECT \(span.place.columns) FROM records WHERE \(condition)
                    ORDER BY \(span.place.order) LIMIT 2 OFFSET ?
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
                ORDER BY \(span.column), record
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
            let conditions = span.conditions
            let values: [(any Bindable)?] =
                [try SpaceTable.row(of: space, in: database), collection] + span.bounds
            // Counted in indexes alone: most often every record has a place.
            let counts = try database.row(
                """
                SELECT (
                    SELECT COUNT(*) FROM records WHERE space = ?1 AND collection = ?2
                ) AS whole, (
                    SELECT COUNT(*) FROM records
                    WHERE space = ?1 AND collection = ?2 AND \(conditions.inside)
                ) AS placed
                """, values)
            guard let counts, try counts.integer("whole") > counts.integer("placed") else {
                return []
            }
            return try database.rows(
                """
                SELECT record, deleted, body FROM records
                WHERE space = ?1 AND collection = ?2 AND (\(conditions.outside))
                    \(includeDeleted ? "" : "AND deleted = 0")
                ORDER BY record
                """, values
            ).map { try $0.storedRecord() }
        }
    }
}
