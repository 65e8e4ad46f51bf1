internal import GRDB
package import SyncCore

extension StoredSpaces {
    /// The writes that delete a space: those to the record that carries its name, and whose deletion
    /// is the space's. Empty while it is not deleted.
    package func deletions(of space: SpaceID) throws -> [SurvivingWrite] {
        guard let key = schema(of: space)?.titleRecord(in: space),
            let state = try StoredRecords(connection).record(key, of: space), state.isDeleted
        else { return [] }
        return (state.fields[Write.existence]?.writes ?? []).filter { $0.value == .boolean(true) }
    }

    /// Effective commits with work of people that none of a space's deletions had in its past, in
    /// storing order. A commit that had seen the deletion counts, too: its author was writing while
    /// it came. At most ``Limits/unseenCommits``, the latest ones.
    package func commits(
        of space: SpaceID, unseenBy deletions: [SurvivingWrite]
    ) throws -> [StoredCommit] {
        guard !deletions.isEmpty, let schema = schema(of: space) else { return [] }
        let title = schema.titleRecord(in: space)
        return try connection.read { database in
            let spaceRow = try SpaceTable.row(of: space, in: database)
            let history = StoredHistory(
                database, space: spaceRow, texts: CommitTexts(connection.decoder))
            var found: [StoredCommit] = []
            for row in try database.rows("SELECT * FROM logs WHERE space = ?", [spaceRow]) {
                let log = try row.log()
                let seen = try deletions.map { try history.seen(by: $0, of: log) }.max() ?? 0
                guard try row.unsigned("head_sequence") > seen else { continue }
                found += try database.rows(
                    """
                    SELECT id, clock, received_at, header, signature, clear, operations FROM commits
                    WHERE log = ? AND sequence > ? AND effective = 1
                    ORDER BY sequence DESC LIMIT ?
                    """,
                    [try row.integer("id"), Int64(bitPattern: seen), Limits.unseenCommits]
                ).map { try $0.storedCommit(of: space, connection.decoder) }
            }
            return found.filter { $0.commit.isWork(beside: title, under: schema) }
                .sorted { $0.place < $1.place }.suffix(Limits.unseenCommits)
        }
    }
}

extension UnverifiedCommit {
    /// Whether people wrote something in it that a deletion of the space hides: names of people and
    /// devices, and what says that the space is there or not, are none.
    fileprivate func isWork(beside title: RecordKey, under schema: Schema) -> Bool {
        operations.contains { operation in
            let key = RecordKey(of: operation, under: schema)
            return key == title
                ? operation.writes.contains { $0.field != Write.existence }
                : !Schema.isEverywhere(key.collection)
        }
    }
}

extension Limits {
    /// Commits of each log that a deletion of a space had not seen and that people are told of; what
    /// is written beyond them comes back with the rest.
    static let unseenCommits = 1_000
}
