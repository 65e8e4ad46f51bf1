/// What applying a batch of commits did: the store makes it, and the engine is told of it. What it says of
/// the store is durable.
package struct ApplyReport: Sendable {
    package let space: SpaceID
    /// The space afterwards. Nil without its genesis.
    package var view: SpaceView?
    /// Commits stored now, in order and as they came, for pushing on; those known before are left out.
    package var stored: [UnverifiedCommit] = []
    /// How many of them count.
    package var effective = 0
    package var membershipChanged = false
    package var schemaChanged = false
    /// Commits stored before that became, or ceased to be, effective.
    package var reevaluated = 0
    /// Commits stored before whose sealed operations could be opened now.
    package var opened = 0
    /// Devices of which commits stored before count as written at another time now.
    package var redated: Set<DeviceID> = []
    /// Records whose state was written.
    package var touched: Set<RecordKey> = []
    /// The first commit of each log that was not stored for another reason than being known, and
    /// why. After misbehaviour nothing was looked at any more.
    package var refusals: [Refusal] = []
    /// From the store: the blobs that effective commits name now and that are not here. For the engine: those that
    /// this device fetches.
    package var needs: [BlobNeed] = []
    package var found = ForkFindings()
    /// How the batch turned out before it came to the store.
    package var verdict = BatchVerdict.sound
    /// What an offer says from now on; nil: the same as before.
    package var offered: OfferedSpace?

    package struct Refusal: Hashable, Sendable {
        package let commit: CommitID
        package let log: LogID
        package let reason: SpaceLedger.Refusal

        package init(_ commit: VerifiedCommit, _ reason: SpaceLedger.Refusal) {
            self.commit = commit.id
            self.log = commit.header.log
            self.reason = reason
        }
    }

    package init(space: SpaceID, view: SpaceView? = nil) {
        (self.space, self.view) = (space, view)
    }

    package var watermark: Watermark { view?.watermark ?? Watermark() }
    package var membership: Membership? { view?.membership }
    package var forks: [LogID: ForkedLog] { view?.forks ?? [:] }

    /// The refusal that matters most: misbehaviour, or else the first.
    package var refusal: Refusal? {
        refusals.first { $0.reason.isMisbehaviour } ?? refusals.first
    }

    /// Whether the sender of the batch broke the protocol.
    var isMisbehaviour: Bool {
        verdict == .broken || refusals.contains { $0.reason.isMisbehaviour }
    }

    func isRefused(for reason: SpaceLedger.Refusal) -> Bool {
        refusals.contains { $0.reason == reason }
    }

    package mutating func need(_ named: [NamedBlob]) {
        needs += named.map { BlobNeed($0, in: space) }
    }

    /// Takes in what the next turn did.
    package mutating func merge(_ later: ApplyReport) {
        precondition(later.space == space, "\(space) takes in what was done to \(later.space)")
        view = later.view ?? view
        stored += later.stored
        Invariants.check(
            Set(stored.map(\.id)).count == stored.count, "a commit is stored twice")
        effective += later.effective
        precondition(effective <= stored.count, "more commits count than were stored")
        membershipChanged = membershipChanged || later.membershipChanged
        schemaChanged = schemaChanged || later.schemaChanged
        reevaluated += later.reevaluated
        opened += later.opened
        redated.formUnion(later.redated)
        needs += later.needs
        touched.formUnion(later.touched)
        for refusal in later.refusals { note(refusal) }
        found.merge(later.found)
    }

    /// Keeps a refusal, the first of each log, and which log it puts under suspicion.
    package mutating func note(_ refusal: Refusal) {
        if case .suspected(let log, let sequence) = refusal.reason {
            found.suspect(log, at: sequence)
        }
        guard !refusals.contains(where: { $0.log == refusal.log }) || refusal.reason.isMisbehaviour
        else { return }
        refusals.append(refusal)
    }
}

/// What a batch of commits showed of forked logs.
package struct ForkFindings: Sendable {
    /// Logs of which an earlier fork was found.
    package var newForks: Set<LogID> = []
    /// Commits of branches stored now.
    package var branched = 0
    /// The last commit of a branch that came, be it known already.
    package var lastBranch: BranchPlace?
    /// Logs that may have forked, each with the position at which something did not fit.
    package private(set) var suspected: [LogID: UInt64] = [:]

    package init() {}

    /// Puts a log under suspicion; of several positions in one log the first counts.
    package mutating func suspect(_ log: LogID, at sequence: UInt64) {
        suspected[log] = suspected[log] ?? sequence
    }

    package mutating func merge(_ later: ForkFindings) {
        newForks.formUnion(later.newForks)
        branched += later.branched
        lastBranch = later.lastBranch ?? lastBranch
        suspected.merge(later.suspected) { first, _ in first }
    }
}
