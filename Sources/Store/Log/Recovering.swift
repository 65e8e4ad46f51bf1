internal import GRDB
package import SyncCore

extension OrphanedCommits {
    /// Rewrites an orphan as a commit of this device, with all its changes; durable on return.
    ///
    /// Each write replaces of what is shown now exactly what the orphan had seen, so that it
    /// buries nothing that others wrote since: both values then survive. What was written again
    /// already (``Rewrites``) is left out, whatever became of it. What became too large for
    /// one commit by that takes two. Where it is sealed, it names files as `files` says. `seal` is as in
    /// ``CommitLog/append(to:_:under:standing:draft:seal:)``; throws the same, also where what a data set says is to
    /// be written by somebody who is no admin, and without `files`
    /// ``StoreError/filesInClear`` where it takes them; ``StoreError/noLongerWaiting`` where it counts by
    /// now, or is not here any more.
    package func recover(
        _ orphan: Orphan, of orphans: Orphans, in space: SpaceID, _ own: OwnWriting,
        naming files: SealedFiles?,
        seal: (CommitHeader, CommitDraft) throws -> VerifiedCommit
    ) throws -> ApplyReport {
        try connection.turn { turn in
            let (orphan, orphans) = try OrphanTable.current(orphan, of: orphans, in: space, turn)
            let content = try turn.content(of: orphan, in: space, naming: files)
            var earlier: Set<Rewrites.Writer> = []
            func write(_ range: Range<Int>) throws -> ApplyReport {
                do {
                    return try turn.append(
                        to: space, own,
                        draft: { context in
                            let (draft, found) = try turn.draft(
                                anew: orphan, content, range, orphans, in: space, own, context)
                            earlier.formUnion(found)
                            guard !draft.operations.isEmpty else { throw NothingToWrite() }
                            return draft
                        }, seal: seal)
                } catch is NothingToWrite {
                    return ApplyReport(
                        space: space, view: turn.loaded.spaces[space].map { SpaceView($0.ledger) })
                }
            }
            let all = 0..<content.draft.operations.count
            var report: ApplyReport
            do {
                report = try write(all)
            } catch StoreError.commitTooLarge where all.count > 1 {
                report = try write(0..<all.count / 2)
                report.merge(try write(all.count / 2..<all.count))
            }
            guard let row = turn.loaded.spaces[space]?.row else { return report }
            try OrphanTable.forgetIneffective(orphan, in: row, turn.database)
            try OrphanTable.note(
                orphan, in: row, writtenBy: report.stored.map(\.id), under: orphans.recovery,
                turn.database)
            try OrphanTable.note(
                orphan, in: row, writtenBefore: earlier, by: own.log.device,
                under: orphans.recovery, turn.database)
            return report
        }
    }
}

/// Everything that an orphan says was written again before.
private struct NothingToWrite: Error {}

/// What an orphan says, to be written again.
private struct OrphanContent {
    let draft: CommitDraft
    /// Whether it was written in clear, and its files have other names in the draft.
    let isInClear: Bool
}

extension OrphanTable {
    /// An orphan that waits for another reason than when it was listed, as it is now, with the list of now.
    fileprivate static func current(
        _ orphan: Orphan, of orphans: Orphans, in space: SpaceID, _ turn: WriteTransaction
    ) throws -> (Orphan, Orphans) {
        let reason = try reason(of: orphan.id, in: turn.database)
        guard reason != orphan.reason else { return (orphan, orphans) }
        guard reason != nil, let state = turn.loaded.spaces[space] else {
            throw StoreError.noLongerWaiting
        }
        let now = try Orphans(of: state.row, by: nil, turn.decoder, in: turn.database)
        guard let moved = now[orphan.id] else { throw StoreError.noLongerWaiting }
        let rewritten = try rewritten(
            in: state, turn.schemas(state.ledger.schema), turn.decoder, turn.database)
        return (moved, now.removing(rewritten).numbered(orphans.recovery))
    }

    /// The commits of this device that recovered an orphan before, also those of undone recoveries.
    fileprivate static func recoverers(
        of orphan: Orphan, in space: Int64, _ database: Database
    ) throws -> Set<CommitID> {
        let rows = try database.rows(
            """
            SELECT new_commit FROM recovered
            WHERE space = ? AND commit_id = ? AND recovery <> \(byOthers)
            """, [space, orphan.id.bytes])
        return Set(try rows.map { try $0.identifier("new_commit") })
    }

    /// Whether this device wrote a commit to recover an orphan.
    private static func isRecovery(
        _ commit: CommitID, in space: Int64, _ database: Database
    ) throws -> Bool {
        try database.number(
            """
            SELECT COUNT(*) FROM recovered
            WHERE space = ? AND new_commit = ? AND recovery <> \(byOthers)
            """, [space, commit.bytes]) ?? 0 > 0
    }

    /// Forgets of an orphan the commits that recovered it and do not count any more: those that do
    /// so from now on count alone.
    fileprivate static func forgetIneffective(
        _ orphan: Orphan, in space: Int64, _ database: Database
    ) throws {
        try database.run(
            """
            DELETE FROM recovered
            WHERE space = ? AND commit_id = ? AND undone_by IS NULL AND NOT \(isRewriterEffective)
            """, [space, orphan.id.bytes])
    }

    /// Notes the commits of this device that recovered an orphan.
    fileprivate static func note(
        _ orphan: Orphan, in space: Int64, writtenBy commits: [CommitID], under number: Int64,
        _ database: Database
    ) throws {
        for commit in commits {
            try database.run(
                """
                INSERT OR IGNORE INTO recovered (space, commit_id, new_commit, recovery)
                VALUES (?, ?, ?, ?)
                """, [space, orphan.id.bytes, commit.bytes, number])
        }
    }

