internal import GRDB
internal import SyncCore

/// What an orphan had seen of what is shown now.
final class OrphanPast {
    let orphan: Orphan
    private let orphans: Orphans
    private let logs: [LogID: Int64]
    private let contents: OrphanContents
    private let space: Int64
    /// By its own header and those of orphans before it.
    private let past: OrphanOrder.Past
    /// What the stored log had seen of others, as far as it was asked.
    private var stored: [LogID: UInt64] = [:]

    init(of orphan: Orphan, _ orphans: Orphans, _ state: LoadedSpace, _ contents: OrphanContents) {
        (self.orphan, self.orphans, self.contents) = (orphan, orphans, contents)
        (logs, space) = (state.logs, state.row)
        past = orphans.order.past(of: orphan)
    }

    /// Whether it had seen a write that stands in a register, or the orphan that this one recovers.
    func contains(_ write: SurvivingWrite, at place: PlacedWrite) throws -> Bool {
        try contains(
            place.holding(write.value), of: write.id.commit, at: write.sequence, of: write.log)
    }

    /// Also a write that recovers a value of an orphan that it had seen. Other values of that commit are not meant:
    /// a person may have typed both.
    func contains(
        _ write: PlacedWrite, of commit: CommitID, at sequence: UInt64, of log: LogID
    ) throws -> Bool {
        if try sequence <= limit(of: log) { return true }
        return try orphans(recoveredBy: commit).contains { earlier in
            try earlier.id != orphan.id && contains(earlier)
                && contents.says(write, earlier)
        }
    }

    /// Whether a write was taken for the recovery of an orphan by its value alone: where several wrote the same
    /// in turn, it may as well be that of a later one.
    func isGuessed(_ commit: CommitID, at sequence: UInt64, of log: LogID) throws -> Bool {
        try sequence > limit(of: log) && !orphans.rewritten(by: commit).isEmpty
    }

    private func orphans(recoveredBy commit: CommitID) throws -> [Orphan] {
        let rows = try contents.database.rows(
            "SELECT commit_id FROM recovered WHERE space = ? AND new_commit = ?",
            [space, commit.bytes])
        return try rows.compactMap { orphans[try $0.identifier("commit_id")] }
            + orphans.rewritten(by: commit)
    }

    private func contains(_ earlier: Orphan) throws -> Bool {
        guard earlier.isBranch else { return try earlier.sequence <= limit(of: earlier.log) }
        if earlier.log == orphan.log { return orphans.order.goesOn(orphan.id, from: earlier) }
        guard let head = past.seen[earlier.log], head.sequence >= earlier.sequence else {
            return false
        }
        return orphans.order.goesOn(head.commit, from: earlier)
    }

    /// Up to where it had seen a log.
    private func limit(of log: LogID) throws -> UInt64 {
        guard log != orphan.log else { return orphan.sequence }
        return max(past.seen[log]?.sequence ?? 0, try storedLimit(of: log))
    }

    private func storedLimit(of log: LogID) throws -> UInt64 {
        if let known = stored[log] { return known }
        var sequence: UInt64 = 0
        if let own = logs[orphan.log], let target = logs[log] {
            // A log never sees less than before.
            let row = try contents.database.row(
                """
                SELECT sequence FROM seen WHERE log = ? AND target = ? AND at_sequence <= ?
                ORDER BY at_sequence DESC LIMIT 1
                """, [own, target, Int64(bitPattern: past.stored)])
            sequence = try row?.unsigned("sequence") ?? 0
        }
        stored[log] = sequence
        return sequence
    }
}

/// What orphans say, each read once as long as few are asked for.
final class OrphanContents {
    let database: Database
    private let schema: Schema?
    private let decoder: any CommitDecoding
    private var known: [CommitID: Set<PlacedWrite>] = [:]

    init(_ schema: Schema?, _ decoder: any CommitDecoding, _ database: Database) {
        (self.schema, self.decoder, self.database) = (schema, decoder, database)
    }

    /// Whether a write of a commit that recovers an orphan is one of the orphan's. A write that brings its
    /// record back counts as one, and so does a file under the name that it has where it is encrypted.
    fileprivate func says(_ write: PlacedWrite, _ orphan: Orphan) throws -> Bool {
        if write.isOfExistence { return true }
        let writes = try writes(of: orphan)
        return writes.contains(write) || write.namesFile && writes.contains { $0.isRenamed(write) }
    }

    private func writes(of orphan: Orphan) throws -> Set<PlacedWrite> {
        if let found = known[orphan.id] { return found }
        if known.count >= Limits.orphansKeptDecoded { known = [:] }
        let writes = Set(PlacedWrite.all(in: try operations(of: orphan), under: schema))
        known[orphan.id] = writes
        return writes
    }

    private func operations(of orphan: Orphan) throws -> [RecordOperation] {
        do {
            return try OrphanTable.content(of: orphan, decoder, in: database).commit.operations
        } catch StoreError.noLongerWaiting {
            // It was listed before it came to count.
            return []
        }
    }
}

extension Limits {
    /// Orphans whose writes are kept in memory while others are compared with them.
    static let orphansKeptDecoded = 64
}
