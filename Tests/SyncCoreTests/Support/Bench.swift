import SyncCore
import TestKit

/// One engine that holds one space, and the peers a test plays itself.
struct Bench {
    let own = TestDevice(1, person: 1)
    let friend = TestDevice(2, person: 2)
    let stranger = TestDevice(3, person: 3)
    var engine: Engine
    /// What this device holds.
    var store = MemoryStore()
    /// What the friend holds.
    var friendStore = MemoryStore()
    let space: SpaceID
    let root: FactReference
    private(set) var friendGrant = FactReference.none
    var now: UInt64 = 1_000
    private var clock: UInt64 = 10

    init() {
        engine = Engine(device: own.id, person: own.person)
        let genesis = TestCommit.genesis(own)
        space = genesis.space
        root = FactReference(commit: genesis.id, index: 0)
        _ = store.apply([genesis])
        let grant = MembershipFact.grant(friend.grant(from: root, .all))
        if let commit = store.append(in: own.log, clock: 9, TestDraft(facts: [grant])) {
            friendGrant = FactReference(commit: commit.id, index: 0)
        }
        _ = friendStore.apply(store.commits)
        handle(.spaceOpened(view))
        handle(.tick)
        handle(.holdingsSigned(.none(in: space, of: own.id)))
    }

    var membership: Membership { store.ledger?.membership ?? Membership() }

    var view: SpaceView {
        SpaceView(
            space: space, role: .shared, watermark: store.watermark, membership: membership)
    }

    @discardableResult
    mutating func handle(_ event: EngineEvent) -> [EngineAction] {
        engine.handle(event, at: Instant(now))
    }

    @discardableResult
    mutating func open(
        _ number: UInt64, with device: TestDevice, dialed: Bool = true
    ) -> [EngineAction] {
        handle(
            .sessionOpened(
                SessionID(number),
                PeerInfo(device: device.id, person: device.person, dialed: dialed)))
    }

    @discardableResult
    mutating func receive(_ message: PeerMessage, on number: UInt64 = 1) -> [EngineAction] {
        handle(.received(SessionID(number), message))
    }

    /// A session with the friend, who holds the same.
    mutating func meet() {
        open(1, with: friend)
        receive(.spaces([summary(of: friendStore)], answer: true))
    }

    func summary(of store: MemoryStore) -> SpaceSummary {
        SpaceSummary(
            space: space, digest: store.watermark.digest(),
            proof: view.proof(by: friend.id, to: own.id))
    }

    /// Writes here, under the own grant; the report is for the test to hand in.
    mutating func write(_ draft: TestDraft = TestDraft()) -> (
        commit: UnverifiedCommit?, report: ApplyReport
    ) {
        clock += 1
        let commit = store.append(in: own.log, clock: clock, draft)
        return (commit?.commit, report(stored: commit.map { [$0] } ?? []))
    }

    /// Takes a grant away from here on, as ``write(_:)`` does.
    mutating func revoke(_ grant: FactReference) -> (
        commit: UnverifiedCommit?, report: ApplyReport
    ) {
        let revocation = Revocation(
            grant: grant, remaining: [], cut: store.watermark, scope: .device, cascade: .none)
        return write(TestDraft(facts: [.revocation(revocation)]))
    }

    struct NotWritten: Error {}

    /// The friend writes, for itself.
    @discardableResult
    mutating func friendWrites(_ draft: TestDraft = TestDraft()) throws -> VerifiedCommit {
        clock += 1
        guard let commit = friendStore.append(in: friend.log, clock: clock, draft) else {
            throw NotWritten()
        }
        return commit
    }

    /// Stores what the engine asked to store, as the shell does.
    mutating func apply(
        _ commits: [VerifiedCommit], _ verdict: BatchVerdict = .sound, from number: UInt64 = 1
    ) -> [EngineAction] {
        var report = store.apply(commits)
        report.verdict = verdict
        return handle(.applied(report, from: SessionID(number)))
    }

