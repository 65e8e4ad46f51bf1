/// What the engine knows about one session.
package struct SessionState {
    let peer: PeerInfo
    /// Spaces the peer listed: those it holds and this device may read.
    package internal(set) var spaces: [SpaceID: SharedSpace] = [:]
    /// The peer has said which spaces it holds.
    var hasListed = false
    /// A Spaces message of the peer has come since the last one this side asked for.
    var isAnswered = false
    /// Spaces whose summary is to be sent with the next announcement.
    var dueAnnouncements: Set<SpaceID> = []
    /// Logs of this device of which the peer claims to know more.
    var claimedLogs: Set<LogID> = []
    /// Spaces whose offer was passed on since the last pull.
    var offerCount = 0
    var lastPull: UInt64
    /// When the peer began to be told what everybody said of the spaces.
    var lastTold: UInt64
    /// Until when something must come from the peer, once it was asked: else the connection is
    /// dead, whatever TCP still hopes for.
    var answerDue: UInt64?
    var lastAnnouncement: UInt64 = 0

    init(peer: PeerInfo, now: Instant) {
        self.peer = peer
        lastPull = now.monotonic
        lastTold = now.monotonic
    }
}

/// One space between this device and one peer.
package struct SharedSpace {
    /// What the peer is known to hold, by its own word; nil until it has said so.
    package internal(set) var remote: Watermark?
    /// What the peer sent in this session: known to it, whatever it may read.
    var received = Watermark()
    /// Batches on their way, each the watermark that an ack must cover for it to have arrived.
    package internal(set) var inFlight: [Watermark] = []
    /// Everything sent so far, on top of `remote`.
    var sentThrough = Watermark()
    var cursor: Int64 = 0
    package internal(set) var isSending = false
    package internal(set) var isLoading = false
    /// A newer watermark came while a batch was read: what was read for the older one is dropped.
    var isLoadOutdated = false
    /// A watermark of ours is on its way to the peer and its answer is due.
    package internal(set) var awaitsWatermark = false
    /// What was here when something did not fit and the peer was asked for what comes before.
    var lastAsked: Holding?
    /// Of a received batch commits were left out, as their devices' cards were not seen.
    var lacksKeys = false
    /// Batches received and not yet applied.
    package internal(set) var unapplied = 0
    /// The offer that was passed on since the last pull.
    var offer: Offer?
    /// The peer has heard what others said of the space.
    var isTold = false
    /// Logs that this peer was asked for again, because they may have forked.
    var rewinds: [LogID: Rewind] = [:]
    /// Logs that the peer asked for again: its acks do not say that it has them.
    var rewound: Set<LogID> = []
    /// The peer has told which branches it holds, so that it got what it lacked of them.
    var hasComparedBranches = false
    /// The forked logs that the peer listed last.
    var points: [ForkPoint] = []
    /// Forked logs of which the peer sent branch commits: it may have their proofs, reader or not.
    var branchesShown: Set<LogID> = []
    /// A batch of branch commits is on its way, or being read.
    var branchesInFlight = false
    /// The peer asked meanwhile: what it lacks is looked for anew afterwards.
    var branchesWanted = false
    /// What was here, and what the peer listed, when it was asked because it listed more.
    var branchesAsked: ListedBranches?
    /// Something was learned that makes it worth asking again, whatever the peer says meanwhile.
    var mustAsk = false
    /// The peer said it holds more while batches were still coming: ask once they are applied.
    package internal(set) var isStale = false

    /// What a device holds of a space, to tell progress.
    struct Holding: Equatable {
        let watermark: Watermark
        let branches: Int
    }

    struct ListedBranches: Equatable {
        let here: [ForkPoint]
        let listed: [ForkPoint]
    }

    /// Notes that a received batch is dealt with. The space may have been closed and listed again
    /// since the batch came.
    mutating func finishBatch() {
        unapplied = max(0, unapplied - 1)
    }

    /// Nothing more is sent until the peer says what it holds.
    mutating func stopSending() {
        isSending = false
        inFlight = []
    }

    /// What the peer will hold once everything sent has arrived.
    var expected: Watermark {
        var result = remote ?? Watermark()
        result.merge(sentThrough)
        return result
    }
}
