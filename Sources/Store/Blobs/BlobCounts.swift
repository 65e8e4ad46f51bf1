internal import GRDB
package import SyncCore

/// How many files a space has, and how many of them it holds here.
package struct BlobCounts: Hashable, Sendable {
    /// Blobs that effective commits name, and how many of them are held here, verified.
    package private(set) var named = 0
    package private(set) var verified = 0
    /// Bytes; of a blob that is not here as its first name claims.
    package private(set) var namedBytes: UInt64 = 0
    package private(set) var verifiedBytes: UInt64 = 0

    mutating func add(_ blob: BlobTable.Entry) {
        named += 1
        namedBytes += blob.size
        guard blob.isHeld else { return }
        verified += 1
        verifiedBytes += blob.size
    }

    mutating func remove(_ blob: BlobTable.Entry) {
        named -= 1
        namedBytes -= blob.size
        guard blob.isHeld else { return }
        verified -= 1
        verifiedBytes -= blob.size
    }
}

extension SyncStore {
    /// How many of a space's named blobs it holds here. Counted once after opening, and whenever
    /// commits that were here became or ceased to be effective; kept up to date otherwise.
    package func blobCounts(of space: SpaceID) throws -> BlobCounts {
        let (known, version) = loaded { ($0.spaces[space]?.blobCounts, $0.version) }
        if let known { return known }
        let counts = try read { try BlobTable.counts(of: try row(of: space, in: $0), $0) }
        remember(counts, of: space, since: version)
        return counts
    }
}

extension WriteTransaction {
    /// Changes a blob's row or where it is held, and with it the counts of the spaces that name it.
    func update(blob row: Int64, _ change: () throws -> Void) throws {
        let before = try BlobTable.entries(of: row, in: database)
        try change()
        let after = try BlobTable.entries(of: row, in: database)
        for (space, entry) in after where before[space] != entry {
            if let former = before[space] { loaded.spaces[space]?.blobCounts?.remove(former) }
            loaded.spaces[space]?.blobCounts?.add(entry)
        }
    }
}

extension BlobTable {
    /// What counts of a blob in a space.
    struct Entry: Equatable {
        /// Bytes.
        let size: UInt64
        /// Its bytes are here, and were imported or received in this space.
        let isHeld: Bool

        /// From the columns size, state and held.
        fileprivate init(_ row: Row) throws {
            size = try row.unsigned("size")
            isHeld = try row.integer("state") == BlobState.present && row.flag("held")
        }
    }

    /// The blobs that this effective commit names and no other effective one of its space.
    static func namedFirst(
        by commit: Int64, in space: Int64, _ database: Database
    ) throws -> [Entry] {
        try database.rows(
            """
            SELECT blobs.size, state, held FROM blob_names AS own
                JOIN blobs ON blobs.id = own.blob
                JOIN blob_spaces ON blob_spaces.space = own.space
                    AND blob_spaces.blob = own.blob
            WHERE commit_row = ? AND NOT EXISTS (
                SELECT 1 FROM blob_names JOIN commits ON commits.id = commit_row
                WHERE blob_names.space = ? AND blob_names.blob = own.blob
                    AND commit_row <> own.commit_row AND effective = 1)
            """, [commit, space]
        ).map { try Entry($0) }
    }

    /// The blob in this row as it counts in each space in which an effective commit names it.
    fileprivate static func entries(
        of row: Int64, in database: Database
    ) throws -> [SpaceID: Entry] {
        var entries: [SpaceID: Entry] = [:]
        for found in try database.rows(
            """
            SELECT DISTINCT space_id, blobs.size, state, held FROM blob_names
                JOIN commits ON commits.id = commit_row
                JOIN spaces ON spaces.id = blob_names.space
                JOIN blobs ON blobs.id = blob_names.blob
                JOIN blob_spaces ON blob_spaces.space = blob_names.space
                    AND blob_spaces.blob = blob_names.blob
            WHERE blob_names.blob = ? AND effective = 1
            """, [row])
        {
            entries[try found.identifier("space_id")] = try Entry(found)
        }
        return entries
    }

    fileprivate static func counts(of space: Int64, _ database: Database) throws -> BlobCounts {
        var counts = BlobCounts()
        let cursor = try database.rowCursor(
            """
            SELECT size, state, held FROM blob_spaces JOIN blobs ON blobs.id = blob_spaces.blob
            WHERE blob_spaces.space = ?1 AND blobs.id IN (
                SELECT blob FROM blob_names JOIN commits ON commits.id = commit_row
                WHERE blob_names.space = ?1 AND effective = 1)
            """, [space])
        while let row = try cursor.next() { counts.add(try Entry(row)) }
        return counts
    }
}
