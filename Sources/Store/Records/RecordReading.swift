internal import GRDB
package import SyncCore

/// One record with everything effective that was written to it.
package struct StoredRecord: Hashable, Sendable {
    package let record: RecordID
    package let state: RecordState
    package let isDeleted: Bool
}

extension Row {
    fileprivate func storedRecord() throws -> StoredRecord {
        StoredRecord(
            record: try record("record"), state: try RecordCodec.decode(try bytes("body")),
            isDeleted: try flag("deleted"))
    }
}

enum RecordTable {
    static func state(
        of key: RecordKey, in space: Int64, _ database: Database
    ) throws -> RecordState? {
        let row = try database.row(
            "SELECT body FROM records WHERE space = ? AND collection = ? AND record = ?",
            [space, key.collection, key.record.bytes])
        return try row.map { try RecordCodec.decode(try $0.bytes("body")) }
    }
}

extension SyncStore {
    /// The records of a collection in the order of their ids, after record `after`.
    package func records(
        of space: SpaceID, in collection: String, includeDeleted: Bool = false,
        after: RecordID? = nil, limit: Int = .max
    ) throws -> [StoredRecord] {
        try read { database in
            try database.rows(
                """
                SELECT record, deleted, body FROM records
                WHERE space = ? AND collection = ? AND record > ? AND deleted <= ?
                ORDER BY record LIMIT ?
                """,
                [
                    try row(of: space, in: database), collection, after?.bytes ?? [],
                    includeDeleted, Int64(limit),
                ]
            ).map { try $0.storedRecord() }
        }
    }

    /// The records of a collection that refer to a record, in the order of their ids: all of them, and
    /// perhaps some that do no more. However many others there are, only these are read.
    package func records(
        of space: SpaceID, in collection: String, includeDeleted: Bool = false,
        mentioning target: RecordID
    ) throws -> [StoredRecord] {
        try read { database in
            let space = try row(of: space, in: database)
            var found: [StoredRecord] = []
            for row in try Backlinks.rows(mentioning: target, in: space, database) {
                let record = try database.row(
                    """
                    SELECT record, deleted, body FROM records
                    WHERE id = ? AND space = ? AND collection = ? AND deleted <= ?
                        AND instr(body, ?) > 0
                    """, [row, space, collection, includeDeleted, target.bytes])
                if let record { found.append(try record.storedRecord()) }
            }
            return found.sorted { $0.record < $1.record }
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
    }

    /// The records of a collection, deleted ones too, to which a hint may fit, in the order of their
    /// names or ids; however many others there are, only these are read.
    package func records(
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
        }
        return try read { database in
            try database.rows(
                """
                SELECT record, deleted, body FROM records
                WHERE space = ?3 AND collection = ?4 AND \(condition) LIMIT ?5
                """,
                [
                    bounds[0], bounds[1], try row(of: space, in: database), collection,
                    Int64(limit),
                ]
            ).map { try $0.storedRecord() }
        }
    }

    /// A record's state, deleted or not; nil when nothing effective was written to it.
    package func record(_ key: RecordKey, of space: SpaceID) throws -> RecordState? {
        try read { database in
            try RecordTable.state(of: key, in: try row(of: space, in: database), database)
        }
    }

    /// Records of a space that are not deleted, by collection.
    package func recordCounts(of space: SpaceID) throws -> [String: Int] {
        try read { database in
            let rows = try database.rows(
                """
                SELECT collection, COUNT(*) AS count FROM records
                WHERE space = ? AND deleted = 0 GROUP BY collection
                """, [try row(of: space, in: database)])
            var counts: [String: Int] = [:]
            for row in rows {
                counts[try row.text("collection")] = Int(try row.integer("count"))
            }
            return counts
        }
    }

    /// Finds records by the words of a text: each word must begin a word of the record. Nil
    /// searches all spaces. Best matches first.
    package func search(
        _ text: String, in space: SpaceID? = nil, limit: Int = 100
    ) throws -> [(space: SpaceID, key: RecordKey)] {
        guard let pattern = SearchPattern.pattern(for: text) else { return [] }
        return try read { database in
            try database.rows(
                """
                SELECT space_id, collection, record FROM search
                    JOIN records ON records.id = search.rowid
                    JOIN spaces ON spaces.id = records.space
                WHERE search MATCH ? AND (? IS NULL OR space_id = ?)
                ORDER BY rank LIMIT ?
                """, [pattern, space?.bytes, space?.bytes, Int64(limit)]
            ).map { row in
                (
                    try row.identifier("space_id"),
                    RecordKey(
                        collection: try row.text("collection"),
                        record: try row.record("record"))
                )
            }
        }
    }
}

enum SearchPattern {
    /// An FTS5 pattern of quoted prefixes; nil when the text has no word. Quoted, nothing in it is
    /// an operator.
    static func pattern(for text: String) -> String? {
        let words = text.split { !$0.isLetter && !$0.isNumber }.prefix(Limits.searchWords)
        guard !words.isEmpty else { return nil }
        return words.map { "\"\($0)\"*" }.joined(separator: " ")
    }
}

extension RecordID {
    /// The id that these hexadecimal digits begin and another one fills up; nil for other letters, and
    /// for more than an id has.
    fileprivate init?(beginning digits: String, filledWith filling: Character) {
        let length = 2 * Bytes16.byteCount
        guard digits.utf8.count <= length, digits.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        let whole = digits + String(repeating: filling, count: length - digits.utf8.count)
        guard let bytes = SyncCore.bytes(hexadecimal: whole[...]) else { return nil }
        self.init(bytes: bytes)
    }
}
