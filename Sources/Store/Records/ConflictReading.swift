internal import GRDB
package import SyncCore

extension StoredRecords {
    /// Records about which somebody should decide: fields with survivors that disagree, deletions
    /// beside edits.
    package func conflicts(of space: SpaceID) throws -> [RecordKey] {
        try connection.read { database in
            try database.rows(
                "SELECT collection, record FROM records WHERE space = ? AND conflicted = 1",
                [try SpaceTable.row(of: space, in: database)]
            ).map { row in
                RecordKey(
                    collection: try row.text("collection"), record: try row.record("record"))
            }.sorted()
        }
    }

    /// Whether the commit of a write had seen all of some other writes, or wrote them itself.
    package func hasSeen(
        _ others: [SurvivingWrite], by write: SurvivingWrite, in space: SpaceID
    ) throws -> Bool {
        try connection.read { database in
            let history = StoredHistory(
                database, space: try SpaceTable.row(of: space, in: database),
                texts: CommitTexts(connection.decoder))
            return try others.allSatisfy {
                try $0.sequence <= history.seen(by: write, of: $0.log)
            }
        }
    }

    /// The records that a commit deleted and whose deletion by it still counts.
    package func deletions(by commit: CommitID, in space: SpaceID) throws -> [RecordKey] {
        let schema = StoredSpaces(connection).schema(of: space)
        return try connection.read { database in
            let spaceRow = try SpaceTable.row(of: space, in: database)
            let row = try database.row(
                """
                SELECT header, signature, clear, operations FROM commits
                WHERE space = ? AND commit_id = ?
                """, [spaceRow, commit.bytes])
            guard let row else { return [] }
            let operations = try row.commit(connection.decoder).operations
            let keys = Set(operations.map { RecordKey(of: $0, under: schema) })
            return try keys.sorted().filter { key in
                let state = try RecordTable.state(of: key, in: spaceRow, database)
                let existence = state?.fields[Write.existence]?.writes ?? []
                return existence.contains {
                    $0.id.commit == commit && $0.value == .boolean(true)
                }
            }
        }
    }
}
