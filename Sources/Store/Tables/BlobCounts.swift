internal import GRDB
internal import SyncCore

/// How many files a space has, and how many of them it holds here.
package struct BlobCounts: Hashable, Sendable {
    /// Blobs that effective commits name, and how many of them are held here, verified.
    package private(set) var named = 0
    package private(set) var verified = 0
    /// Bytes; of a blob that is not here as its first name claims.
    package private(set) var namedBytes: UInt64 = 0
    package private(set) var verifiedBytes: UInt64 = 0
    /// By what the first effective commit that names each one says.
    package private(set) var originals = ClaimedBlobs()
    package private(set) var thumbnails = ClaimedBlobs()

    /// Named and not held here, those left out that were freed.
    package var missing: Int { named - verified - originals.freed - thumbnails.freed }

    mutating func add(_ blob: BlobTable.Entry) { change(blob, 1) }

    mutating func remove(_ blob: BlobTable.Entry) { change(blob, -1) }

    private mutating func change(_ blob: BlobTable.Entry, _ sign: Int) {
        named += sign
        BlobCounts.change(&namedBytes, blob.size, sign)
        if blob.isHeld {
            verified += sign
            BlobCounts.change(&verifiedBytes, blob.size, sign)
        }
        if blob.kind == .thumbnail {
            thumbnails.change(blob, sign)
        } else {
            originals.change(blob, sign)
        }
        precondition(
            verified >= 0 && verified <= named && verifiedBytes <= namedBytes,
            "\(verified) of \(named) files are here, \(verifiedBytes) of \(namedBytes) bytes")
        precondition(
            originals.count + thumbnails.count == named
                && originals.missing + thumbnails.missing == missing,
            "\(named) files are \(originals.count) and \(thumbnails.count)")
    }

    /// The sizes of blobs are bounded so that sums of them never overflow.
    fileprivate static func change(_ bytes: inout UInt64, _ size: UInt64, _ sign: Int) {
        if sign > 0 { bytes += size } else { bytes -= size }
    }
}

/// Blobs of one kind, counted by what is claimed of them.
package struct ClaimedBlobs: Hashable, Sendable {
    package private(set) var count = 0
    package private(set) var bytes: UInt64 = 0
    /// Those that were freed here.
    package private(set) var freed = 0
    /// Those others that the space does not hold here.
    package private(set) var missing = 0
    package private(set) var missingBytes: UInt64 = 0

    package var held: Int { count - freed - missing }

    fileprivate mutating func change(_ blob: BlobTable.Entry, _ sign: Int) {
        count += sign
        BlobCounts.change(&bytes, blob.claimed, sign)
        guard !blob.isHeld else { return }
        guard !blob.isFreed else {
            freed += sign
            return
        }
        missing += sign
        BlobCounts.change(&missingBytes, blob.claimed, sign)
        precondition(
            missing >= 0 && missing <= count && missingBytes <= bytes,
            "\(missing) of \(count) files are missing, \(missingBytes) of \(bytes) bytes")
    }
}

extension BlobTable {
    /// What counts of a blob in a space.
    struct Entry: Equatable {
        /// Bytes.
        let size: UInt64
        /// Its bytes are here, and were imported or received in this space.
        let isHeld: Bool
        let isFreed: Bool
        /// What the first effective commit of the space that names it says of its size, and its kind.
        let claimed: UInt64
        let kind: NamedBlobKind

        /// From the columns stored_size, state and held, and size and kind of the name.
        fileprivate init(_ row: Row) throws {
            size = try row.unsigned("stored_size")
            isHeld = try row.integer("state") == BlobState.present && row.flag("held")
            isFreed = try row.integer("state") == BlobState.freed
            claimed = try row.unsigned("size")
            kind = try row.namedBlobKind()
        }
    }

    private static let columns = "blobs.size AS stored_size, state, held, blob_names.size, kind"

    /// The blobs that this effective commit names and no other effective one of its space.
    static func namedFirst(
        by commit: Int64, in space: Int64, _ database: Database
    ) throws -> [Entry] {
        try database.rows(
            """
            SELECT blobs.size AS stored_size, state, held, own.size, kind FROM blob_names AS own
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
    static func entries(
        of row: Int64, in database: Database
    ) throws -> [SpaceID: Entry] {
        var entries: [SpaceID: Entry] = [:]
        // MIN makes SQLite take the other columns from the row of the first commit.
        for found in try database.rows(
            """
            SELECT space_id, \(columns), MIN(commit_row) FROM blob_names
                JOIN commits ON commits.id = commit_row
                JOIN spaces ON spaces.id = blob_names.space
                JOIN blobs ON blobs.id = blob_names.blob
                JOIN blob_spaces ON blob_spaces.space = blob_names.space
                    AND blob_spaces.blob = blob_names.blob
            WHERE blob_names.blob = ? AND effective = 1 GROUP BY blob_names.space
            """, [row])
        {
            entries[try found.identifier("space_id")] = try Entry(found)
        }
        return entries
    }

    static func counts(of space: Int64, _ database: Database) throws -> BlobCounts {
        var counts = BlobCounts()
        let cursor = try database.rowCursor(
            """
            SELECT \(columns), MIN(commit_row) FROM blob_names
                CROSS JOIN commits ON commits.id = commit_row
                CROSS JOIN blobs ON blobs.id = blob_names.blob
                CROSS JOIN blob_spaces ON blob_spaces.space = blob_names.space
                    AND blob_spaces.blob = blob_names.blob
            WHERE blob_names.space = ? AND effective = 1 GROUP BY blob_names.blob
            """, [space])
        while let row = try cursor.next() { counts.add(try Entry(row)) }
        return counts
    }
}
