internal import GRDB
package import SyncCore

extension OrphanedCommits {
    /// Rewrites an orphan as a commit of this device, with all its changes; durable on return.
    ///
    /// Each write replaces of what is shown now exactly what the orphan had seen, so that it
    /// buries nothing that others wrote since: both values then survive. What somebody brought back
    /// already is left out, whatever became of it. What became too large for
    /// one commit by that takes two. Where it is sealed, it names files as `files` says. `seal` is as in
    /// ``CommitLog/append(to:_:under:standing:draft:seal:)``; throws the same, and without `files`
    /// ``StoreError/filesInClear`` where it takes them.
    package func recover(
        _ orphan: Orphan, of orphans: Orphans, in space: SpaceID, _ own: OwnWriting,
        naming files: SealedFiles?,
        seal: (CommitHeader, CommitDraft) throws -> VerifiedCommit
    ) throws -> ApplyOutcome {
        try connection.turn { turn in
            let content = try turn.content(of: orphan, in: space, naming: files)
            var others: Set<CommitID> = []
            func write(_ range: Range<Int>) throws -> ApplyOutcome {
                do {
                    return try turn.append(
                        to: space, own,
                        draft: { context in
                            let (draft, back) = try turn.draft(
                                anew: orphan, content, range, orphans, in: space, own, context)
                            others.formUnion(back)
                            guard !draft.operations.isEmpty else { throw NothingToWrite() }
                            return draft
                        }, seal: seal)
                } catch is NothingToWrite {
                    return ApplyOutcome(space: space, ledger: turn.loaded.spaces[space]?.ledger)
                }
            }
            let all = 0..<content.operations.count
            var outcome: ApplyOutcome
            do {
                outcome = try write(all)
            } catch StoreError.commitTooLarge where all.count > 1 {
                outcome = try write(0..<all.count / 2)
                outcome.merge(try write(all.count / 2..<all.count))
            }
            guard let row = turn.loaded.spaces[space]?.row else { return outcome }
            for (commits, number) in [
                (outcome.stored, orphans.recovery), (others.sorted(), OrphanTable.byOthers),
            ] {
                for commit in commits {
                    try turn.database.run(
                        """
                        INSERT OR IGNORE INTO recovered (space, commit_id, new_commit, recovery)
                        VALUES (?, ?, ?, ?)
                        """, [row, orphan.id.bytes, commit.bytes, number])
                }
            }
            return outcome
        }
    }
}

/// Everything that an orphan says was brought back by others.
private struct NothingToWrite: Error {}

extension WriteTransaction {
    /// What an orphan says, under the names of today, as the registers are that it may replace
    /// something in.
    fileprivate func content(
        of orphan: Orphan, in space: SpaceID, naming files: SealedFiles?
    ) throws -> CommitDraft {
        guard let state = loaded.spaces[space] else { throw StoreError.spaceUnknown(space) }
        let kept = try OrphanTable.content(of: orphan, decoder, in: database).commit
        // An unreadable commit cannot be rewritten.
        guard !kept.operations.isEmpty else {
            throw StoreError.permissionRefused(required: .read)
        }
        let schema = schemas(state.ledger.schema)
        let operations = kept.operations.map { schema?.current($0) ?? $0 }
        let content = CommitDraft(
            clear: ClearPart(blobs: kept.clear.blobs), operations: operations)
        guard state.ledger.membership.isToBeSealed, !kept.clear.blobs.isEmpty || files != nil else {
            return content
        }
        guard let files else { throw StoreError.filesInClear }
        return CommitDraft(
            clear: ClearPart(blobs: files.named(kept.clear.blobs)),
            operations: files.named(operations))
    }

    /// The draft, and the commits of others that brought back what it leaves out.
    fileprivate func draft(
        anew orphan: Orphan, _ kept: CommitDraft, _ range: Range<Int>,
        _ orphans: Orphans, in space: SpaceID, _ own: OwnWriting, _ context: DraftContext
    ) throws -> (CommitDraft, Set<CommitID>) {
        guard let state = loaded.spaces[space] else { throw StoreError.spaceUnknown(space) }
        let past = try OrphanPast(of: orphan, orphans, state, self)
        let undone = try OrphanTable.undoingCommits(in: state.row, database)
        let allowed = state.ledger.membership.standings[context.grant]?.precedence ?? 0
        let back = try broughtBack(
            Array(kept.operations[range]), past, state, by: own.log.device, context)
        let operations = try kept.operations[range].compactMap { operation in
            var anew = operation
            let key = RecordKey(collection: operation.collection, record: operation.record)
            let record = try context.record(key) ?? RecordState()
            anew.writes = try operation.writes.filter { back[PlacedWrite(key, $0)] == nil }.map {
                write in
                var anew = write
                anew.precedence = min(write.precedence, allowed)
                anew.replaces = try record.register(of: write).writes
                    .filter { try undone.contains($0.id.commit) || past.contains($0) }.map(\.id)
                return anew
            }
            if let existence = record.restored(after: undone), !operation.hasExistence {
                anew.writes.append(existence)
            }
            return anew.writes.isEmpty ? nil : anew
        }
        return (CommitDraft(clear: kept.clear, operations: operations), Set(back.values))
    }

