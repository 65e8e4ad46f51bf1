internal import GRDB
package import SyncCore

/// A blob that counts as present.
package struct PresentBlob: Hashable, Sendable {
    package let blob: BlobID
    /// Bytes.
    package let size: UInt64
    /// Whether its bytes lie in the database and not in a file.
    package let isSmall: Bool
}

extension StoreExamination {
    /// Every blob that counts as present.
    package func presentBlobs() throws -> [PresentBlob] {
        try look { database in
            try database.rows(
                """
                SELECT blob_id, size, content IS NOT NULL AS small FROM blobs
                WHERE state = \(BlobState.present) ORDER BY blob_id
                """
            ).map { row in
                PresentBlob(
                    blob: try row.identifier("blob_id"), size: try row.unsigned("size"),
                    isSmall: try row.flag("small"))
            }
        }
    }

    /// Bytes that are still to be fetched.
    package func missingBytes() throws -> Int64 {
        try look { database in
            try database.number(
                "SELECT SUM(size) FROM blobs WHERE state = \(BlobState.missing)") ?? 0
        }
    }

    /// Blobs in the database whose bytes are not those of their ids. `progress` is told blobs done
    /// and in all.
    package func damagedSmallBlobs(
        progress: (Int, Int) throws -> Void = { _, _ in }
    ) throws -> [BlobID] {
        try look { database in
            let total = Int(
                try database.number("SELECT COUNT(*) FROM blobs WHERE content IS NOT NULL") ?? 0)
            var done = 0
            var damaged: [BlobID] = []
            let cursor = try database.rowCursor(
                """
                SELECT blob_id, content FROM blobs
                WHERE state = \(BlobState.present) AND content IS NOT NULL
                """)
            while let row = try cursor.next() {
                let blob: BlobID = try row.identifier("blob_id")
                // What cannot be read is damaged as well.
                let list = try? BlobHash.chunkList(of: try row.bytes("content"))
                if list?.blobID != blob { damaged.append(blob) }
                done += 1
                if done.isMultiple(of: 256) { try progress(done, total) }
            }
            return damaged
        }
    }

    /// Blobs that some effective commit names and that its space does not hold, those left out that were
    /// freed.
    package func awaitedBlobs() throws -> Set<BlobID> {
        try look { database in
            let rows = try database.rows(
                """
                SELECT DISTINCT blob_id FROM blobs
                    JOIN blob_names ON blob_names.blob = blobs.id
                    JOIN commits ON commits.id = commit_row
                    JOIN blob_spaces ON blob_spaces.space = blob_names.space
                        AND blob_spaces.blob = blobs.id
                WHERE \(BlobTable.isAwaited) AND effective = 1
                """)
            return Set(try rows.map { try $0.identifier("blob_id") })
        }
    }
}
