/// One space between this device and one peer, in a session that both have it in. Each part of it
/// is a machine of its own: what the peer is sent, what came of it, what it is asked.
package struct SharedSpace {
    var peer = PeerKnowledge()
    package internal(set) var sending = CommitSending()
    package internal(set) var receiving = CommitReceiving()
    package internal(set) var asking = Asking()
    var branches = BranchExchange()
    /// Logs that this peer was asked for again, because they may have forked.
    var rewinds: [LogID: Rewind] = [:]
    /// The offer that was passed on a while ago at most.
    var offer: Offer?
    /// How the peer says that it holds the space, which may not be here yet.
    var proof: Bytes32?
    /// The peer was told what this device holds, and what others do.
    var hasHeardStatements = false
    var statements = StatementExchange()
    var late = LateChecks()
    /// What both held when their digests were equal last.
    private(set) var equalDigest: Bytes32?

    /// What the peer is known to hold, by its own word; nil until it has said so.
    package var remote: Watermark? { peer.watermark }

    /// What the peer will hold once everything sent has arrived.
    var expected: Watermark {
        var result = peer.watermark ?? Watermark()
        result.merge(sending.sent)
        return result
    }

    /// The peer said what it holds, and what it wants again all the same: sending begins anew.
    mutating func take(
        _ watermark: Watermark, again: [LogAgain], holdingHere known: Watermark
    ) {
        peer.take(watermark, again: again)
        late.clear()
        sending.restart(hasMore: peer.watermark?.covers(known) != true)
    }

    /// The peer holds the same as this device: whatever was on its way has arrived, also when its
    /// ack has not.
    mutating func becameEqual(_ view: SpaceView) {
        // Equal as both are, it asked for what it has in part alone.
        guard !peer.asksAgain || !sending.isUnderWay else { return }
        peer.watermark = view.watermark
        equalDigest = view.digest
        asking.reasons.remove(.peerHasMore)
        sending.inFlight = []
        late.clear()
    }

    /// What begins anew with every pull: an answer that did not come by then does not come.
    mutating func beginPull() {
        asking.beginPull()
        branches.beginAnew()
    }

    /// Forgets what lies beyond forks that were found.
    mutating func limit(by forks: [LogID: ForkedLog], news: Set<LogID>) {
        peer.limit(by: forks)
        sending.limit(by: forks)
        for log in news { rewinds[log] = nil }
        branches.hasCompared = false
    }
}

/// What is known of what a peer holds of a space.
struct PeerKnowledge {
    /// By its own word; nil until it has said so.
    var watermark: Watermark?
    /// What it sent in this session: known to it, whatever it may read.
    private(set) var received = Watermark()
    /// Logs that it asked for again: its acks do not say that it has them.
    private(set) var askedAgain: Set<LogID> = []

    /// Whether it last asked for something again.
    var asksAgain: Bool { !askedAgain.isEmpty }

    mutating func take(_ watermark: Watermark, again: [LogAgain]) {
        var asked = watermark
        for log in again { asked.rewind(log.log, to: log.after) }
        self.watermark = asked
        askedAgain = Set(again.map(\.log))
    }

    /// Whoever sends commits has them.
    mutating func noteSender(of commits: [UnverifiedCommit], knowing forks: [LogID: ForkedLog]) {
        var known = watermark ?? Watermark()
        for commit in commits {
            let head = LogHead(sequence: commit.header.sequence, commit: commit.id)
            known.advance(commit.header.log, to: head)
            received.advance(commit.header.log, to: head)
        }
        watermark = known.limited(by: forks)
        received = received.limited(by: forks)
    }

    /// Takes an ack's word, of logs that are here only: one of invented logs must not fill the
    /// memory.
    mutating func acknowledge(
        _ acknowledged: Watermark, ofLogsIn known: Watermark, knowing forks: [LogID: ForkedLog]
    ) {
        var result = watermark ?? Watermark()
        for (log, head) in acknowledged.heads
        where known.heads[log] != nil && !askedAgain.contains(log) {
            result.advance(log, to: head)
        }
        watermark = result.limited(by: forks)
    }