    /// Notes the commits that had written it again before. Of this device's own recoveries only those of the same
    /// one are noted: they are undone with it. Values that its person wrote are noted like those that others wrote: a
    /// later orphan with the same value is to write it once more, as other devices look for it.
    fileprivate static func note(
        _ orphan: Orphan, in space: Int64, writtenBefore commits: Set<Rewrites.Writer>,
        by device: DeviceID, under number: Int64, _ database: Database
    ) throws {
        let others = try commits.filter { writer in
            try writer.log.device != device || !isRecovery(writer.commit, in: space, database)
        }
        try note(
            orphan, in: space, writtenBy: others.map(\.commit).sorted(), under: byOthers, database)
        for own in commits where own.log.device == device {
            try database.run(
                """
                INSERT OR IGNORE INTO recovered (space, commit_id, new_commit, recovery)
                SELECT DISTINCT space, ?1, new_commit, recovery FROM recovered
                WHERE space = ?2 AND new_commit = ?3 AND recovery = ?4 AND undone_by IS NULL
                """, [orphan.id.bytes, space, own.commit.bytes, number])
        }
    }
}

extension WriteTransaction {
    /// What an orphan says, under the names of today, as the registers are that it may replace
    /// something in.
    fileprivate func content(
        of orphan: Orphan, in space: SpaceID, naming files: SealedFiles?
    ) throws -> OrphanContent {
        guard let state = loaded.spaces[space] else { throw StoreError.spaceUnknown(space) }
        let kept = try OrphanTable.content(of: orphan, decoder, in: database).commit
        // An unreadable commit cannot be rewritten.
        guard !kept.operations.isEmpty else {
            throw StoreError.permissionRefused(required: .read)
        }
        let schema = schemas(state.ledger.schema)
        let operations = kept.operations.map { $0.current(under: schema) }
        let content = CommitDraft(
            clear: ClearPart(blobs: kept.clear.blobs), operations: operations)
        let isInClear = kept.header.epoch == nil
        guard state.ledger.membership.isToBeSealed, !kept.clear.blobs.isEmpty || files != nil else {
            return OrphanContent(draft: content, isInClear: isInClear)
        }
        guard let files else { throw StoreError.filesInClear }
        let named = CommitDraft(
            clear: ClearPart(blobs: files.named(kept.clear.blobs)),
            operations: files.named(operations))
        return OrphanContent(draft: named, isInClear: isInClear)
    }

    /// The draft, and the commits that wrote before what it leaves out.
    fileprivate func draft(
        anew orphan: Orphan, _ kept: OrphanContent, _ range: Range<Int>,
        _ orphans: Orphans, in space: SpaceID, _ own: OwnWriting, _ context: DraftContext
    ) throws -> (CommitDraft, Set<Rewrites.Writer>) {
        guard let state = loaded.spaces[space] else { throw StoreError.spaceUnknown(space) }
        let undoing = try OrphanTable.undoingCommits(in: state.row, database)
        let replaced = try undoing.union(
            OrphanTable.recoverers(of: orphan, in: state.row, database))
        let standing = state.ledger.membership.standings[context.grant]
        let allowed = standing?.precedence ?? 0
        let mayApplySets = standing?.current.contains(.admin) ?? false
        let rewrites = try Rewrites(
            in: state, schemas(state.ledger.schema), decoder, database)
        let past = rewrites.past(of: orphan, orphans)
        var back: [PlacedWrite: Rewrites.Writer] = [:]
        for operation in kept.draft.operations[range] {
            let found = try rewrites.writers(of: operation, past, inClear: kept.isInClear)
            back.merge(found) { first, _ in first }
        }
        let operations = try kept.draft.operations[range].compactMap { operation in
            var anew = operation
            let key = RecordKey(collection: operation.collection, record: operation.record)
            let record = try context.record(key) ?? RecordState()
            anew.writes = try operation.writes.filter { write in
                write.isTouch || back[PlacedWrite(key, write)] == nil
            }.map { write in
                guard mayApplySets || !operation.isOfSet(write) else {
                    throw StoreError.permissionRefused(required: .admin)
                }
                var anew = write
                anew.precedence = min(write.precedence, allowed)
                let place = PlacedWrite(key, write)
                anew.replaces = try record.register(of: write).writes.filter {
                    try replaced.contains($0.id.commit) || past.contains($0, at: place)
                }.map(\.id)
                return anew
            }
            if let existence = record.restored(after: undoing), !operation.hasExistence {
                anew.writes.append(existence)
            }
            return anew.writes.isEmpty ? nil : anew
        }
        // Touches alone say nothing.
        let isSaying = operations.contains { !$0.isTouch }
        return (
            CommitDraft(clear: kept.draft.clear, operations: isSaying ? operations : []),
            Set(back.values)
        )
    }
}

extension RecordOperation {
    fileprivate var hasExistence: Bool { writes.contains(where: \.isOfExistence) }

    /// Whether a write is a data set's word or its mark. By anybody but an admin a mark counts for nobody: rows of one
    /// version would stand beside the mark of another, and no device would know it.
    fileprivate func isOfSet(_ write: Write) -> Bool {
        write.precedence < Precedence.user.rawValue
            || collection == Schema.AppliedSet.collection && !write.isTouch
    }
}

extension RecordState {
    /// What brings a record back that was put away when it was taken back.
    fileprivate func restored(after undone: Set<CommitID>) -> Write? {
        guard isDeleted, let existence = fields[Write.existence],
            existence.writes.allSatisfy({ undone.contains($0.id.commit) })
        else { return nil }
        return .deletion(false)
    }
}
