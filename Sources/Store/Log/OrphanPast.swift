internal import GRDB
internal import SyncCore

/// What an orphan had seen of what is shown now.
struct OrphanPast {
    let orphan: Orphan
    private let orphans: Orphans
    private let database: Database
    private let space: Int64
    /// By log, the last position it or a commit before it named.
    private var seen: [LogID: LogHead] = [:]

    init(
        of orphan: Orphan, _ orphans: Orphans, _ state: LoadedSpace, _ database: Database
    ) throws {
        (self.orphan, self.orphans, self.database) = (orphan, orphans, database)
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
        let rows = try database.rows(
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

    /// Also what writes again an orphan that it had seen.
    func contains(_ commit: CommitID, at sequence: UInt64, of log: LogID) throws -> Bool {
        let original = try database.row(
            "SELECT commit_id FROM recovered WHERE space = ? AND new_commit = ?",
            [space, commit.bytes])
        if let original {
            guard let earlier = orphans[try original.identifier("commit_id")] else { return false }
            return contains(earlier)
        }
        if sequence <= limit(of: log) { return true }
        return orphans.rewritten(by: commit).contains { contains($0) }
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
