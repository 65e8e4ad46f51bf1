internal import GRDB
package import SyncCore

/// How many files a space has, and how many of them are here.
package struct BlobCounts: Hashable, Sendable {
    /// Blobs that effective commits name, and how many of them are here, verified.
    package private(set) var named = 0
    package private(set) var verified = 0
    /// Bytes; of a blob that is not here as its first name claims.
    package private(set) var namedBytes: UInt64 = 0
    package private(set) var verifiedBytes: UInt64 = 0

    mutating func add(_ blob: BlobTable.Entry) {
        named += 1
        namedBytes += blob.size
        guard blob.isPresent else { return }
        verified += 1
        verifiedBytes += blob.size
    }

    mutating func remove(_ blob: BlobTable.Entry) {
        named -= 1
        namedBytes -= blob.size
        guard blob.isPresent else { return }
        verified -= 1
        verifiedBytes -= blob.size
    }
}

extension SyncStore {
    /// How many of a space's named blobs are here. Counted once after opening, and whenever commits
    /// that were here became or ceased to be effective; kept up to date otherwise.
    package func blobCounts(of space: SpaceID) throws -> BlobCounts {
        let (known, version) = loaded { ($0.spaces[space]?.blobCounts, $0.version) }
        if let known { return known }
        let counts = try read { try BlobTable.counts(of: try row(of: space, in: $0), $0) }
        remember(counts, of: space, since: version)
        return counts
    }
}

extension WriteTransaction {
    /// Changes a blob's row, and with it the counts of the spaces that name the blob.
    func update(blob row: Int64, _ change: () throws -> Void) throws {
        let before = try BlobTable.entry(row, in: database)
        try change()
        let after = try BlobTable.entry(row, in: database)
        guard before != after else { return }
        for space in try BlobTable.spaces(naming: row, in: database) {
            loaded.spaces[space]?.blobCounts?.remove(before)
            loaded.spaces[space]?.blobCounts?.add(after)
        }
    }
}

extension BlobTable {
    /// What counts of a blob.
    struct Entry: Equatable {
        /// Bytes.
        let size: UInt64
        let isPresent: Bool
    }

    static func entry(_ row: Int64, in database: Database) throws -> Entry {
        let found = try database.row("SELECT size, state FROM blobs WHERE id = ?", [row])
        guard let found else { throw StoreError.corrupt("blob \(row) is not there") }
        return Entry(
            size: try found.unsigned("size"),
            isPresent: try found.integer("state") == BlobState.present)
    }

    /// The blobs that this effective commit names and no other effective one of its space.
    static func namedFirst(
        by commit: Int64, in space: Int64, _ database: Database
    ) throws -> [Entry] {
        try database.rows(
            """
            SELECT blob FROM blob_names AS own WHERE commit_row = ? AND NOT EXISTS (
                SELECT 1 FROM blob_names JOIN commits ON commits.id = commit_row
                WHERE blob_names.space = ? AND blob_names.blob = own.blob
                    AND commit_row <> own.commit_row AND effective = 1)
            """, [commit, space]
        ).map { try entry(try $0.integer("blob"), in: database) }
    }

    /// The spaces in which an effective commit names the blob in this row.
    fileprivate static func spaces(naming row: Int64, in database: Database) throws -> [SpaceID] {
        try database.rows(
            """
            SELECT DISTINCT space_id FROM blob_names JOIN commits ON commits.id = commit_row
                JOIN spaces ON spaces.id = blob_names.space
            WHERE blob = ? AND effective = 1
            """, [row]
        ).map { try $0.identifier("space_id") }
    }

    fileprivate static func counts(of space: Int64, _ database: Database) throws -> BlobCounts {
        var counts = BlobCounts()
        let cursor = try database.rowCursor(
            """
            SELECT size, state FROM blobs WHERE id IN (
                SELECT blob FROM blob_names JOIN commits ON commits.id = commit_row
                WHERE blob_names.space = ? AND effective = 1)
            """, [space])
        while let row = try cursor.next() {
            counts.add(
                Entry(
                    size: try row.unsigned("size"),
                    isPresent: try row.integer("state") == BlobState.present))
        }
        return counts
    }
}
