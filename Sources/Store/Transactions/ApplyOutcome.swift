package import SyncCore

/// What applying commits did. Everything in it is durable.
package struct ApplyOutcome: Sendable {
    package let space: SpaceID
    /// The space's ledger afterwards: watermark, membership, schema. Nil without its genesis.
    package internal(set) var ledger: SpaceLedger?
    /// Commits stored now, in order; those known before are left out.
    package internal(set) var stored: [CommitID] = []
    /// How many of them count.
    package internal(set) var effective = 0
    package internal(set) var membershipChanged = false
    package internal(set) var schemaChanged = false
    /// Commits among those stored now pin a schema.
    var hasPins = false
    /// Commits stored before that became, or ceased to be, effective.
    package internal(set) var reevaluated = 0
    /// Commits stored before whose sealed operations could be opened now.
    package internal(set) var opened = 0
    /// Devices of which commits stored before count as written at another time now.
    package internal(set) var redated: Set<DeviceID> = []
    /// Blobs that effective commits name now and that are not here.
    package internal(set) var missingBlobs: [NamedBlob] = []
    /// Records whose state was written.
    package internal(set) var touched: Set<RecordKey> = []
    /// The first commit of each log that was not stored for another reason than being known, and
    /// why. After misbehaviour nothing was looked at any more.
    package internal(set) var refusals: [Refusal] = []

    package internal(set) var found = ForkFindings()
    /// Records whose commits became a branch: to be rebuilt.
    var displaced: Set<RecordKey> = []

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

    /// The refusal that matters most: misbehaviour, or else the first.
    package var refusal: Refusal? {
        refusals.first { $0.reason.isMisbehaviour } ?? refusals.first
    }

    package var watermark: Watermark { ledger?.watermark ?? Watermark() }
    package var membership: Membership? { ledger?.membership }

    /// Takes in what the next turn did.
    mutating func merge(_ later: ApplyOutcome) {
        precondition(later.space == space, "\(space) takes in what was done to \(later.space)")
        ledger = later.ledger ?? ledger
        stored += later.stored
        Invariants.check(Set(stored).count == stored.count, "a commit is stored twice")
        effective += later.effective
        precondition(effective <= stored.count, "more commits count than were stored")
        membershipChanged = membershipChanged || later.membershipChanged
        schemaChanged = schemaChanged || later.schemaChanged
        reevaluated += later.reevaluated
        opened += later.opened
        redated.formUnion(later.redated)
        missingBlobs += later.missingBlobs
        touched.formUnion(later.touched)
        for refusal in later.refusals { note(refusal) }
        found.merge(later.found)
    }

    /// Looks at which records were written, of which some had no row before, by collection.
    func check(inserted: [CollectionName: Int]) {
        Invariants.check(
            inserted.values.reduce(0, +) <= touched.count,
            "more records are new than were written")
        Invariants.check(
            touched.isSuperset(of: displaced), "what a branch wrote to is not made again")
    }

    /// Keeps a refusal, the first of each log, and which log it puts under suspicion.
    mutating func note(_ refusal: Refusal) {
        if case .suspected(let log, let sequence) = refusal.reason {
            found.suspect(log, at: sequence)
        }
        guard !refusals.contains(where: { $0.log == refusal.log }) || refusal.reason.isMisbehaviour
        else { return }
        refusals.append(refusal)
    }
}
