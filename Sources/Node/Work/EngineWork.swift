package import Encryption
package import Identity
internal import Records
package import Store
package import SyncCore
internal import Wire

/// What the engine asks for and this device writes, done at once on the caller's thread: store,
/// signatures and codecs, without queues and sockets. The agent's `AgentActions` gives each kind
/// of work its queue.
package struct EngineWork: Sendable {
    package let store: SyncStore
    let keys: DeviceKeys
    /// What spaces are sealed under.
    let epochKeys: EpochKeyRing
    /// What a space of the journal pins.
    let journal: SchemaPin
    package let clock: DeviceClock
    let codec = CommitCodec()
    package let verifier: CommitVerifier
    let signatures: any SignatureVerifying
    /// A person's name as far as it is known here.
    let names: @Sendable (PersonID) -> String
    /// The names of this device and its person, as records of a space.
    let profile: @Sendable (SpaceID) -> [RecordOperation]
    /// The card that this device shows now; nil until it belongs to a person.
    let card: @Sendable () -> UnverifiedCard?
    private let memory: WorkMemory
    /// How many bytes of commits a peer that asks gets at a time, or one commit.
    private let batchBytes: Int
    private let source: @Sendable () -> UInt64

    /// `random` gives 64 random bits at each call.
    package init(
        store: SyncStore, keys: DeviceKeys, epochKeys: EpochKeyRing, journal: SchemaPin,
        clock: DeviceClock, memory: WorkMemory, batchBytes: Int = Limits.commitBatchBytes,
        signatures: any SignatureVerifying = Ed25519Verifier(),
        names: @escaping @Sendable (PersonID) -> String,
        profile: @escaping @Sendable (SpaceID) -> [RecordOperation],
        card: @escaping @Sendable () -> UnverifiedCard?, random: @escaping @Sendable () -> UInt64
    ) {
        (self.store, self.keys, self.journal) = (store, keys, journal)
        (self.epochKeys, self.clock, self.signatures) = (epochKeys, clock, signatures)
        verifier = CommitVerifier(signatures: signatures)
        (self.memory, self.batchBytes) = (memory, batchBytes)
        (self.names, self.profile) = (names, profile)
        (self.card, source) = (card, random)
    }

    package var device: DeviceID { keys.device }
    /// The person this device belongs to now; zero until there is one.
    package var person: PersonID { card()?.links.first?.content.person ?? .zero }
    /// The other devices that it knows of.
    package var devices: PeerDevices { PeerDevices(self) }
    /// Spaces as they are given to it.
    package var offers: SpaceOffers { SpaceOffers(self) }
    /// What is known of lost devices.
    package var losses: LossBook { memory.losses }
    /// The devices that have acknowledged each space.
    var heard: HeardDevices { memory.heard }
    /// The spaces that this device takes part in, in the order of their ids: neither left nor unanswered.
    var joined: [SpaceLedger] {
        store.ledgers.values.filter { store.spaces.standing(of: $0.space) == .active }
            .sorted { $0.space < $1.space }
    }
    var notices: RightsNotices { RightsNotices(work: self) }
    /// Tells the engine of spaces.
    package var spaces: SpaceOpening { SpaceOpening(self) }
    package var members: MemberWriting { MemberWriting(self) }
    package var epochs: EpochKeeping { EpochKeeping(self) }
    package var statements: SignedStatements { SignedStatements(self) }
    var answers: AnswerKeeping { AnswerKeeping(self) }
    var forks: ForkProofs { ForkProofs(self) }
    var logs: OwnLogs { OwnLogs(self) }
    var random: HandedRandom { HandedRandom(source: source) }

    /// What came of one piece of work.
    package struct Done: Sendable {
        /// For the engine, in this order.
        package var events: [EngineEvent] = []
        /// What is to be done next, on the queue of its kind and behind what waits there.
        package var next: EngineAction?
        /// The session that asked cannot go on.
        package var closesSession = false
        /// The membership of the space has changed.
        package var membershipChanged: SpaceID?
        /// The space follows another schema.
        package var schemaChanged: SpaceID?
        /// Something was sealed in this space with a key that somebody lacks.
        package var keysWanted: SpaceID?
        /// What was applied of data sets to these spaces has changed.
        package var appliedSetsChanged: Set<SpaceID> = []
        /// Spaces in which this device itself changed its membership.
        package var rightsWritten: [SpaceID] = []
        /// Commits stored that came from a peer.
        package var received = 0
        /// The records that they are about.
        package var touched: Set<RecordKey> = []
        package var failures: [Failure] = []
        package var notes: [Note] = []

        package init(events: [EngineEvent] = []) { self.events = events }
    }

    /// Something that could not be read or written.
    package struct Failure: Sendable {
        /// For the log.
        package let what: String
        package let error: any Error
        package let isWriting: Bool
    }

    /// Something for the log.
    package enum Note: Sendable {
        case invalid(CommitID)
        /// Nobody's card was seen who could have signed it; the sender is asked for what it lacks.
        case keyless(CommitID)
        case refused(ApplyReport.Refusal)
        case tooManyOffers(DeviceID)
        /// This store was restored: writing goes on in a new log.
        case newIncarnation
        /// A log was found to have forked; this device's own goes on in a new one.
        case forked(LogID, isOwn: Bool)
        case falseProof(LogID)
        /// Another device of this person left the space: it is left here, too.
        case leftElsewhere(SpaceID)
        /// An invitation was taken back before it was answered.
        case offerTakenBack(SpaceID)
    }

    /// Does what an action of the engine asks for; nil for one that is not this type's to do.
    package func perform(_ action: EngineAction) -> Done? {
        switch action {
        case .verify(let session, let space, let commits, let pinned):
            verify(commits, of: space, from: session, pinned: pinned)
        case .apply(let space, let commits, let verdict, let session):
            apply(commits, to: space, from: session, verdict)
        case .load(let session, let space, let watermark, let cursor):
            reading("commits not read") { done in
                let loaded = try load(space, beyond: watermark, after: cursor)
                done.events.append(.loaded(session, space, loaded))
            }
        case .verifyFork(let fork, let space, let session):
            forks.apply(fork, to: space, from: session)
        case .loadForks(let session, let space, let question):
            reading("forks not read") { done in
                done.events.append(
                    .forksLoaded(session, space, try forks.load(of: space, question)))
            }
        case .acknowledge(let space, let watermark):
            saying("ack not stored", of: space) { try statements.acknowledge(space, watermark) }
        case .verifyAck(let ack, let session):
            answers.noting(
                writing("ack not stored") { $0.events += try statements.store(ack, from: session) })
        case .ownLogAhead(let space, let log, let sequence):
            writing("no new incarnation") {
                $0.notes += try logs.leave(claimed: log, upTo: sequence, in: space)
            }
        case .reportHoldings(let space):
            saying("holdings not stored", of: space) { try statements.reportHoldings(of: space) }
        case .verifyHoldings(let holdings, let session):
            writing("holdings not stored") {
                $0.events += try statements.store(holdings, from: session)
            }
        case .offer(let space, let offer, let device):
            writing("offer not kept") {
                $0.merge(try offers.receive(offer, of: space, from: device))
            }
        case .declined(let space, let grants, let device):
            writing("no not kept") { _ in
                try answers.noteNo(by: device, to: space, grants: grants)
            }
        default: nil
        }
    }

    func writing(_ what: String, _ body: (inout Done) throws -> Void) -> Done {
        var done = Done()
        done.attempt(what, isWriting: true, body)
        return done
    }

    /// A word of this device: what cannot be stored now is said later.
    private func saying(
        _ what: String, of space: SpaceID, _ body: () throws -> EngineEvent
    ) -> Done {
        var done = writing(what) { $0.events.append(try body()) }
        if !done.failures.isEmpty { done.events.append(.statementNotStored(space)) }
        return done
    }

    func reading(_ what: String, _ body: (inout Done) throws -> Void) -> Done {
        var done = Done()
        done.attempt(what, isWriting: false, body)
        done.closesSession = !done.failures.isEmpty
        return done
    }

    private func verify(
        _ commits: [UnverifiedCommit], of space: SpaceID, from session: SessionID,
        pinned: Set<CommitID>
    ) -> Done {
        let stored = store.keys
        let batch = verifier.verify(commits, keys: memory.pendingKeys.added(to: stored))
        if batch.invalid == nil { memory.pendingKeys.keep(batch.keys, beyond: stored) }
        let commits = batch.commits.map { $0.leadingToPin(ifIn: pinned) }
        var done = Done()
        done.next = .apply(space, commits, batch.verdict, from: session)
        if let commit = batch.invalid { done.notes.append(.invalid(commit)) }
        if let commit = batch.keyless { done.notes.append(.keyless(commit)) }
        return done
    }

    private func apply(
        _ commits: [VerifiedCommit], to space: SpaceID, from session: SessionID,
        _ verdict: BatchVerdict
    ) -> Done {
        var done = Done()
        let report: ApplyReport
        do {
            report = try store.log.apply(
                commits, to: space, on: device, now: clock.wall)
        } catch {
            done.failures.append(
                Failure(what: "commits not stored", error: error, isWriting: true))
            // What was committed before the failure stays; nothing is acknowledged.
            done.merge(spaces.reopen(space))
            done.closesSession = true
            return done
        }
        if let refusal = report.refusal { done.notes.append(.refused(refusal)) }
        done.received = report.stored.count
        done.touched = report.touched
        for commit in commits { clock.observe(commit.header.clock) }
        if report.hasGenesis {
            done.attempt("space not activated") { _ in try offers.activate(space) }
        }
        done.merge(tell(report, from: session, verdict))
        done.merge(forks.follow(report))
        if report.schemaChanged { done.schemaChanged = space }
        if report.hasSealed(commits) { done.keysWanted = space }
        if report.touched.contains(where: { $0.collection == Schema.AppliedSet.collection }) {
            done.appliedSetsChanged.insert(space)
        }
        if report.membershipChanged {
            done.membershipChanged = space
            done.noteStanding(of: space, after: report.stored.map(\.id), by: self)
        }
        return done
    }

    private func load(
        _ space: SpaceID, beyond watermark: Watermark, after cursor: Int64
    ) throws -> LoadedCommits {
        if let known = store.ledger(of: space)?.watermark, watermark.covers(known) {
            // Nothing is beyond it.
            return LoadedCommits(commits: [], cursor: cursor, isLast: true)
        }
        let page = try store.log.commits(
            of: space, beyond: watermark, after: cursor, byteLimit: batchBytes)
        let commits = try page.commits.map { try codec.decodeUnread($0.commit) }
        return LoadedCommits(
            commits: commits, cursor: page.next ?? page.commits.last?.place ?? cursor,
            isLast: page.next == nil)
    }
}

