internal import GRDB
package import SyncCore

extension StoredFiles {
    /// Whether a commit that is not sealed names a blob, also one that does not count: what was added
    /// since its space is encrypted is named by sealed ones alone.
    package func isNamedInClear(_ blob: BlobID) throws -> Bool {
        try isNamed(blob, where: "commit_row NOT IN (SELECT commit_row FROM sealed)")
    }

    /// Whether a sealed commit names a blob.
    package func isNamedSealed(_ blob: BlobID) throws -> Bool {
        try isNamed(blob, where: SealedTable.namesSealed)
    }

    private func isNamed(_ blob: BlobID, where condition: String) throws -> Bool {
        try connection.read { database in
            try database.number(
                """
                SELECT 1 FROM blobs JOIN blob_names ON blob_names.blob = blobs.id
                WHERE blob_id = ? AND \(condition) LIMIT 1
                """, [blob.bytes]) != nil
        }
    }
}
