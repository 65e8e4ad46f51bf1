internal import GRDB
internal import SyncCore

enum UnfinishedTable {
    /// No schema has a collection of this name.
    private static let place = ""

    /// The spaces that have any.
    static func spaces(in database: Database) throws -> Set<SpaceID> {
        Set(
            try database.rows(
                """
                SELECT space_id FROM spaces WHERE EXISTS
                    (SELECT 1 FROM local_values WHERE space = spaces.id AND collection = ?)
                """, [place]
            ).map { try $0.identifier("space_id") })
    }

    static func all(
        in space: Int64, under schema: Schema?, _ database: Database
    ) throws -> [RecordKey: RecordState] {
        let rows = try database.rows(
            "SELECT record, field, value FROM local_values WHERE space = ? AND collection = ?",
            [space, place])
        var found: [RecordKey: RecordState] = [:]
        for row in rows {
            let (key, state) = try entry(row, under: schema)
            found[key] = state
        }
        return found
    }

    /// Throws unless each of these is kept just so, or not at all for nil, and the log has nothing of it.
    static func require(
        _ records: [RecordKey: RecordState?], in space: Int64, under schema: Schema?,
        _ database: Database
    ) throws {
        for (key, expected) in records {
            let row = try database.row(
                """
                SELECT record, field, value FROM local_values
                WHERE space = ? AND collection = ? AND record = ?
                """, [space, place, key.record.bytes])
            let kept = try row.map { try entry($0, under: schema) }
            guard kept?.state == expected, kept.map({ $0.key == key }) ?? true,
                try RecordTable.state(of: key, in: space, database) == nil
            else { throw StoreError.unfinishedChanged }
        }
    }

    static func set(
        _ state: RecordState?, _ key: RecordKey, in space: Int64, _ database: Database
    ) throws {
        let place = RecordKey(collection: place, record: key.record)
        try LocalValueTable.remove(place, in: space, database)
        guard let state else { return }
        try LocalValueTable.set(
            .unknown(RecordCodec.encode(state)), key.collection, of: place, in: space, database)
    }

    private static func entry(
        _ row: Row, under schema: Schema?
    ) throws -> (key: RecordKey, state: RecordState) {
        let value = try Value(canonicalBytes: try row.bytes("value")[...])
        guard case .unknown(let bytes) = value else { throw row.wrong("value") }
        let name = try row.text("field")
        let collection = schema?.currentName(ofCollection: name) ?? name
        let state = try RecordCodec.decode(bytes)
        return (
            RecordKey(collection: collection, record: try row.record("record")),
            schema?.current(state, in: collection) ?? state
        )
    }
}
