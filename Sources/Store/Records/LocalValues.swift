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
