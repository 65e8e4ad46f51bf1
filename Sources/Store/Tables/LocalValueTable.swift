internal import GRDB
internal import SyncCore

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
