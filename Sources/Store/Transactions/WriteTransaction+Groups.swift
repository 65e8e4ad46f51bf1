internal import SyncCore

extension WriteTransaction {
    /// The last commit of a group came: from now on those before it count that are allowed, whether or not the last one
    /// is. Nothing here had seen them, so they are applied as if they came now; who means well writes nothing that had
    /// seen a part, and where somebody did, records are made again in the order of the log.
    func count(
        _ group: CommitGroup, of log: LogID, in state: inout LoadedSpace,
        _ batch: inout RecordBatch, _ report: inout ApplyReport
    ) throws {
        guard let number = state.logs[log] else { throw StoreError.corrupt("\(log) has no row") }
        let rows = try GroupTable.rows(of: group, in: number, database)
        Invariants.check(
            rows.count == Int(group.last - group.first),
            "of the group up to \(group.last) of \(log) \(rows.count) are here")
        let isSeen = try GroupTable.isSeenInPart(group, in: number, of: state.row, database)
        for row in rows {
            let commit = try row.commit(decoder)
            guard try !row.flag("effective"),
                state.ledger.isEffective(state.ledger.claim(of: commit))
            else { continue }
            let id = try row.integer("id")
            try database.run("UPDATE commits SET effective = 1 WHERE id = ?", [id])
            report.reevaluated += 1
            if !commit.clear.blobs.isEmpty {
                report.need(try BlobTable.missing(namedBy: id, in: database))
                state.forgetFiles(at: nextVersion)
            }
            if isSeen { displaced.formUnion(keys(of: commit, in: state)) }
            try batch.apply(commit.operations, of: state.ledger.applied(commit), in: id)
        }
    }
}
