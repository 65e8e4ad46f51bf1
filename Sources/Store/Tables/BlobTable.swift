internal import GRDB
internal import SyncCore

/// Whether a blob's bytes are here, verified.
///
/// They stand in statements themselves: where a bound value is compared with a column that limits an index, SQLite
/// looks at the value, and plans the statement again for each.
enum BlobState {
    static let missing: Int64 = 0
    static let present: Int64 = 1
    /// Not here, as nothing shown names it: not fetched, and not lost.
    static let freed: Int64 = 2
}

enum BlobTable {
    /// The setting that says that there may be blobs of which no space is noted.
    static let unplaced = "unplaced"
    /// Whether a blob is to be fetched for a space, of the columns of blobs and blob_spaces.
    static let isAwaited =
        "(state = \(BlobState.missing) OR held = 0 AND state <> \(BlobState.freed))"

    /// The row of a blob, made as missing when it is not there.
    static func row(of blob: BlobID, size: UInt64, in database: Database) throws -> Int64 {
        let known = try database.number("SELECT id FROM blobs WHERE blob_id = ?", [blob.bytes])
        if let known { return known }
        try database.run(
            "INSERT INTO blobs (blob_id, state, size) VALUES (?, ?, ?)",
            [blob.bytes, BlobState.missing, stored(size)])
        return database.lastInsertedRowID
    }

    /// The row of a blob that is in this state; nil where it is in another one, or there is none.
    static func row(of blob: BlobID, in state: Int64, _ database: Database) throws -> Int64? {
        try database.number(
            "SELECT id FROM blobs WHERE blob_id = ? AND state = \(state)", [blob.bytes])
    }

    /// Writes down that a commit names blobs; returns those that its space does not hold.
    static func name(
        _ blobs: [NamedBlob], by commit: Int64, in space: Int64, _ database: Database
    ) throws -> [NamedBlob] {
        for blob in blobs {
            let row = try row(of: blob.blob, size: blob.size, in: database)
            try database.run(
                """
                INSERT INTO blob_names (space, blob, commit_row, size, kind) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT DO NOTHING
                """, [space, row, commit, stored(blob.size), blob.kind.rawValue])
            try database.run(
                """
                INSERT INTO blob_spaces (space, blob, held) VALUES (?, ?, 0)
                ON CONFLICT DO NOTHING
                """, [space, row])
        }
        return blobs.isEmpty ? [] : try missing(namedBy: commit, in: database)
    }

    static func missing(namedBy commit: Int64, in database: Database) throws -> [NamedBlob] {
        try database.rows(
            """
            SELECT blob_id, blob_names.size, kind FROM blob_names
                JOIN blobs ON blobs.id = blob_names.blob
                JOIN blob_spaces ON blob_spaces.space = blob_names.space
                    AND blob_spaces.blob = blob_names.blob
            WHERE commit_row = ? AND \(isAwaited)
            """, [commit]
        ).map { try $0.namedBlob() }
    }

    /// Those of these blobs that effective commits of a space name, each with whether it is held there.
    static func named(
        _ blobs: Set<BlobID>, in space: Int64, _ database: Database
    ) throws -> [(named: NamedBlob, isHeld: Bool)] {
        try blobs.sorted().compactMap { blob in
            // MIN makes SQLite take the other columns from the row of the first commit.
            let row = try database.row(
                """
                SELECT blob_id, blob_names.size, kind, state, held, MIN(commit_row)
                FROM blobs
                    CROSS JOIN blob_spaces ON blob_spaces.space = ?1
                        AND blob_spaces.blob = blobs.id
                    CROSS JOIN blob_names ON blob_names.space = ?1
                        AND blob_names.blob = blobs.id
                    CROSS JOIN commits ON commits.id = commit_row
                WHERE blob_id = ?2 AND effective = 1 GROUP BY blobs.id
                """, [space, blob.bytes])
            guard let row else { return nil }
            let isHeld = try row.integer("state") == BlobState.present && row.flag("held")
            return (try row.namedBlob(), isHeld)
        }
    }

    /// Sizes are claims until verified: none may be larger than a blob can be, so that sums of
    /// them never overflow.
    static func stored(_ size: UInt64) -> Int64 { Int64(min(size, Limits.blobBytes)) }
}

extension Row {
    /// From the columns blob_id, size and kind.
    func namedBlob() throws -> NamedBlob {
        NamedBlob(
            blob: try identifier("blob_id"), size: try unsigned("size"),
            kind: try namedBlobKind())
    }

    func namedBlobKind() throws -> NamedBlobKind {
        let number = UInt8(truncatingIfNeeded: try integer("kind"))
        guard let kind = NamedBlobKind(rawValue: number) else { throw wrong("kind") }
        return kind
    }
}
