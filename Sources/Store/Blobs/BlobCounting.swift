package import SyncCore

extension StoredFiles {
    /// How many of a space's named blobs it holds here. Counted once after opening, and whenever
    /// commits that were here became or ceased to be effective; kept up to date otherwise.
    package func counts(of space: SpaceID) throws -> BlobCounts {
        if let known = connection.loaded({ $0.spaces[space]?.blobCounts }) { return known }
        return try connection.counting { loaded, database in
            if let known = loaded.spaces[space]?.blobCounts { return known }
            let counts = try BlobTable.counts(
                of: try SpaceTable.row(of: space, in: database), database)
            loaded.spaces[space]?.blobCounts = counts
            return counts
        }
    }
}

extension WriteTransaction {
    /// Changes a blob's row or where it is held, and with it the counts of the spaces that name it.
    func update(blob row: Int64, _ change: () throws -> Void) throws {
        let before = try BlobTable.entries(of: row, in: database)
        try change()
        let after = try BlobTable.entries(of: row, in: database)
        Invariants.check(
            before.keys.allSatisfy { after[$0] != nil }, "a file is no more named in a space")
        for (space, entry) in after where before[space] != entry {
            if let former = before[space] { loaded.spaces[space]?.blobCounts?.remove(former) }
            loaded.spaces[space]?.blobCounts?.add(entry)
        }
    }
}