extension EngineWork.Done {
    /// Runs a step; a failure is noted and ends this step only.
    mutating func attempt(
        _ what: String, isWriting: Bool = true, _ body: (inout EngineWork.Done) throws -> Void
    ) {
        do {
            try body(&self)
        } catch {
            failures.append(
                EngineWork.Failure(what: what, error: error, isWriting: isWriting))
        }
    }

    /// Writes something about rights, under a key where there has to be one and it is no leave, unless the right
    /// to was taken from this device meanwhile; a failure is noted and ends this alone.
    mutating func changeRights(
        in space: SpaceID, _ failure: String, by work: EngineWork, isLeave: Bool = false,
        _ change: () throws -> EngineWork.Done
    ) {
        attempt(failure) { done in
            do {
                if !isLeave { done.merge(try work.epochs.ready(in: space)) }
                done.merge(try change())
                done.rightsWritten.append(space)
            } catch StoreError.permissionRefused {
                // Nobody is told: it was not for this device to do.
            }
        }
    }

    /// Follows up a change of membership by `stored` commits. A space that waits for an answer is closed before the
    /// engine hears of it.
    mutating func noteStanding(
        of space: SpaceID, after stored: [CommitID] = [], by work: EngineWork
    ) {
        attempt("standing not noted") {
            $0.merge(try work.offers.updateStanding(of: space, after: stored))
        }
        if work.offers.isWaiting(space) { events.insert(.spaceClosed(space), at: 0) }
    }