    /// What an orphan says that somebody else wrote since, by the commit that did. Only where
    /// something that the orphan had not seen stands in a register, so that the log is seldom read.
    private func broughtBack(
        _ operations: [RecordOperation], _ past: OrphanPast, _ state: LoadedSpace,
        by device: DeviceID, _ context: DraftContext
    ) throws -> [PlacedWrite: CommitID] {
        let undone = try OrphanTable.undoneCommits(in: state.row, database)
        var asked: Set<PlacedWrite> = []
        for operation in operations {
            let key = RecordKey(collection: operation.collection, record: operation.record)
            guard let record = try context.record(key) else { continue }
            for write in operation.writes
            where try record.register(of: write).writes.contains(where: {
                try !undone.contains($0.id.commit) && !past.contains($0)
            }) {
                asked.insert(PlacedWrite(key, write))
            }
        }
        guard !asked.isEmpty else { return [:] }
        let schema = schemas(state.ledger.schema)
        var found: [PlacedWrite: CommitID] = [:]
        // What this device brought back and took back may be brought back once more.
        for (log, row) in state.logs where log.device != device {
            let rows = try database.rowCursor(
                """
                SELECT commit_id, sequence, header, signature, clear, operations FROM commits
                WHERE log = ? AND sequence > ? AND effective = 1 ORDER BY sequence
                """, [row, Int64(bitPattern: past.limit(of: log))])
            while let row = try rows.next() {
                let commit: CommitID = try row.identifier("commit_id")
                guard try !past.contains(commit, at: row.sequence("sequence"), of: log) else {
                    continue
                }
                for operation in try row.commit(decoder).operations {
                    let current = schema?.current(operation) ?? operation
                    let key = RecordKey(collection: current.collection, record: current.record)
                    for write in current.writes.map({ PlacedWrite(key, $0) })
                    where asked.contains(write) && found[write] == nil {
                        found[write] = commit
                    }
                }
            }
        }
        return found
    }
}

/// A value and where it is written to.
private struct PlacedWrite: Hashable {
    let key: RecordKey
    let field: String
    let element: Value?
    let value: Value

    init(_ key: RecordKey, _ write: Write) {
        (self.key, field, element, value) = (key, write.field, write.element, write.value)
    }
}

/// What an orphan had seen of what is shown now.
private struct OrphanPast {
    private let orphan: Orphan
    private let orphans: Orphans
    private let turn: WriteTransaction
    private let space: Int64
    /// By log, the last position it or a commit before it named.
    private var seen: [LogID: LogHead] = [:]

    init(
        of orphan: Orphan, _ orphans: Orphans, _ state: LoadedSpace, _ turn: WriteTransaction
    ) throws {
        (self.orphan, self.orphans, self.turn) = (orphan, orphans, turn)
        space = state.row
        var first = orphan
        include(first.seen)
        if first.reason == .gap { include(orphans.seenBeyondGap(by: first)) }
        while first.isBranch, let before = orphans[first.previous], before.isBranch {
            include(before.seen)
            first = before
        }
        try includeStored(before: first, state)
    }

    private mutating func include(_ positions: [LogPosition]) {
        for position in positions
        where position.head.sequence > seen[position.log]?.sequence ?? 0 {
            seen[position.log] = position.head
        }
    }

    /// What the log had seen before a commit, by what is kept of it.
    private mutating func includeStored(before first: Orphan, _ state: LoadedSpace) throws {
        guard let log = state.logs[first.log] else { return }
        let byRow = Dictionary(state.logs.map { ($0.value, $0.key) }) { first, _ in first }
        let rows = try turn.database.rows(
            """
            SELECT target, MAX(sequence) AS sequence FROM seen
            WHERE log = ? AND at_sequence <= ? GROUP BY target
            """, [log, Int64(bitPattern: first.sequence)])
        for row in rows {
            guard let target = byRow[try row.integer("target")] else { continue }
            let sequence = try row.unsigned("sequence")
            guard sequence > seen[target]?.sequence ?? 0 else { continue }
            seen[target] = LogHead(sequence: sequence, commit: .zero)
        }
    }

    func contains(_ write: SurvivingWrite) throws -> Bool {
        try contains(write.id.commit, at: write.sequence, of: write.log)
    }

    func contains(_ commit: CommitID, at sequence: UInt64, of log: LogID) throws -> Bool {
        let original = try turn.database.row(
            "SELECT commit_id FROM recovered WHERE space = ? AND new_commit = ?",
            [space, commit.bytes])
        if let original {
            guard let earlier = orphans[try original.identifier("commit_id")] else { return false }
            return contains(earlier)
        }
        return sequence <= limit(of: log)
    }

    private func contains(_ earlier: Orphan) -> Bool {
        guard earlier.isBranch else { return earlier.sequence <= limit(of: earlier.log) }
        if earlier.log == orphan.log { return orphans.goesOn(orphan.id, from: earlier) }
        guard let head = seen[earlier.log], head.sequence >= earlier.sequence else { return false }
        return orphans.goesOn(head.commit, from: earlier)
    }

    func limit(of log: LogID) -> UInt64 {
        log == orphan.log ? orphan.sequence : seen[log]?.sequence ?? 0
    }
}

extension RecordOperation {
    fileprivate var hasExistence: Bool { writes.contains { $0.field == Write.existence } }
}

extension RecordState {
    /// What brings a record back that was put away when it was taken back.
    fileprivate func restored(after undone: Set<CommitID>) -> Write? {
        guard isDeleted, let existence = fields[Write.existence],
            existence.writes.allSatisfy({ undone.contains($0.id.commit) })
        else { return nil }
        return .deletion(false)
    }

    /// The register that a write goes to.
    fileprivate func register(of write: Write) -> Register {
        if let element = write.element { return sets[write.field]?[element] ?? Register() }
        return fields[write.field] ?? Register()
    }
}
