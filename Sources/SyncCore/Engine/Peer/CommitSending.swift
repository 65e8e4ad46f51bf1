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

    package init() {}

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

    /// Starts again for a peer that said what it holds.
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
            Invariants.check(
                Limits.commitBatchesInFlight > inFlight.count,
                "a batch was read while the window was full")
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
    package mutating func send(_ commits: [UnverifiedCommit]) {
        let positions = commits.map { commit in
            LogPosition(
                log: commit.header.log,
                head: LogHead(sequence: commit.header.sequence, commit: commit.id))
        }
        precondition(!positions.isEmpty, "an empty batch would never be acknowledged")
        let batch = Watermark(positions)
        inFlight.append(batch)
        sent.merge(batch)
        precondition(
            inFlight.count <= max(Limits.commitBatchesInFlight, Limits.pushesInFlight),
            "\(inFlight.count) batches are on their way")
        Invariants.check(inFlight.allSatisfy(sent.covers), "more is on its way than was sent")
    }

    mutating func acknowledge(_ watermark: Watermark) {
        inFlight.removeAll { watermark.covers($0) }
    }

    mutating func limit(by forks: [LogID: ForkedLog]) {
        sent = sent.limited(by: forks)
        inFlight = inFlight.map { $0.limited(by: forks) }.filter { !$0.isEmpty }
        Invariants.check(
            inFlight.allSatisfy(sent.covers), "a fork leaves more on its way than was sent")
    }
}
