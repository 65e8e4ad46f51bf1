internal import GRDB
package import SyncCore

/// Values of local fields: beside the records, in no log.
extension StoredRecords {
    /// By record, then by field.
    package func localValues(
        of space: SpaceID, in collection: String
    ) throws -> [RecordID: [String: Value]] {
        try connection.read { database in
            let rows = try database.rows(
                "SELECT record, field, value FROM local_values WHERE space = ? AND collection = ?",
                [try SpaceTable.row(of: space, in: database), collection])
            var found: [RecordID: [String: Value]] = [:]
            for row in rows {
                let value = try Value(canonicalBytes: try row.bytes("value")[...])
                found[try row.record("record"), default: [:]][try row.text("field")] = value
            }
            return found
        }
    }

    /// Sets values of local fields, by record and field; null removes one. Durable on return.
    package func setLocalValues(_ values: [RecordKey: [String: Value]], in space: SpaceID) throws {
        try connection.write { database in
            let space = try SpaceTable.row(of: space, in: database)
            for (key, values) in values {
                for (field, value) in values {
                    try LocalValueTable.set(value, field, of: key, in: space, database)
                }
            }
        }
    }
}

enum LocalValueTable {
    /// Removes all values of a record.
    static func remove(_ key: RecordKey, in space: Int64, _ database: Database) throws {
        try database.run(
            "DELETE FROM local_values WHERE space = ? AND collection = ? AND record = ?",
            [space, key.collection, key.record.bytes])
    }

    static func set(
        _ value: Value, _ field: String, of key: RecordKey, in space: Int64, _ database: Database
    ) throws {
        let place: [(any Bindable)?] = [space, key.collection, key.record.bytes, field]
        try database.run(
            """
            DELETE FROM local_values
            WHERE space = ? AND collection = ? AND record = ? AND field = ?
            """, place)
        guard value != .null else { return }
        Invariants.check(
            (try? Value(canonicalBytes: value.canonicalBytes[...])) == value,
            "a value is read back as another one")
        try database.run(
            """
            INSERT INTO local_values (space, collection, record, field, value)
            VALUES (?, ?, ?, ?, ?)
            """, place + [value.canonicalBytes])
    }
}
