internal import GRDB
package import SyncCore

extension OrphanedCommits {
    /// The number of the last recovery in a space of which something can be taken back; nil when there is
    /// none.
    package func lastRecovery(in space: SpaceID) throws -> Int64? {
        try connection.read { database in
            try database.number(
                "SELECT MAX(recovery) FROM recovered WHERE space = ? AND \(OrphanTable.canBeUndone)",
                [try SpaceTable.row(of: space, in: database)])
        }
    }

    /// Takes back one recovery: what the new commits wrote and nobody wrote over is as it was without
    /// them, in one commit. Returns nil when there is nothing to take back, else also how many commits
    /// do not count again. Throws as ``CommitLog/append(to:_:under:standing:draft:seal:)``.
    package func undoRecovery(
        _ number: Int64, in space: SpaceID, _ own: OwnWriting,
        seal: (CommitHeader, CommitDraft) throws -> VerifiedCommit
    ) throws -> (report: ApplyReport, commits: Int)? {
        try connection.turn { turn in
            guard let state = turn.loaded.spaces[space] else {
                throw StoreError.spaceUnknown(space)
            }
            try OrphanTable.forgetUndone(in: state.row, turn.database)
            let recovery = try Recovery(number, in: state, turn)
            guard !recovery.orphans.isEmpty else { return nil }
            let report = try turn.append(
                to: space, own,
                draft: { context in
                    CommitDraft(operations: try recovery.undone(in: context))
                }, seal: seal)
            guard let undo = report.stored.first?.id else { return nil }
            try turn.database.run(
                """
                UPDATE recovered SET undone_by = ?
                WHERE space = ? AND recovery = ? AND \(OrphanTable.canBeUndone)
                """, [undo.bytes, state.row, number])
            return (report, recovery.orphans.count)
        }
    }
}

extension OrphanTable {
    /// The commits by which something was taken back that waits again: what recovers it goes over them.
    static func undoingCommits(in space: Int64, _ database: Database) throws -> Set<CommitID> {
        let rows = try database.rows(
            """
            SELECT DISTINCT undone_by FROM recovered WHERE space = ? AND undone_by IS NOT NULL
            """, [space])
        return Set(try rows.map { try $0.identifier("undone_by") })
    }

    /// Forgets recoveries that were taken back, as soon as nothing depends on them: all of their
    /// orphans were recovered here again, and what took them back restored nothing of an older recovery,
    /// which could be taken back in turn.
    static func forgetUndone(in space: Int64, _ database: Database) throws {
        try database.run(
            """
            DELETE FROM recovered WHERE space = ?1 AND undone_by IS NOT NULL
                AND recovery < (SELECT MIN(recovery) FROM recovered
                    WHERE space = ?1 AND undone_by IS NULL AND recovery >= 0)
                AND recovery NOT IN (SELECT recovery FROM recovered AS undone
                    WHERE space = ?1 AND undone_by IS NOT NULL
                        AND NOT EXISTS (SELECT 1 FROM recovered AS again
                            WHERE again.space = ?1 AND again.commit_id = undone.commit_id
                                AND again.undone_by IS NULL AND again.recovery >= 0))
            """, [space])
    }

    /// Orphans of which a recovery was taken back.
    static func undoneOrphans(in space: Int64, _ database: Database) throws -> Set<CommitID> {
        let rows = try database.rows(
            """
            SELECT DISTINCT commit_id FROM recovered WHERE space = ? AND undone_by IS NOT NULL
            """, [space])
        return Set(try rows.map { try $0.identifier("commit_id") })
    }

    /// The devices of the commits by which recoveries were taken back: this one.
    static func undoers(in space: Int64, _ database: Database) throws -> Set<DeviceID> {
        let rows = try database.rows(
            """
            SELECT DISTINCT device FROM logs WHERE id IN (
                SELECT log FROM recovered JOIN commits ON commits.commit_id = undone_by
                WHERE recovered.space = ?1
                UNION ALL
                SELECT log FROM recovered JOIN branches ON branches.commit_id = undone_by
                WHERE recovered.space = ?1)
            """, [space])
        return Set(try rows.map { try $0.identifier("device") })
    }