    func report(
        stored: [VerifiedCommit] = [], after: Watermark? = nil,
        refusals: [SpaceLedger.Refusal] = []
    ) -> ApplyReport {
        ApplyReport(
            space: space, after: after ?? store.watermark, membership, stored: stored,
            refusals: refusals.map { ApplyReport.Refusal(store.commits[0], $0) })
    }

    /// What is known of the space after its first commit.
    func genesisAlone() throws -> Watermark {
        guard let first = store.commits.first else { throw NotWritten() }
        var known = store.watermark
        known.cut(own.log, to: LogHead(sequence: 1, commit: first.id))
        return known
    }

    /// For how many milliseconds a peer has left something out.
    func gap(_ number: UInt64 = 1) -> UInt64 {
        engine.gap(on: SessionID(number), at: Instant(now))
    }

    func ack(
        _ watermark: Watermark, by device: TestDevice, counter: UInt64 = 1
    ) -> UnverifiedAck {
        UnverifiedAck(
            Ack(space: space, device: device.id, counter: counter, watermark: watermark),
            bytes: [], signature: [])
    }

    func shared(_ number: UInt64 = 1) -> SharedSpace? {
        engine.sessions[SessionID(number)]?.spaces[space]
    }
}

extension [EngineAction] {
    /// Messages sent on a session.
    func messages(on number: UInt64 = 1) -> [PeerMessage] {
        compactMap { action in
            if case .send(SessionID(number), let message) = action { message } else { nil }
        }
    }

    /// Watermarks sent on a session.
    func watermarks(on number: UInt64 = 1) -> [Watermark] {
        messages(on: number).compactMap { message in
            if case .watermark(_, let watermark, _, _) = message { watermark } else { nil }
        }
    }

    /// Logs that a session asks for again.
    func askedAgain(on number: UInt64 = 1) -> [LogAgain] {
        messages(on: number).flatMap { message -> [LogAgain] in
            if case .watermark(_, _, let forks, false) = message { forks.again } else { [] }
        }
    }

    /// Offers in lists of spaces.
    var offers: [Offer] {
        messages().flatMap { message -> [Offer] in
            if case .spaces(let summaries, _) = message {
                summaries.compactMap(\.offer)
            } else {
                []
            }
        }
    }

    func comparisons(on number: UInt64 = 1) -> [Comparison] {
        messages(on: number).compactMap { message in
            if case .comparison(let comparison) = message { comparison } else { nil }
        }
    }

    func holdings(on number: UInt64 = 1) -> [UnverifiedHoldings] {
        messages(on: number).compactMap { message in
            if case .holdings(let holdings) = message { holdings } else { nil }
        }
    }

    func commits(on number: UInt64 = 1) -> [UnverifiedCommit] {
        messages(on: number).flatMap { message -> [UnverifiedCommit] in
            if case .commits(_, let commits, _) = message { commits } else { [] }
        }
    }

    var loads: [(beyond: Watermark, after: Int64)] {
        compactMap { action in
            if case .load(_, _, let beyond, let after) = action { (beyond, after) } else { nil }
        }
    }

    var closed: [SessionID: ByeReason] {
        reduce(into: [:]) { closed, action in
            if case .close(let session, let reason) = action { closed[session] = reason }
        }
    }

    /// Batches of commits to be verified, by their ids.
    var verified: [[CommitID]] {
        compactMap { action in
            if case .verify(_, _, let commits, _) = action { commits.map(\.id) } else { nil }
        }
    }

    var acknowledges: Int {
        count { if case .acknowledge = $0 { true } else { false } }
    }

    var isVerifyingAck: Bool {
        contains { if case .verifyAck = $0 { true } else { false } }
    }

    var isVerifyingHoldings: Bool {
        contains { if case .verifyHoldings = $0 { true } else { false } }
    }

    var finishedSyncs: [SyncRequestID] {
        compactMap { if case .syncFinished(let request) = $0 { request } else { nil } }
    }
}