    mutating func limit(by forks: [LogID: ForkedLog]) {
        watermark = watermark?.limited(by: forks)
        received = received.limited(by: forks)
    }
}

/// The commits that a peer lacks, read from the log in storing order, and own ones pushed at once.
package struct CommitSending {
    enum State {
        /// There is nothing more to read.
        case idle
        /// There is more after this place; it is read when the window has room.
        case waiting(after: Int64)
        /// With `goesOn` something was stored meanwhile that the batch may not have.
        case reading(goesOn: Bool)
        /// A newer watermark came while a batch was read: what was read for the older one is
        /// dropped.
        case readingOutdated(hasMore: Bool)
    }

    private(set) var state = State.idle
    /// Batches on their way, each the watermark that an ack must cover for it to have arrived.
    package internal(set) var inFlight: [Watermark] = []
    /// Everything sent since the peer last said what it holds.
    private(set) var sent = Watermark()

    /// Whether there is more to read, or being read.
    package var hasMore: Bool {
        switch state {
        case .idle: false
        case .waiting, .reading: true
        case .readingOutdated(let hasMore): hasMore
        }
    }

    package var isReading: Bool {
        switch state {
        case .reading, .readingOutdated: true
        case .idle, .waiting: false
        }
    }

    /// Whether commits may be pushed without reading the log.
    var takesPush: Bool { !hasMore && inFlight.count < Limits.pushesInFlight }

    /// The log is to be read for what the peer lacks.
    mutating func goOn() {
        switch state {
        case .idle: state = .waiting(after: 0)
        case .waiting: break
        case .reading: state = .reading(goesOn: true)
        case .readingOutdated: state = .readingOutdated(hasMore: true)
        }
    }

    /// What was passed over because somebody else should bring it is to be read once more.
    mutating func lookAgain() {
        state = isReading ? .readingOutdated(hasMore: true) : .waiting(after: 0)
    }

    /// Whether something has still to arrive at the peer.
    var isUnderWay: Bool { hasMore || !inFlight.isEmpty }

    /// Begins anew for a peer that said what it holds.
    mutating func restart(hasMore: Bool) {
        inFlight = []
        sent = Watermark()
        if isReading {
            state = .readingOutdated(hasMore: hasMore)
        } else {
            state = hasMore ? .waiting(after: 0) : .idle
        }
    }

    /// The place to read on from, when there is more and the window of unacknowledged batches has
    /// room.
    mutating func beginReading() -> Int64? {
        guard case .waiting(let place) = state, inFlight.count < Limits.commitBatchesInFlight
        else { return nil }
        state = .reading(goesOn: false)
        return place
    }

    /// A batch was read; false when it is of no use any more.
    mutating func finishReading(_ loaded: LoadedCommits) -> Bool {
        switch state {
        case .idle, .waiting: return false
        case .reading(let goesOn):
            state = loaded.isLast && !goesOn ? .idle : .waiting(after: loaded.cursor)
            return true
        case .readingOutdated(let hasMore):
            state = hasMore ? .waiting(after: 0) : .idle
            return false
        }
    }

    /// Nothing more is sent until the peer says what it holds.
    mutating func stop() {
        state = .idle
        inFlight = []
    }

    /// Notes a batch as sent.
    mutating func send(_ commits: [UnverifiedCommit]) {
        let positions = commits.map { commit in
            LogPosition(
                log: commit.header.log,
                head: LogHead(sequence: commit.header.sequence, commit: commit.id))
        }
        let batch = Watermark(positions)
        inFlight.append(batch)
        sent.merge(batch)
    }

    mutating func acknowledge(_ watermark: Watermark) {
        inFlight.removeAll { watermark.covers($0) }
    }

    mutating func limit(by forks: [LogID: ForkedLog]) {
        sent = sent.limited(by: forks)
        inFlight = inFlight.map { $0.limited(by: forks) }.filter { !$0.isEmpty }
    }
}