    /// The commits of recoveries that were taken back, and those that did it: together they change nothing.
    /// Of those that format 11 knew the former are not known.
    static func undoneCommits(in space: Int64, _ database: Database) throws -> Set<CommitID> {
        let rows = try database.rows(
            """
            SELECT new_commit, undone_by FROM recovered
            WHERE space = ? AND undone_by IS NOT NULL AND new_commit != undone_by
            """, [space])
        return Set(
            try rows.flatMap {
                [try $0.identifier("new_commit"), try $0.identifier("undone_by")]
            })
    }
}

/// The commits rewritten in a space under one number, and the state without them.
private struct Recovery {
    /// Those that were recovered.
    private(set) var orphans: Set<CommitID> = []
    /// Those that did it.
    private var commits: Set<CommitID> = []
    /// Them, and what cancels itself out.
    private let leftOut: Set<CommitID>
    private var touched: [RecordKey] = []
    /// What the records would be without them; none that nobody else wrote to.
    private var without: [RecordKey: RecordState] = [:]

    init(_ number: Int64, in state: LoadedSpace, _ turn: WriteTransaction) throws {
        let rows = try turn.database.rows(
            """
            SELECT commit_id, new_commit FROM recovered
            WHERE space = ? AND recovery = ? AND \(OrphanTable.canBeUndone)
            """, [state.row, number])
        for row in rows {
            orphans.insert(try row.identifier("commit_id"))
            commits.insert(try row.identifier("new_commit"))
        }
        leftOut = try commits.union(OrphanTable.undoneCommits(in: state.row, turn.database))
        guard !commits.isEmpty else { return }
        try collectTouched(number, state, turn)
        let keys = Set(touched)
        try turn.replay(state) { commit, applied, _ in
            guard !leftOut.contains(commit.id) else { return }
            var first: UInt32 = 0
            for (operation, key) in zip(commit.operations, turn.keys(of: commit, in: state)) {
                if keys.contains(key) {
                    without[key, default: RecordState()]
                        .apply(operation, firstIndex: first, of: applied)
                }
                first += UInt32(operation.writes.count)
            }
        }
    }

    /// In storing order: what they wrote to.
    private mutating func collectTouched(
        _ number: Int64, _ state: LoadedSpace, _ turn: WriteTransaction
    ) throws {
        let rows = try turn.database.rows(
            """
            SELECT header, signature, clear, operations FROM commits
            WHERE space = ?1 AND commit_id IN
                (SELECT new_commit FROM recovered WHERE space = ?1 AND recovery = ?2)
            ORDER BY id
            """, [state.row, number])
        var known: Set<RecordKey> = []
        for row in rows {
            let commit = try row.commit(turn.decoder)
            guard commits.contains(commit.id) else { continue }
            touched += turn.keys(of: commit, in: state).filter { known.insert($0).inserted }
        }
    }

    func undone(in context: DraftContext) throws -> [RecordOperation] {
        try touched.compactMap { key in
            guard let now = try context.record(key) else { return nil }
            let writes = without[key].map { undone(now, $0) } ?? [Write.deletion(true)]
            guard !writes.isEmpty else { return nil }
            return RecordOperation(
                collection: key.collection, record: key.record, writes: writes)
        }
    }

    private func undone(_ now: RecordState, _ before: RecordState) -> [Write] {
        var writes: [Write] = []
        for (field, register) in now.fields.sorted(by: { $0.key < $1.key })
        where isRecovered(register) {
            let value = before.fields[field]?.latest?.value
            let none: Value = field == Write.existence ? .boolean(false) : .null
            guard register.latest?.value != value ?? none else { continue }
            writes.append(
                Write(field: field, value: value ?? none, replaces: leftOut(of: register)))
        }
        for (field, elements) in now.sets.sorted(by: { $0.key < $1.key }) {
            for (element, register) in elements.sorted(by: {
                $0.key.canonicalBytes.lexicographicallyPrecedes($1.key.canonicalBytes)
            }) where isRecovered(register) {
                let value = before.sets[field]?[element]?.latest?.value ?? .boolean(false)
                guard register.latest?.value != value else { continue }
                writes.append(
                    Write(
                        field: field, element: element, value: value,
                        replaces: leftOut(of: register)))
            }
        }
        return writes
    }

    /// What is to go. What others wrote stays beside it: recovered again, it must not be buried.
    private func leftOut(of register: Register) -> [WriteID] {
        register.writes.map(\.id).filter { leftOut.contains($0.commit) }
    }

    /// Whether what is shown of a register is what the recovery wrote, or what restored that.
    private func isRecovered(_ register: Register) -> Bool {
        register.latest.map { leftOut.contains($0.id.commit) } ?? false
    }
}
