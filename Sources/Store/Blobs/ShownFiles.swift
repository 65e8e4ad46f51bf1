internal import GRDB
package import SyncCore

extension StoredFiles {
    /// The files that people added to a space, without thumbnails and without those that nothing shown names any
    /// more: deleted ones, and ones that were replaced by others. Of a deleted space those that it showed; of one
    /// of which no record can be read here, all. Counted again after records changed. The cost follows what is deleted
    /// and what was added several times; it follows all files only where some were replaced.
    ///
    /// Where records have no file or share one within a commit, replaced ones may be counted.
    package func shownTotals(of space: SpaceID) throws -> ShownFileTotals {
        let all = try counts(of: space).originals
        let hidden: ShownFileTotals
        if let known = connection.findings(in: space).hidden.found {
            hidden = known
        } else {
            let (version, files) = try connection.read { database in
                (connection.version(readBy: database), try self.hidden(of: space))
            }
            hidden = ShownFileTotals(
                count: files.count, bytes: files.reduce(0) { $0 + $1.size })
            connection.keepFindings(in: space) { $0.hidden.keep(hidden, at: version) }
        }
        return ShownFileTotals(
            count: max(0, all.count - hidden.count), bytes: all.bytes - min(all.bytes, hidden.bytes)
        )
    }

    /// The same files one by one.
    package func shown(of space: SpaceID) throws -> Set<BlobID> {
        let hidden = Set(try hidden(of: space).map(\.blob))
        return Set(
            try named(of: space).filter { $0.kind != .thumbnail && !hidden.contains($0.blob) }
                .map(\.blob))
    }

    private func hidden(of space: SpaceID) throws -> [NamedBlob] {
        let replaced = try replaced(of: space)
        guard try StoredSpaces(connection).deletions(of: space).isEmpty else { return replaced }
        let deleted = Set(try deleted(of: space).keys).subtracting(replaced.map(\.blob))
        guard !deleted.isEmpty else { return replaced }
        return replaced
            + (try named(deleted, in: space).map(\.named).filter { $0.kind != .thumbnail })
    }

    /// Those that no value of a record names which still counts.
    private func replaced(of space: SpaceID) throws -> [NamedBlob] {
        if let known = connection.findings(in: space).replaced.found { return known }
        guard let schema = StoredSpaces(connection).schema(of: space) else { return [] }
        let (version, found) = try connection.read { database in
            (connection.version(readBy: database), try lookForReplaced(of: space, schema, database))
        }
        connection.keepFindings(in: space) { $0.replaced.keep(found, at: version) }
        return found
    }

    private func lookForReplaced(
        of space: SpaceID, _ schema: Schema, _ database: Database
    ) throws -> [NamedBlob] {
        let records = StoredRecords(connection)
        let collections = schema.collections.filter { $0.fileFieldCount > 0 }
        let places = try collections.reduce(0) {
            try $0 + $1.fileFieldCount * records.count(of: space, in: $1.name)
        }
        // Each record that shares its file with others takes a place without a file of its own.
        let sharing = try repeated(of: space).reduce(0) {
            try $0 + max(0, records.keys(naming: $1, of: space).count - 1)
        }
        guard places > 0, try counts(of: space).originals.count > places - sharing else {
            return []
        }
        let spaceRow = try SpaceTable.row(of: space, in: database)
        // Commits that cannot be read here may name files that are shown to others.
        let isReadable =
            try database.number(
                "SELECT 1 FROM sealed WHERE space = ? AND contents = ? LIMIT 1",
                [spaceRow, Int64(CommitContents.closed.rawValue)]) == nil
        guard isReadable else { return [] }
        var current: Set<BlobID> = []
        for collection in collections {
            let cursor = try database.rowCursor(
                "SELECT body FROM records WHERE space = ? AND collection = ?",
                [spaceRow, collection.name])
            while let row = try cursor.next() {
                current.formUnion(try RecordCodec.decode(try row.bytes("body")).blobs)
            }
        }
        return try named(of: space).filter {
            $0.kind != .thumbnail && !current.contains($0.blob)
        }
    }
}
