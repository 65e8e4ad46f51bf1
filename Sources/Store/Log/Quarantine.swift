internal import GRDB
package import SyncCore

/// A commit with changes of records that counts for nothing: one of a branch, one beyond a cut, or
/// one whose grant became void.
package struct QuarantinedCommit: Hashable, Sendable {
    package let id: CommitID
    package let log: LogID
    package let sequence: UInt64
    package let clock: HybridTime
    /// Whether its log forked before it.
    package let isBranch: Bool
    package let previous: CommitID
    /// What its header says it had seen; of a branch only.
    let seen: [LogPosition]
}

/// The hidden commits of a space, and what each of them had seen.
package struct Quarantine: Sendable {
    /// Those not rescued by this device, in the order in which they are to be written anew: each comes
    /// after all that it had seen.
    package let waiting: [QuarantinedCommit]
    /// Commits of branches that say something of members; that is not brought back.
    package let membershipChanges: Int
    /// Every hidden commit, also those with no changes or rescued before.
    private let all: [CommitID: QuarantinedCommit]

    init(_ all: [CommitID: QuarantinedCommit], waiting: [QuarantinedCommit], membershipChanges: Int)
    {
        (self.all, self.waiting, self.membershipChanges) = (all, waiting, membershipChanges)
    }

    /// By clock, but each after those before it in its log: a clock that was wrong may have been set
    /// right in between.
    static func inOrder(_ commits: [QuarantinedCommit]) -> [QuarantinedCommit] {
        var latest: [LogID: HybridTime] = [:]
        var moments: [CommitID: HybridTime] = [:]
        for commit in commits.sorted(by: { $0.sequence < $1.sequence }) {
            let moment = max(commit.clock, latest[commit.log] ?? commit.clock)
            (latest[commit.log], moments[commit.id]) = (moment, moment)
        }
        func place(_ commit: QuarantinedCommit) -> (HybridTime, UInt64, CommitID) {
            (moments[commit.id] ?? commit.clock, commit.sequence, commit.id)
        }
        return commits.sorted { place($0) < place($1) }
    }

    subscript(id: CommitID) -> QuarantinedCommit? { all[id] }

    /// Whether `later`, or the commit with this id, comes after another one in its branch, or is it.
    func goesOn(_ later: CommitID, from earlier: QuarantinedCommit) -> Bool {
        var next = later
        while let commit = all[next], commit.sequence > earlier.sequence { next = commit.previous }
        return next == earlier.id
    }
}

extension SyncStore {
    /// The hidden commits of a space: by one device all of them, otherwise those of forked logs, or those
    /// whose author had no right to them.
    package func hidden(
        in space: SpaceID, by device: DeviceID? = nil, orphans: Bool = false
    ) throws -> Quarantine {
        try read { database in
            let row = try row(of: space, in: database)
            var all: [CommitID: QuarantinedCommit] = [:]
            var waiting: [QuarantinedCommit] = []
            let cursor = try database.rowCursor(HiddenTable.select, [row, row, row])
            while let row = try cursor.next() {
                let isBranch = try row.flag("branch")
                let commit = QuarantinedCommit(
                    id: try row.identifier("commit_id"), log: try row.log(),
                    sequence: try row.sequence("sequence"),
                    clock: HybridTime(raw: try row.unsigned("clock")),
                    isBranch: isBranch, previous: try row.identifier("previous"),
                    seen: isBranch ? try decoder.header(try row.bytes("header")).seen : [])
                all[commit.id] = commit
                let isMeant = device.map { commit.log.device == $0 } ?? (commit.isBranch != orphans)
                guard isMeant, try row.flag("changes"), try !row.flag("rescued") else { continue }
                waiting.append(commit)
            }
            waiting = Quarantine.inOrder(waiting)
            let facts = try database.number(
                "SELECT COUNT(*) FROM branches WHERE space = ? AND facts = 1", [row])
            return Quarantine(all, waiting: waiting, membershipChanges: Int(facts ?? 0))
        }
    }

    /// A hidden commit itself, as far as it can be read here.
    package func content(of commit: QuarantinedCommit) throws -> UnverifiedCommit {
        try read { try HiddenTable.commit(commit, decoder, in: $0) }
    }

    /// The devices that wrote hidden commits with changes.
    package func hiddenAuthors(in space: SpaceID) throws -> Set<DeviceID> {
        try read { database in
            let row = try row(of: space, in: database)
            let rows = try database.rows(
                """
                SELECT DISTINCT device FROM logs WHERE id IN (
                    SELECT log FROM branches WHERE space = ? AND length(operations) > 0
                    UNION SELECT log FROM commits
                        WHERE space = ? AND effective = 0 AND length(operations) > 0)
                """, [row, row])
            var devices: Set<DeviceID> = []
            for row in rows { devices.insert(try row.identifier("device")) }
            return devices
        }
    }

    /// How many commits with changes stand in branches and were not rescued by this device.
    package func quarantined(in space: SpaceID) throws -> Int {
        try read { try BranchTable.quarantined(in: try row(of: space, in: $0), $0) }
    }
}

enum HiddenTable {
    static func commit(
        _ commit: QuarantinedCommit, _ decoder: any CommitDecoding, in database: Database
    ) throws -> UnverifiedCommit {
        let table = commit.isBranch ? "branches" : "commits"
        let row = try database.row(
            "SELECT header, signature, clear, operations FROM \(table) WHERE commit_id = ?",
            [commit.id.bytes])
        guard let row else { throw StoreError.corrupt("commit \(commit.id) is not there") }
        return try row.commit(decoder)
    }

    /// Branch commits, and commits of logs that do not count; the same space three times.
    fileprivate static let select = """
        SELECT device, incarnation, sequence, clock, commit_id, previous, branch, changes,
            header, EXISTS (SELECT 1 FROM rescued
                WHERE rescued.space = ? AND rescued.commit_id = found.commit_id) AS rescued
        FROM (
            SELECT log, sequence, clock, commit_id, previous, 1 AS branch,
                length(operations) > 0 AS changes, header
            FROM branches WHERE space = ?
            UNION ALL
            SELECT log, sequence, clock, commit_id, zeroblob(32), 0, length(operations) > 0,
                zeroblob(0)
            FROM commits WHERE space = ? AND effective = 0
        ) AS found JOIN logs ON logs.id = found.log
        """
}
