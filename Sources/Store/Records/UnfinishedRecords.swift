package import SyncCore

/// Records that stay on this device until they are finished. Throws what the store throws.
///
/// Each is one local value: its collection stands where others have a field, and its state
/// (``RecordCodec``) is the value. What the log holds of a record goes before what is kept here: after
/// a backup was restored both may be there.
package struct UnfinishedRecords: Sendable {
    private let connection: StoreConnection

    init(_ connection: StoreConnection) { self.connection = connection }

    /// Whether a space may have any; costs nothing to ask.
    package func mayBe(in space: SpaceID) -> Bool {
        connection.loaded { $0.unfinished.contains(space) }
    }

    /// Those of a space, under the names that collections and fields have now.
    package func all(in space: SpaceID) throws -> [RecordKey: RecordState] {
        guard mayBe(in: space) else { return [:] }
        let schema = StoredSpaces(connection).schema(of: space)
        return try connection.read { database in
            let space = try SpaceTable.row(of: space, in: database)
            return try UnfinishedTable.all(in: space, under: schema, database).filter {
                try RecordTable.state(of: $0.key, in: space, database) == nil
            }
        }
    }

    /// Keeps records as they are now, or with nil drops one with all that this device alone has of it. `before` says what was
    /// read of them: throws ``StoreError/unfinishedChanged`` when one is otherwise by now, and then all stay as they were.
    /// Durable on return.
    package func keep(
        _ records: [RecordKey: RecordState?], insteadOf before: [RecordKey: RecordState],
        in space: SpaceID
    ) throws {
        try connection.turn { turn in
            let row = try SpaceTable.row(of: space, in: turn.database)
            let schema = turn.loaded.spaces[space].flatMap { turn.schemas($0.ledger.schema) }
            try UnfinishedTable.require(
                records.mapValues { _ in nil }.merging(before) { $1 }, in: row, under: schema,
                turn.database)
            for (key, state) in records {
                try UnfinishedTable.set(state, key, in: row, turn.database)
                if state == nil { try LocalValueTable.remove(key, in: row, turn.database) }
            }
            turn.loaded.unfinished.insert(space)
        }
    }
}
