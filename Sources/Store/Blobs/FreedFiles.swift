internal import GRDB
package import SyncCore

/// Files that are not here because nothing shown names them.
package struct FreedFiles: Sendable {
    private let connection: StoreConnection

    init(_ connection: StoreConnection) { self.connection = connection }

    /// Notes files that are here as freed, in one transaction; their bytes are to be removed only then. Without `now`,
    /// notes so files that are not here: nobody waits for them. False, and nothing is noted, if anything was written
    /// since ``SyncStore/version`` was this: what was decided may not hold any more.
    package func free(
        _ blobs: [BlobID], decidedAt version: UInt64, now: Milliseconds?
    ) throws -> Bool {
        let state = now == nil ? BlobState.missing : BlobState.present
        return try connection.turn { turn in
            guard turn.loaded.version == version else { return false }
            for blob in blobs {
                let row = try BlobTable.row(of: blob, in: state, turn.database)
                guard let row else { continue }
                try turn.update(blob: row) {
                    try turn.database.run(
                        """
                        UPDATE blobs
                        SET state = \(BlobState.freed), freed_at = COALESCE(?, freed_at),
                            verified_at = NULL, content = NULL
                        WHERE id = ?
                        """, [now?.stored, row])
                }
            }
            turn.loaded.hasFreed = true
            return true
        }
    }

    /// The blobs that were freed and are not wanted.
    package func all() throws -> [BlobID] { try blobs("") }

    private func blobs(_ condition: String) throws -> [BlobID] {
        guard connection.loaded({ $0.hasFreed }) else { return [] }
        return try connection.read { database in
            try database.rows(
                """
                SELECT blob_id FROM blobs INDEXED BY blobs_freed
                WHERE state = 2 \(condition) ORDER BY blob_id
                """
            ).map { try $0.identifier("blob_id") }
        }
    }

    /// Wants the files again that were noted as freed before they ever came, for want of room; returns them.
    package func wantForgone() throws -> [BlobID] {
        let forgone = try blobs("AND freed_at IS NULL")
        guard !forgone.isEmpty else { return [] }
        try connection.turn { turn in try BlobTable.wantFreed(forgone, in: turn) }
        return forgone
    }

    /// The files of a space that were freed and are wanted again, with the times when they were freed.
    package func wantedAgain(of space: SpaceID) throws -> [BlobID: Milliseconds] {
        try connection.read { database in
            try database.rows(
                """
                SELECT blob_id, freed_at FROM blobs INDEXED BY blobs_missing
                    CROSS JOIN blob_spaces ON blob = blobs.id AND blob_spaces.space = ?
                WHERE state = 0 AND freed_at IS NOT NULL
                """, [try SpaceTable.row(of: space, in: database)]
            ).reduce(into: [:]) { times, row in
                times[try row.identifier("blob_id")] = try row.moment("freed_at")
            }
        }
    }

    /// Wants freed files again that something shown of a space names: they are missing from then on. After
    /// a change of these records only they are looked at, what belongs to them, and what is shown because one
    /// of those needs it; nil looks at all.
    package func wantFreed(
        of space: SpaceID, after touched: Set<RecordKey>? = nil
    ) throws -> [NamedBlob] {
        let spaces = StoredSpaces(connection)
        guard connection.loaded({ $0.hasFreed }), let schema = spaces.schema(of: space),
            try spaces.deletions(of: space).isEmpty
        else { return [] }
        let wanted = try connection.read { database in
            let graph = StoredGraph(
                space: try SpaceTable.row(of: space, in: database), schema: schema,
                database: database)
            return try graph.freedAndShown(after: touched)
        }
        guard !wanted.isEmpty else { return [] }
        return try connection.turn { turn in
            try BlobTable.wantFreed(wanted.sorted(), in: turn)
            return try BlobTable.named(
                wanted, in: SpaceTable.row(of: space, in: turn.database), turn.database
            )
            .map(\.named)
        }
    }
}

extension BlobTable {
    /// These are missing from now on, those of them that are freed.
    fileprivate static func wantFreed(_ blobs: [BlobID], in turn: WriteTransaction) throws {
        for blob in blobs {
            let row = try row(of: blob, in: BlobState.freed, turn.database)
            guard let row else { continue }
            try turn.update(blob: row) {
                try turn.database.run(
                    "UPDATE blobs SET state = \(BlobState.missing) WHERE id = ?", [row])
            }
        }
    }
}

extension StoredGraph {
    /// The freed files that a shown record names.
    fileprivate func freedAndShown(after touched: Set<RecordKey>?) throws -> Set<BlobID> {
        let freed = Set(
            try database.rows(
                """
                SELECT blob_id FROM blobs INDEXED BY blobs_freed
                    CROSS JOIN blob_spaces ON blob = blobs.id AND blob_spaces.space = ?
                WHERE state = 2
                """, [space]
            ).map { try $0.identifier("blob_id") as BlobID })
        guard !freed.isEmpty else { return [] }
        var presences = Presences(of: schema)
        var found: Set<BlobID> = []
        for key in try touched.map({ try reach(of: $0, &presences) }) ?? all() {
            let blobs = try RecordTable.state(of: key, in: space, database)?.blobs ?? []
            guard !blobs.isDisjoint(with: freed) else { continue }
            if try presences.presence(of: key, in: self).isShown {
                found.formUnion(blobs.intersection(freed))
            }
        }
        return found
    }

    /// These records, what belongs to them, what is held because one of these needs it, and so on.
    private func reach(
        of touched: Set<RecordKey>, _ presences: inout Presences
    ) throws -> Set<RecordKey> {
        var found: Set<RecordKey> = []
        var rest = touched
        while !rest.isEmpty {
            rest.formUnion(try parts(of: rest))
            rest.subtract(found)
            found.formUnion(rest)
            var held: Set<RecordKey> = []
            for key in rest {
                for needed in try needs(of: key) where !found.contains(needed) {
                    guard case .held = try presences.presence(of: needed, in: self) else {
                        continue
                    }
                    held.insert(needed)
                }
            }
            rest = held
        }
        Invariants.check(found.isSuperset(of: touched), "a record that changed is not looked at")
        try Invariants.check(
            try parts(of: found).isEmpty, "what belongs to a record that changed is not looked at")
        return found
    }

    /// The records that must not be deleted while this one is shown.
    private func needs(of key: RecordKey) throws -> [RecordKey] {
        guard let record = try shown(key) else { return [] }
        return (schema.collection(key.collection)?.fields ?? []).flatMap { field -> [RecordKey] in
            switch field.type {
            case .reference(let target, .restrict):
                [record.value(field.name)?.reference].compactMap(\.self)
                    .map { RecordKey(collection: target, record: $0) }
            case .set(of: .reference(let target, .restrict)):
                record.elements(field.name).compactMap(\.reference)
                    .map { RecordKey(collection: target, record: $0) }
            default: []
            }
        }
    }

    private func all() throws -> Set<RecordKey> {
        Set(
            try database.rows("SELECT collection, record FROM records WHERE space = ?", [space])
                .map {
                    RecordKey(
                        collection: try $0.text("collection"), record: try $0.record("record"))
                })
    }
}
