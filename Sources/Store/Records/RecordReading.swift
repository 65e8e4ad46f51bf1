package import SyncCore

/// The records that the logs make: reading, finding and rebuilding them, and values of local fields.
package struct StoredRecords: Sendable {
    let connection: StoreConnection

    init(_ connection: StoreConnection) { self.connection = connection }

    /// The records of a collection in the order of their ids, after record `after`.
    package func list(
        of space: SpaceID, in collection: String, includeDeleted: Bool = false,
        after: RecordID? = nil, limit: Int = .max
    ) throws -> [StoredRecord] {
        try connection.read { database in
            try database.rows(
                """
                SELECT record, deleted, body FROM records
                WHERE space = ? AND collection = ? AND record > ? AND deleted <= ?
                ORDER BY record LIMIT ?
                """,
                [
                    try SpaceTable.row(of: space, in: database), collection, after?.bytes ?? [],
                    includeDeleted, Int64(limit),
                ]
            ).map { try $0.storedRecord() }
        }
    }

    /// What is known of a record by what a person typed.
    package enum NameHint {
        /// Its name, but for case and composition, or one that begins alike.
        case name(String)
        /// The beginning of its name.
        case nameStart(String)
        /// The beginning of its id, at least one hexadecimal digit.
        case idStart(String)
        /// It has a name at all.
        case any
        /// Its name has characters that are shown otherwise than they are written, or not at all.
        case unusual

        /// Whether a record with this id and name is one of those that ``StoredRecords`` finds by the hint.
        package func fits(_ record: RecordID, called name: String?) -> Bool {
            let key = name.flatMap { NameKey.key(of: $0) }
            return switch self {
            case .name(let typed): key != nil && key == NameKey.key(of: typed)
            case .nameStart(let typed):
                NameKey.key(of: typed).map { key?.starts(with: $0) ?? false } ?? false
            case .idStart(let digits): record.description.hasPrefix(digits)
            case .any: key != nil
            case .unusual: key?.first == NameKey.unusual
            }
        }
    }

    /// The records of a collection, deleted ones too, to which a hint may fit, in the order of their
    /// names or ids; however many others there are, only these are read.
    package func list(
        of space: SpaceID, in collection: String, fitting hint: NameHint, limit: Int
    ) throws -> [StoredRecord] {
        let condition: String
        let bounds: [[UInt8]]
        switch hint {
        case .name(let name):
            guard let key = NameKey.key(of: name) else { return [] }
            condition = "name = ?1 AND name = ?2 ORDER BY name, record"
            bounds = [key, key]
        case .nameStart(let start):
            guard let key = NameKey.key(of: start) else { return [] }
            // No byte of UTF-8 is 255.
            condition = "name >= ?1 AND name < ?2 ORDER BY name, record"
            bounds = [key, key + [0xFF]]
        case .idStart(let digits):
            guard let least = RecordID(beginning: digits, filledWith: "0"),
                let greatest = RecordID(beginning: digits, filledWith: "f")
            else { return [] }
            condition = "record BETWEEN ?1 AND ?2 ORDER BY record"
            bounds = [least.bytes, greatest.bytes]
        case .any:
            condition = "name >= ?1 AND name < ?2 ORDER BY name, record"
            bounds = [[], [0xFF]]
        case .unusual:
            condition = "name >= ?1 AND name < ?2 ORDER BY name, record"
            bounds = [[NameKey.unusual], [NameKey.unusual + 1]]
        }
        return try connection.read { database in
            try database.rows(
                """
                SELECT record, deleted, body FROM records
                WHERE space = ?3 AND collection = ?4 AND \(condition) LIMIT ?5
                """,
                [
                    bounds[0], bounds[1], try SpaceTable.row(of: space, in: database), collection,
                    Int64(limit),
                ]
            ).map { try $0.storedRecord() }
        }
    }

    /// A record's state, deleted or not; nil when nothing effective was written to it.
    package func record(_ key: RecordKey, of space: SpaceID) throws -> RecordState? {
        try connection.read { database in
            try RecordTable.state(
                of: key, in: try SpaceTable.row(of: space, in: database), database)
        }
    }

    /// Records of a space that are not deleted, by collection.
    package func counts(of space: SpaceID) throws -> [String: Int] {
        try connection.read { database in
            let space = try SpaceTable.row(of: space, in: database)
            var counts: [String: Int] = [:]
            // Both are counted in an index, without looking at the records.
            for (sign, condition) in [(1, ""), (-1, " AND deleted = 1")] {
                let rows = try database.rows(
                    """
                    SELECT collection, COUNT(*) AS count FROM records
                    WHERE space = ?\(condition) GROUP BY collection
                    """, [space])
                for row in rows {
                    counts[try row.text("collection"), default: 0] +=
                        sign * Int(try row.integer("count"))
                }
            }
            return counts.filter { $0.value > 0 }
        }
    }
}

extension StoredRecords {
    /// The log and sequence of the commit that wrote to a record first, as far as it counts.
    package func origin(
        of key: RecordKey, in space: SpaceID
    ) throws -> (log: LogID, sequence: UInt64)? {
        try connection.read { database in
            try database.row(
                """
                SELECT logs.*, commits.sequence FROM records
                    CROSS JOIN commits ON commits.id = maker CROSS JOIN logs ON logs.id = log
                WHERE records.space = ? AND collection = ? AND record = ?
                """,
                [try SpaceTable.row(of: space, in: database), key.collection, key.record.bytes]
            ).map { (try $0.log(), try $0.sequence("sequence")) }
        }
    }

    /// For each of these records the place of the commit that wrote to it first, as far as it counts.
    package func makers(of keys: some Sequence<RecordKey>, in space: SpaceID) throws
        -> [RecordKey: Int64]
    {
        try connection.read { database in
            let row = try SpaceTable.row(of: space, in: database)
            var makers: [RecordKey: Int64] = [:]
            for key in keys {
                makers[key] = try database.number(
                    """
                    SELECT maker FROM records
                    WHERE space = ? AND collection = ? AND record = ?
                    """, [row, key.collection, key.record.bytes])
            }
            return makers
        }
    }
}

extension RecordID {
    fileprivate init?(beginning digits: String, filledWith filling: Character) {
        guard let bytes = paddedBytes(digits, filling, count: Bytes16.byteCount) else { return nil }
        self.init(bytes: bytes)
    }
}
