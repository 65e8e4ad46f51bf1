internal import GRDB
package import SyncCore

/// Finding records by index: however many others there are, only these are read.
extension StoredRecords {
    /// Whether a collection has no record now, nor a deleted one. Asks the database only while records are not counted.
    package func isEmpty(_ collection: String, in space: SpaceID) throws -> Bool {
        let known = connection.loaded {
            $0.spaces[space]?.recordCounts.map { $0[CollectionName(collection)] == nil }
        }
        return try known ?? (count(of: space, in: collection) == 0)
    }

    /// The spaces in which a collection has a record, be it a deleted one; in the order of their ids.
    package func spaces(with collection: String) throws -> [SpaceID] {
        try connection.read { database in
            try database.rows(
                """
                SELECT space_id FROM spaces WHERE EXISTS (
                    SELECT 1 FROM records WHERE space = spaces.id AND collection = ?
                ) ORDER BY space_id
                """, [collection]
            ).map { try $0.identifier("space_id") }
        }
    }

    /// How many records a collection has, deleted ones too, as other reads of the same snapshot find them. Counted
    /// once after opening, and after each rebuild of records; kept up to date otherwise, and counted in an index
    /// only where something was written since the snapshot.
    package func count(of space: SpaceID, in collection: String) throws -> Int {
        try connection.read { database in
            let row = try SpaceTable.row(of: space, in: database)
            if connection.loaded({ $0.spaces[space]?.recordCounts }) == nil {
                try keepCounts(of: space)
            }
            let known = connection.loaded(shownTo: database) {
                $0.spaces[space]?.recordCounts.map { $0[CollectionName(collection)] ?? 0 }
            }
            if let known { return known }
            let count = try database.number(
                "SELECT COUNT(*) FROM records WHERE space = ? AND collection = ?",
                [row, collection])
            return Int(count ?? 0)
        }
    }

    /// Counts the records of a space, to be kept up to date from then on.
    private func keepCounts(of space: SpaceID) throws {
        try connection.counting { loaded, database in
            var counts: [CollectionName: Int] = [:]
            for row in try database.rows(
                """
                SELECT collection, COUNT(*) AS count FROM records WHERE space = ?
                GROUP BY collection
                """, [try SpaceTable.row(of: space, in: database)])
            {
                counts[CollectionName(try row.text("collection"))] = Int(try row.integer("count"))
            }
            loaded.spaces[space]?.recordCounts = counts
        }
    }

    /// The deleted records of a collection, in the order of their ids.
    package func deleted(
        of space: SpaceID, in collection: String
    ) throws -> [StoredRecord] {
        try connection.read { database in
            try database.rows(
                """
                SELECT record, deleted, body FROM records INDEXED BY records_deleted
                WHERE space = ? AND collection = ? AND deleted = 1 ORDER BY record
                """, [try SpaceTable.row(of: space, in: database), collection]
            ).map { try $0.storedRecord() }
        }
    }

    /// The records of a collection that refer to any of these, deleted ones too, in the order of
    /// their ids.
    package func list(
        of space: SpaceID, in collection: String, linkingToAny targets: Set<RecordID>
    ) throws -> [StoredRecord] {
        try connection.read { database in
            try RecordTable.records(
                of: try SpaceTable.row(of: space, in: database), in: collection,
                linkingToAny: targets,
                database)
        }
    }

    /// The records that an effective commit wrote a file into, by their names of now.
    package func keys(naming blob: BlobID, of space: SpaceID) throws -> [RecordKey] {
        let schema = StoredSpaces(connection).schema(of: space)
        return try connection.read { database in
            let rows = try database.rows(
                """
                SELECT header, signature, clear, operations FROM blobs
                    JOIN blob_names ON blob_names.blob = blobs.id
                    JOIN commits ON commits.id = commit_row
                WHERE blob_id = ? AND blob_names.space = ? AND effective = 1
                """, [blob.bytes, try SpaceTable.row(of: space, in: database)])
            var keys: Set<RecordKey> = []
            for row in rows {
                for operation in try row.commit(connection.decoder).operations
                where operation.writes.contains(where: { $0.value == .blob(blob) }) {
                    keys.insert(RecordKey(of: operation, under: schema))
                }
            }
            return keys.sorted()
        }
    }
}

extension RecordTable {
    static func records(
        of space: Int64, in collection: String, linkingToAny targets: Set<RecordID>,
        _ database: Database
    ) throws -> [StoredRecord] {
        try Backlinks.rows(linkingToAny: targets, in: space, database)
            .compactMap { row in
                try database.row(
                    """
                    SELECT record, deleted, body FROM records
                    WHERE id = ? AND space = ? AND collection = ?
                    """, [row, space, collection])?.storedRecord()
            }
            .filter { !Backlinks.targets(in: $0.state).isDisjoint(with: targets) }
            .sorted { $0.record < $1.record }
    }
}

/// The bytes of an id that these hexadecimal digits begin and another one fills up; nil for other
/// letters, and for more than an id has.
func paddedBytes(_ digits: String, _ filling: Character, count: Int) -> [UInt8]? {
    let length = 2 * count
    guard digits.utf8.count <= length, digits.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
    let whole = digits + String(repeating: filling, count: length - digits.utf8.count)
    return bytes(hexadecimal: whole[...])
}

extension CollectionSchema {
    /// The field by which records are found by their time.
    package var timeField: FieldSchema? { fields.first { $0.type == .time && !$0.isLocal } }

    /// A record's time in milliseconds since 1970; nil when nothing says it.
    package func time(of state: RecordState) -> Int64? {
        guard let field = timeField, let register = state.fields[field.name] else { return nil }
        return field.strategy.shown(register, merged: state.merged[field.name])?
            .value.time?.milliseconds
    }
}
