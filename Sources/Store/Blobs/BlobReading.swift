package import SyncCore

/// A blob as far as this device knows it, in whatever space: what a person who sits here may read.
package struct StoredBlob: Hashable, Sendable {
    package let blob: BlobID
    /// Bytes; verified when present, a claim before.
    package let size: UInt64
    package let isPresent: Bool
    package let verifiedAt: Milliseconds?
    /// It is not here as it was freed, and it is not wanted.
    package let isFreed: Bool
    /// When it was freed, also where it is wanted again since; nil for one that is here.
    package let freedAt: Milliseconds?
    /// Whether its bytes lie in the database and not in a file.
    package let isSmall: Bool
}

/// A file that people added.
package struct OriginalBlob: Hashable, Sendable {
    package let blob: BlobID
    /// Whether its bytes lie in the database and not in a file.
    package let isSmall: Bool
    /// When the first commit that names it came here.
    package let cameAt: Milliseconds

    package init(blob: BlobID, isSmall: Bool, cameAt: Milliseconds) {
        (self.blob, self.isSmall, self.cameAt) = (blob, isSmall, cameAt)
    }
}

/// Files: which ones spaces name, hold, lack and no longer need.
package struct StoredFiles: Sendable {
    let connection: StoreConnection

    init(_ connection: StoreConnection) { self.connection = connection }

    /// The blobs that effective commits of a space name; of several claims about one blob, the first
    /// stored counts.
    package func named(of space: SpaceID) throws -> [NamedBlob] {
        try names(of: space, in: "blob_names JOIN blobs ON blobs.id = blob_names.blob", limit: .max)
    }

    /// The files that several commits of a space name, thumbnails aside: the same may have been added twice.
    /// Looked for again after a commit named files.
    package func repeated(of space: SpaceID) throws -> [BlobID] {
        if let known = connection.loaded({ $0.spaces[space]?.repeatedBlobs }) { return known }
        return try connection.counting { loaded, database in
            let found: [BlobID] = try database.rows(
                """
                SELECT blob_id FROM (
                    SELECT blob FROM blob_names WHERE space = ? AND kind != ?
                    GROUP BY blob HAVING COUNT(*) > 1
                ) AS repeated JOIN blobs ON blobs.id = repeated.blob ORDER BY blob_id
                """,
                [
                    try SpaceTable.row(of: space, in: database),
                    Int64(NamedBlobKind.thumbnail.rawValue),
                ]
            ).map { try $0.identifier("blob_id") }
            loaded.spaces[space]?.repeatedBlobs = found
            return found
        }
    }

    /// Those of them that the space does not hold, whether or not another one does: thumbnails first,
    /// then small ones, then by size. Those that were freed are none of them, as nobody waits for them, but
    /// `withFreed`.
    package func missing(
        of space: SpaceID, withFreed: Bool = false, limit: Int = .max
    ) throws -> [NamedBlob] {
        let freed =
            withFreed ? "SELECT id FROM blobs INDEXED BY blobs_freed WHERE state = 2 UNION" : ""
        // From the blobs that are missing to their names: nearly always they are few.
        let missing = """
            (
                SELECT id FROM blobs INDEXED BY blobs_missing WHERE state = 0
                UNION \(freed)
                SELECT blob FROM blob_spaces WHERE space = ?1 AND held = 0
            ) AS missing
            CROSS JOIN blob_names ON blob_names.blob = missing.id
            CROSS JOIN blobs ON blobs.id = missing.id
            """
        let condition = withFreed ? "" : "AND state <> 2"
        return try names(of: space, in: missing, where: condition, limit: limit)
    }

    /// Those of them that were held and whose bytes are gone or damaged, other than by being freed.
    package func gone(of space: SpaceID) throws -> [NamedBlob] {
        let gone = """
            blobs INDEXED BY blobs_missing
            CROSS JOIN blob_spaces ON blob_spaces.space = ?1 AND blob_spaces.blob = blobs.id
                AND held = 1 AND state = 0 AND freed_at IS NULL
            CROSS JOIN blob_names ON blob_names.blob = blobs.id
            """
        return try names(of: space, in: gone, limit: .max)
    }

    /// Whether a space held a blob whose bytes are gone or damaged, other than by being freed.
    package func isGone(_ blob: BlobID, in space: SpaceID) throws -> Bool {
        try connection.read { database in
            try database.row(
                """
                SELECT held FROM blobs JOIN blob_spaces ON blob = blobs.id
                WHERE blob_id = ? AND space = ? AND state = \(BlobState.missing) AND held = 1
                    AND freed_at IS NULL
                """, [blob.bytes, try SpaceTable.row(of: space, in: database)]) != nil
        }
    }

    /// Those that effective commits up to a watermark name: what a device has heard of that holds no
    /// more.
    package func blobs(of space: SpaceID, namedUpTo watermark: Watermark) throws -> Set<BlobID> {
        try connection.read { database in
            let row = try SpaceTable.row(of: space, in: database)
            var heard: [Int64: UInt64] = [:]
            for log in try database.rows("SELECT * FROM logs WHERE space = ?", [row]) {
                heard[try log.integer("id")] = watermark.sequence(of: try log.log())
            }
            var blobs: Set<BlobID> = []
            for name in try database.rows(
                """
                SELECT blob_id, log, sequence FROM blob_names
                    JOIN blobs ON blobs.id = blob_names.blob
                    JOIN commits ON commits.id = commit_row
                WHERE blob_names.space = ? AND effective = 1
                """, [row])
            where try name.unsigned("sequence") <= heard[try name.integer("log")] ?? 0 {
                blobs.insert(try name.identifier("blob_id"))
            }
            return blobs
        }
    }

    /// Those that no effective commit names which is sealed: files from before a space was encrypted,
    /// which are not encrypted.
    package func plain(of space: SpaceID) throws -> Set<BlobID> {
        try connection.read { database in
            let rows = try database.rows(
                """
                SELECT blob_id FROM blob_names JOIN blobs ON blobs.id = blob_names.blob
                    JOIN commits ON commits.id = commit_row
                WHERE blob_names.space = ? AND effective = 1
                GROUP BY blob_names.blob HAVING MAX(\(SealedTable.namesSealed)) = 0
                """, [try SpaceTable.row(of: space, in: database)])
            return Set(try rows.map { try $0.identifier("blob_id") })
        }
    }

    /// Those of these blobs that effective commits of the space name, each with whether it is held
    /// here. Costs a look at each, however many others the space has.
    package func named(
        _ blobs: Set<BlobID>, in space: SpaceID
    ) throws -> [(named: NamedBlob, isHeld: Bool)] {
        try connection.read {
            try BlobTable.named(blobs, in: try SpaceTable.row(of: space, in: $0), $0)
        }
    }

    /// Those of the files that a device says it lacks that are thumbnails here. Looked up once for each
    /// list.
    package func thumbnails(lackedBy said: Holdings) throws -> Set<BlobID> {
        let (space, device) = (said.space, said.device)
        let known = connection.loaded { $0.spaces[space]?.lackedThumbnails[device] }
        if let known, known.counter == said.counter { return known.blobs }
        return try connection.counting { loaded, database in
            let named = try BlobTable.named(
                Set(said.missing), in: try SpaceTable.row(of: space, in: database), database)
            let found = Set(named.map(\.named).filter { $0.kind == .thumbnail }.map(\.blob))
            loaded.spaces[space]?.lackedThumbnails[device] = (said.counter, found)
            return found
        }
    }

    private func names(
        of space: SpaceID, in tables: String, where condition: String = "", limit: Int
    ) throws -> [NamedBlob] {
        try connection.read { database in
            // MIN makes SQLite take the other columns from the row of the first commit.
            try database.rows(
                """
                SELECT blob_id, blob_names.size, kind, MIN(commit_row)
                FROM \(tables) JOIN commits ON commits.id = commit_row
                WHERE blob_names.space = ?1 AND effective = 1 \(condition)
                GROUP BY blob_names.blob
                ORDER BY kind <> ?2, blob_names.size >= ?3, blob_names.size, blob_id LIMIT ?4
                """,
                [
                    try SpaceTable.row(of: space, in: database), NamedBlobKind.thumbnail.rawValue,
                    Limits.smallBlobBytes, Int64(limit),
                ]
            ).map { try $0.namedBlob() }
        }
    }

    /// What a blob is in a space, by the first of the effective commits that name it there; nil unless the space holds
    /// the blob and such a commit names it: only then it may be served there. A space that is not here costs no
    /// more than one that is; nothing but the answer says whether another space holds the blob. With `isSealed`
    /// the commit has to be sealed.
    package func servedKind(
        of blob: BlobID, in space: SpaceID, isSealed: Bool = false
    ) throws -> NamedBlobKind? {
        let sealed = isSealed ? "AND \(SealedTable.namesSealed)" : ""
        return try connection.read { database in
            try database.row(
                """
                SELECT kind FROM spaces CROSS JOIN blobs
                    CROSS JOIN blob_spaces ON blob_spaces.space = spaces.id AND blob_spaces.blob = blobs.id
                    CROSS JOIN blob_names ON blob_names.space = spaces.id AND blob_names.blob = blobs.id
                    CROSS JOIN commits ON commits.id = commit_row
                WHERE space_id = ? AND blob_id = ? AND held = 1 AND state = \(BlobState.present)
                    AND effective = 1 \(sealed)
                ORDER BY commit_row LIMIT 1
                """, [space.bytes, blob.bytes])?.namedBlobKind()
        }
    }

    /// The spaces that hold a blob: its bytes are here, and were imported or received there.
    package func spaces(holding blob: BlobID) throws -> Set<SpaceID> {
        try connection.read { database in
            let rows = try database.rows(
                """
                SELECT space_id FROM blobs JOIN blob_spaces ON blob_spaces.blob = blobs.id
                    JOIN spaces ON spaces.id = blob_spaces.space
                WHERE blob_id = ? AND held = 1 AND state = \(BlobState.present)
                """, [blob.bytes])
            return Set(try rows.map { try $0.identifier("space_id") })
        }
    }

    /// The spaces in which an effective commit names the blob.
    package func spaces(naming blob: BlobID) throws -> [SpaceID] {
        try connection.read { database in
            try database.rows(
                """
                SELECT DISTINCT space_id FROM blobs
                    JOIN blob_names ON blob_names.blob = blobs.id
                    JOIN commits ON commits.id = commit_row
                    JOIN spaces ON spaces.id = blob_names.space
                WHERE blob_id = ? AND effective = 1 ORDER BY space_id
                """, [blob.bytes]
            ).map { try $0.identifier("space_id") }
        }
    }

    /// What is known of a blob; nil when it was never named or stored.
    package func blob(_ blob: BlobID) throws -> StoredBlob? {
        try connection.read { database in
            try database.row(
                """
                SELECT blob_id, size, state, verified_at, freed_at, content IS NOT NULL AS small
                FROM blobs WHERE blob_id = ?
                """, [blob.bytes]
            ).map { row in
                StoredBlob(
                    blob: blob, size: try row.unsigned("size"),
                    isPresent: try row.integer("state") == BlobState.present,
                    verifiedAt: try row.moment("verified_at"),
                    isFreed: try row.integer("state") == BlobState.freed,
                    freedAt: try row.moment("freed_at"), isSmall: try row.flag("small"))
            }
        }
    }

    /// The blobs that are here in files, with their sizes in bytes.
    package func present() throws -> [(blob: BlobID, size: UInt64)] {
        try connection.read { database in
            try database.rows(
                """
                SELECT blob_id, size FROM blobs
                WHERE state = \(BlobState.present) AND content IS NULL
                """
            ).map { (try $0.identifier("blob_id"), try $0.unsigned("size")) }
        }
    }

    /// The files of all spaces that people added, each once, here or not: thumbnails are none of them.
    package var originals: [OriginalBlob] {
        get throws {
            try connection.read { database in
                try database.rows(
                    """
                    SELECT blob_id, content IS NOT NULL AS small, MIN(received_at) AS came
                    FROM blobs JOIN blob_names ON blob_names.blob = blobs.id
                        JOIN commits ON commits.id = commit_row
                    WHERE kind <> ? AND effective = 1 GROUP BY blobs.id
                    """, [NamedBlobKind.thumbnail.rawValue]
                ).map { row in
                    OriginalBlob(
                        blob: try row.identifier("blob_id"), isSmall: try row.flag("small"),
                        cameAt: Milliseconds(try row.unsigned("came")))
                }
            }
        }
    }

    /// The bytes of a blob that lies in the database; nil for one that does not.
    package func smallContent(of blob: BlobID) throws -> [UInt8]? {
        try connection.read { database in
            try database.row("SELECT content FROM blobs WHERE blob_id = ?", [blob.bytes])?
                .optionalBytes("content")
        }
    }

    /// The chunk list of a blob, once known.
    package func chunkList(of blob: BlobID) throws -> ChunkList? {
        try connection.read { database in
            let row = try database.row(
                "SELECT chunk_length, chunks FROM blobs WHERE blob_id = ?", [blob.bytes])
            guard let row, let bytes = try row.optionalBytes("chunks") else { return nil }
            let hashes = try identifiers(in: bytes).map(\.value)
            return try ChunkList(length: try row.unsigned("chunk_length"), hashes: hashes)
        }
    }

    /// Those of ``named(of:)`` whose ids begin with these hexadecimal digits.
    package func named(of space: SpaceID, beginning digits: String) throws -> [NamedBlob] {
        guard let least = BlobID(beginning: digits, filledWith: "0"),
            let greatest = BlobID(beginning: digits, filledWith: "f")
        else { return [] }
        return try connection.read { database in
            // In this order: SQLite would look at all files of the space first.
            try database.rows(
                """
                SELECT blob_id, blob_names.size, kind, MIN(commit_row) FROM blobs
                    CROSS JOIN blob_names ON blob_names.blob = blobs.id
                    CROSS JOIN commits ON commits.id = commit_row
                WHERE blob_id BETWEEN ? AND ? AND blob_names.space = ? AND effective = 1
                GROUP BY blob_id ORDER BY blob_id
                """, [least.bytes, greatest.bytes, try SpaceTable.row(of: space, in: database)]
            ).map { try $0.namedBlob() }
        }
    }
}

extension BlobID {
    fileprivate init?(beginning digits: String, filledWith filling: Character) {
        guard let bytes = paddedBytes(digits, filling, count: Bytes32.byteCount) else { return nil }
        self.init(bytes: bytes)
    }
}