    package mutating func merge(_ later: EngineWork.Done) {
        events += later.events
        precondition(next == nil || later.next == nil, "one of two actions would be lost")
        next = next ?? later.next
        closesSession = closesSession || later.closesSession
        membershipChanged = membershipChanged ?? later.membershipChanged
        schemaChanged = schemaChanged ?? later.schemaChanged
        keysWanted = keysWanted ?? later.keysWanted
        appliedSetsChanged.formUnion(later.appliedSetsChanged)
        rightsWritten += later.rightsWritten
        received += later.received
        touched.formUnion(later.touched)
        failures += later.failures
        notes += later.notes
    }
}

/// A generator that is handed its bits.
struct HandedRandom: RandomNumberGenerator {
    let source: @Sendable () -> UInt64

    mutating func next() -> UInt64 { source() }
}

extension Set<DeviceID> {
    /// How long a device waits for others of these that may write the same: each has a turn.
    func secondsBefore(_ device: DeviceID) -> Int {
        let place = sorted().firstIndex(of: device) ?? 0
        return Swift.min(place, Limits.sharedWritingTurns) * Limits.sharedWritingTurnSeconds
    }
}

extension Limits {
    /// Turns that devices take with what any of them may write, and the seconds of each.
    static let sharedWritingTurns = 20
    static let sharedWritingTurnSeconds = 3
}
