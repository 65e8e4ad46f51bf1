internal import GRDB
package import SyncCore

extension StoredFiles {
    /// Stores the bytes of small blobs, whose ids the caller has checked, in one transaction, as
    /// imported or received in this space. Throws ``StoreError/blobTooLarge(bytes:)`` at
    /// ``Limits/smallBlobBytes`` and above.
    package func storeSmall(
        _ blobs: [(blob: BlobID, content: [UInt8])], in space: SpaceID, now: Milliseconds
    ) throws {
        guard !blobs.isEmpty else { return }
        try connection.turn { turn in
            let database = turn.database
            for (blob, content) in blobs {
                guard content.count < Limits.smallBlobBytes else {
                    throw StoreError.blobTooLarge(bytes: content.count)
                }
                let row = try BlobTable.row(of: blob, size: UInt64(content.count), in: database)
                try turn.update(blob: row) {
                    try database.run(
                        """
                        UPDATE blobs
                        SET state = \(BlobState.present), size = ?, verified_at = ?, content = ?,
                            freed_at = NULL
                        WHERE id = ?
                        """, [content.count, now.stored, content, row])
                    try turn.hold(row, in: space)
                }
            }
        }
    }

    /// Marks blobs whose files are verified and durable as imported or received in this space, and
    /// keeps their chunk lists, which the caller has checked against their ids, all in one
    /// transaction.
    package func markPresent(
        _ blobs: [(blob: BlobID, list: ChunkList)], in space: SpaceID, now: Milliseconds
    ) throws {
        guard !blobs.isEmpty else { return }
        try connection.turn { turn in
            for (blob, list) in blobs {
                try turn.keep(blob, list, now) { try turn.hold($0, in: space) }
            }
        }
    }

    /// The same for files that were found: they count where they counted before, or as
    /// ``place(namedBy:)`` says; at the next opening while `device` is not known.
    package func markFound(
        _ blobs: [(blob: BlobID, list: ChunkList)], namedBy device: DeviceID?, now: Milliseconds
    ) throws {
        guard !blobs.isEmpty else { return }
        try connection.turn { turn in
            for (blob, list) in blobs { try turn.keep(blob, list, now) { _ in } }
            try Settings.set(BlobTable.unplaced, [1], in: turn.database)
        }
        if let device { try place(namedBy: device) }
    }

    /// Marks blobs whose bytes are here for another space as received in this one, too, in one
    /// transaction. Returns those whose bytes are not here.
    package func hold(_ blobs: [BlobID], in space: SpaceID) throws -> [BlobID] {
        try connection.turn { turn in
            try blobs.filter { blob in
                let row = try BlobTable.row(of: blob, in: BlobState.present, turn.database)
                guard let row else { return true }
                try turn.update(blob: row) { try turn.hold(row, in: space) }
                return false
            }
        }
    }

    /// Marks blobs whose bytes are not here any more: lost or damaged. One that was freed meanwhile stays so: nobody
    /// wants it.
    package func markMissing(_ blobs: [BlobID]) throws {
        try connection.turn { turn in
            let database = turn.database
            for blob in blobs {
                let row = try BlobTable.row(of: blob, in: BlobState.present, database)
                guard let row else { continue }
                try turn.update(blob: row) {
                    try database.run(
                        """
                        UPDATE blobs
                        SET state = \(BlobState.missing), verified_at = NULL, content = NULL
                        WHERE id = ?
                        """, [row])
                }
            }
        }
    }

    /// Says where the blobs count of which no space is noted, as after an update from format 7 or the
    /// loss of pages: in those in which this device named them; if there is none, in the one whose
    /// commit named them here first, as that is why they were fetched; and wherever somebody names
    /// them who has written to one of these, and so had them. Anywhere else they are fetched again.
    package func place(namedBy device: DeviceID) throws {
        guard try connection.read({ try Settings.bytes(BlobTable.unplaced, in: $0) }) != nil else {
            return
        }
        try connection.turn { turn in
            let rows = try turn.database.rows(
                """
                SELECT id FROM blobs WHERE state = \(BlobState.present) AND NOT EXISTS (
                    SELECT 1 FROM blob_spaces WHERE blob = blobs.id AND held = 1)
                """)
            for row in try rows.map({ try $0.integer("id") }) {
                try turn.update(blob: row) {
                    try BlobTable.place(row, namedBy: device, turn.database)
                }
            }
            try Settings.set(BlobTable.unplaced, nil, in: turn.database)
        }
    }
}

extension WriteTransaction {
    /// Notes a file that is verified and durable, and its chunk list; `place` is given its row.
    fileprivate func keep(
        _ blob: BlobID, _ list: ChunkList, _ now: Milliseconds, place: (Int64) throws -> Void
    ) throws {
        let chunks = list.hashes.flatMap(\.bytes)
        Invariants.check(
            (try? identifiers(in: chunks).map(\.value)) == list.hashes,
            "chunks are read back as others")
        let row = try BlobTable.row(of: blob, size: list.length, in: database)
        try update(blob: row) {
            try database.run(
                """
                UPDATE blobs
                SET state = \(BlobState.present), size = ?, verified_at = ?, chunk_length = ?,
                    chunks = ?, freed_at = NULL
                WHERE id = ?
                """,
                [
                    BlobTable.stored(list.length), now.stored,
                    Int64(list.length), chunks, row,
                ])
            try place(row)
        }
    }
}

extension BlobTable {
    fileprivate static func place(
        _ blob: Int64, namedBy device: DeviceID, _ database: Database
    ) throws {
        try database.run(
            """
            UPDATE blob_spaces SET held = 1 WHERE blob = ?1 AND space IN (
                SELECT blob_names.space FROM blob_names JOIN commits ON commits.id = commit_row
                    JOIN logs ON logs.id = commits.log
                WHERE blob = ?1 AND device = ?2)
            """, [blob, device.bytes])
        try database.run(
            """
            UPDATE blob_spaces SET held = 1
            WHERE blob = ?1 AND NOT EXISTS (
                SELECT 1 FROM blob_spaces WHERE blob = ?1 AND held = 1
            ) AND space = (
                SELECT blob_names.space FROM blob_names JOIN commits ON commits.id = commit_row
                WHERE blob = ?1 AND effective = 1 ORDER BY commit_row LIMIT 1)
            """, [blob])
        try database.run(
            """
            UPDATE blob_spaces SET held = 1 WHERE blob = ?1 AND space IN (
                SELECT blob_names.space FROM blob_names JOIN commits ON commits.id = commit_row
                    JOIN logs ON logs.id = commits.log
                WHERE blob = ?1 AND effective = 1 AND device IN (
                    SELECT device FROM blob_spaces JOIN logs ON logs.space = blob_spaces.space
                    WHERE blob = ?1 AND held = 1 AND head_sequence > 0))
            """, [blob])
    }
}
