internal import GRDB
package import SyncCore

extension SyncStore {
    /// Stores the bytes of small blobs, whose ids the caller has checked, in one transaction. Throws
    /// ``StoreError/blobTooLarge(bytes:)`` at ``Limits/smallBlobBytes`` and above.
    package func storeSmall(_ blobs: [(blob: BlobID, content: [UInt8])], now: Milliseconds) throws {
        guard !blobs.isEmpty else { return }
        try turn { turn in
            let database = turn.database
            for (blob, content) in blobs {
                guard content.count < Limits.smallBlobBytes else {
                    throw StoreError.blobTooLarge(bytes: content.count)
                }
                let row = try BlobTable.row(of: blob, size: UInt64(content.count), in: database)
                try turn.update(blob: row) {
                    try database.run(
                        """
                        UPDATE blobs SET state = ?, size = ?, verified_at = ?, content = ?
                        WHERE id = ?
                        """,
                        [BlobState.present, content.count, now.stored, content, row])
                }
            }
        }
    }

    /// Marks blobs whose files are verified and durable, in one transaction; sizes in bytes.
    package func markPresent(_ blobs: [(blob: BlobID, size: UInt64)], now: Milliseconds) throws {
        try turn { turn in
            let database = turn.database
            for (blob, size) in blobs {
                let row = try BlobTable.row(of: blob, size: size, in: database)
                try turn.update(blob: row) {
                    try database.run(
                        "UPDATE blobs SET state = ?, size = ?, verified_at = ? WHERE id = ?",
                        [BlobState.present, BlobTable.stored(size), now.stored, row])
                }
            }
        }
    }

    /// Marks blobs whose files are verified and durable, and keeps their chunk lists, which the caller
    /// has checked against their ids, all in one transaction.
    package func markPresent(_ blobs: [(blob: BlobID, list: ChunkList)], now: Milliseconds) throws {
        guard !blobs.isEmpty else { return }
        try turn { turn in
            let database = turn.database
            for (blob, list) in blobs {
                let row = try BlobTable.row(of: blob, size: list.length, in: database)
                try turn.update(blob: row) {
                    try database.run(
                        """
                        UPDATE blobs SET state = ?, size = ?, verified_at = ?, chunk_length = ?,
                            chunks = ?
                        WHERE id = ?
                        """,
                        [
                            BlobState.present, BlobTable.stored(list.length), now.stored,
                            Int64(list.length), list.hashes.flatMap(\.bytes), row,
                        ])
                }
            }
        }
    }

    /// Marks blobs whose bytes are not here any more: evicted, lost or damaged.
    package func markMissing(_ blobs: [BlobID]) throws {
        try turn { turn in
            let database = turn.database
            for blob in blobs {
                let row = try database.number(
                    "SELECT id FROM blobs WHERE blob_id = ?", [blob.bytes])
                guard let row else { continue }
                try turn.update(blob: row) {
                    try database.run(
                        """
                        UPDATE blobs SET state = ?, verified_at = NULL, content = NULL
                        WHERE id = ?
                        """, [BlobState.missing, row])
                }
            }
        }
    }
}