/// Batches of commits that came from a peer.
package struct CommitReceiving {
    /// Batches not yet applied.
    package internal(set) var unapplied = 0
    /// Of a received batch commits were left out, as their devices' cards were not seen.
    var lacksKeys = false
    /// Since when commits of the peer do not fit, as something before them was left out, on the
    /// monotonic clock; nil once all that it sent is here.
    private(set) var gapSince: UInt64?

    /// A proof of the peer could not be stored: what comes after the fork does not fit for that.
    var lacksProof = false {
        didSet { if lacksProof { closeGap() } }
    }

    /// Something that the peer sent does not fit.
    mutating func noteGap(at now: UInt64) {
        if !lacksProof { gapSince = gapSince ?? now }
    }

    mutating func closeGap() { gapSince = nil }

    /// Notes that a received batch is dealt with. The space may have been closed and listed again
    /// since the batch came.
    mutating func finishBatch() {
        unapplied = max(0, unapplied - 1)
    }
}

/// The question what a peer holds more: this device's watermark, answered with the peer's.
package struct Asking {
    /// Why the peer is to be asked once all that came of it is applied.
    package struct Reasons: OptionSet, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// It said that it holds more. What it says next makes that moot.
        package static let peerHasMore = Reasons(rawValue: 1)
        /// Something was learned that makes it worth asking again, whatever it says meanwhile.
        package static let learnedMore = Reasons(rawValue: 2)
    }

    /// What a device holds of a space, to tell progress.
    struct Holding: Equatable {
        let watermark: Watermark
        let branches: Int
    }

    /// The question is on its way to the peer and its answer is due.
    package private(set) var awaitsAnswer = false
    package internal(set) var reasons: Reasons = []
    /// What was here when something did not fit and the peer was asked for what comes before.
    var lastAsked: Holding?

    mutating func ask() {
        awaitsAnswer = true
        reasons.remove(.learnedMore)
    }

    mutating func heardWatermark() {
        awaitsAnswer = false
    }

    mutating func beginPull() {
        awaitsAnswer = false
        lastAsked = nil
    }
}

/// Branches of forked logs, which both sides tell each other of beside the log.
struct BranchExchange {
    enum State: Equatable {
        case idle
        /// A batch is on its way, or being read. With `again` the peer asked meanwhile: what it
        /// lacks is looked for anew afterwards.
        case sending(again: Bool)
    }

    struct Listed: Equatable {
        let here: [ForkPoint]
        let byPeer: [ForkPoint]
    }

    private(set) var state = State.idle
    /// Sending ended before all was sent: the peer's next word on its branches begins it again, whether
    /// it asks or answers.
    private(set) var isOwed = false
    /// The peer has told which branches it holds, so that it got what it lacked of them.
    var hasCompared = false
    /// The forked logs that the peer listed last.
    var listed: [ForkPoint] = []
    /// Forked logs of which the peer sent branch commits: it may have their proofs, reader or not.
    var shown: Set<LogID> = []
    /// What was here, and what the peer listed, when it was asked because it listed more.
    var lastAsked: Listed?

    /// Whether what the peer lacks is to be read now: one batch at a time is on its way, and the next
    /// is asked for with the place that the last one reached.
    mutating func begin(goesOn: Bool) -> Bool {
        isOwed = false
        if case .sending = state, !goesOn {
            state = .sending(again: true)
            return false
        }
        if state == .idle { state = .sending(again: false) }
        return true
    }

    /// The peer holds what is here.
    mutating func becameEqual() {
        state = .idle
        isOwed = false
    }

    /// With a pull: what is on its way may not come, and what was to be looked for is forgotten.
    mutating func beginAnew() {
        if state != .idle { (isOwed, hasCompared) = (true, false) }
        state = .idle
    }

    /// Nothing more was found; whether it is to be looked for anew.
    mutating func finish() -> Bool {
        let again = state == .sending(again: true)
        state = again ? .sending(again: false) : .idle
        return again
    }
}
