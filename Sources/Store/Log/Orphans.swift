internal import GRDB
package import SyncCore

/// A commit with changes of records that does not count.
package struct Orphan: Hashable, Sendable {
    package enum Reason: Int, Sendable {
        /// Its author had no right to it: it stands beyond a cut, or its grant became void.
        case noRight
        /// Its log forked before it.
        case branch
        /// Damage took a change from here that it builds on. It counts by itself once that one comes again.
        case gap
        /// Commits of its group are not here. It counts by itself once they come.
        case incomplete

        /// Whether it goes on from another orphan.
        var isChained: Bool { self == .branch || self == .gap }
    }

    package let id: CommitID
    package let log: LogID
    package let sequence: UInt64
    package let clock: HybridTime
    package let reason: Reason
    /// Whether this person wants to be told of it no more.
    package fileprivate(set) var isDismissed: Bool
    /// Of a branch and beyond a gap only, as what follows.
    package let previous: CommitID
    /// What its header says it had seen.
    let seen: [LogPosition]

    var isBranch: Bool { reason == .branch }
}

/// The commits of a space that do not count, and what each of them had seen.
package struct Orphans: Sendable {
    /// Those that were not recovered, in the order in which to rewrite them: each after all that it
    /// had seen.
    package private(set) var waiting: [Orphan]
    /// Commits of branches that say something of members; that is not recovered.
    package let membershipChanges: Int
    /// What is recovered under one number is taken back together; no smaller one is used any more.
    package private(set) var recovery: Int64
    /// Every commit that does not count, also those with no changes or recovered before.
    private let all: [CommitID: Orphan]
    let order: OrphanOrder
    /// By commit, the orphans that it wrote again.
    private var rewritten: [CommitID: [Orphan]] = [:]

    /// Of one device alone, if it is named.
    init(
        of row: Int64, by device: DeviceID?, _ decoder: any CommitDecoding, in database: Database
    ) throws {
        var all: [CommitID: Orphan] = [:]
        var waiting: [Orphan] = []
        let cursor = try database.rowCursor(OrphanTable.select, [row])
        while let row = try cursor.next() {
            let reason = try row.orphanReason()
            let isBranch = reason == .branch
            let orphan = Orphan(
                id: try row.identifier("commit_id"), log: try row.log(),
                sequence: try row.sequence("sequence"),
                clock: HybridTime(raw: try row.unsigned("clock")),
                reason: reason, isDismissed: try row.flag("dismissed"),
                previous: try row.identifier("previous"),
                seen: isBranch ? try decoder.header(try row.bytes("header")).seen : [])
            all[orphan.id] = orphan
            if device ?? orphan.log.device == orphan.log.device, try row.flag("waits") {
                waiting.append(orphan)
            }
        }
        try OrphanTable.eachBeyondGap(in: row, decoder, database) { orphan, waits in
            all[orphan.id] = orphan
            if waits, device ?? orphan.log.device == orphan.log.device { waiting.append(orphan) }
        }
        let facts = try database.number(
            "SELECT COUNT(*) FROM branches WHERE space = ? AND facts = 1", [row])
        let recovery = try database.number("SELECT MAX(recovery) FROM recovered") ?? 0
        self.all = all
        order = OrphanOrder(all)
        self.waiting = Orphans.byClock(waiting)
        membershipChanges = Int(facts ?? 0)
        self.recovery = max(recovery, 0) + 1
    }

    /// By clock, but each after those before it in its log: a clock that was wrong may have been set
    /// right in between.
    private static func byClock(_ orphans: [Orphan]) -> [Orphan] {
        var latest: [LogID: HybridTime] = [:]
        var moments: [CommitID: HybridTime] = [:]
        for orphan in orphans.sorted(by: { $0.sequence < $1.sequence }) {
            let moment = max(orphan.clock, latest[orphan.log] ?? orphan.clock)
            (latest[orphan.log], moments[orphan.id]) = (moment, moment)
        }
        func place(_ orphan: Orphan) -> (HybridTime, UInt64, CommitID) {
            (moments[orphan.id] ?? orphan.clock, orphan.sequence, orphan.id)
        }
        let ordered = orphans.sorted { place($0) < place($1) }
        Invariants.check(
            Dictionary(grouping: ordered, by: \.log).values.allSatisfy { log in
                zip(log, log.dropFirst()).allSatisfy { $0.sequence <= $1.sequence }
            }, "an orphan comes before one that it goes on from")
        return ordered
    }

    /// The same where more of them are dismissed.
    package func dismissing(_ isDismissed: (CommitID) -> Bool) -> Orphans {
        var orphans = self
        for (index, orphan) in waiting.enumerated() where isDismissed(orphan.id) {
            orphans.waiting[index].isDismissed = true
        }
        return orphans
    }

    /// The same without those that were written again, each with the commits that did so.
    func removing(_ rewritten: [CommitID: Set<CommitID>]) -> Orphans {
        var orphans = self
        for (id, commits) in rewritten.sorted(by: { $0.key < $1.key }) {
            guard let orphan = all[id] else { continue }
            orphans.note(orphan, rewrittenBy: commits)
        }
        orphans.waiting.removeAll { rewritten[$0.id] != nil }
        return orphans
    }

    /// The same, recovered under another number.
    func numbered(_ recovery: Int64) -> Orphans {
        var orphans = self
        orphans.recovery = recovery
        return orphans
    }

    mutating func note(_ orphan: Orphan, rewrittenBy commits: Set<CommitID>) {
        for commit in commits { rewritten[commit, default: []].append(orphan) }
    }

    /// The orphans that an effective commit wrote again.
    func rewritten(by commit: CommitID) -> [Orphan] { rewritten[commit] ?? [] }

    /// How many wait, by device and reason.
    package var counts: [OrphanCount] {
        Dictionary(grouping: waiting) { OrphanSource(device: $0.log.device, reason: $0.reason) }
            .map { source, orphans in
                OrphanCount(
                    device: source.device, reason: source.reason, waiting: orphans.count,
                    untold: orphans.count { !$0.isDismissed })
            }.sorted { ($0.device, $0.reason.rawValue) < ($1.device, $1.reason.rawValue) }
    }

    subscript(id: CommitID) -> Orphan? { all[id] }
}

/// How many orphans of one device wait for one reason.
package struct OrphanCount: Hashable, Sendable {
    package let device: DeviceID
    package let reason: Orphan.Reason
    /// Those that were not recovered.
    package let waiting: Int
    /// Those of them that were not dismissed.
    package let untold: Int

    package init(device: DeviceID, reason: Orphan.Reason, waiting: Int, untold: Int) {
        precondition(
            (0...waiting).contains(untold), "\(untold) of \(waiting) commits are to be told")
        (self.device, self.reason) = (device, reason)
        (self.waiting, self.untold) = (waiting, untold)
    }
}

private struct OrphanSource: Hashable {
    let device: DeviceID
    let reason: Orphan.Reason
}
