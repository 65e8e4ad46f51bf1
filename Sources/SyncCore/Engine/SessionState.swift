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
    var statementsBegan: UInt64
    /// Until when something must come from the peer, once it was asked: else the connection is
    /// dead, whatever TCP still hopes for.
    var answerDue: UInt64?
    /// When something came from the peer last.
    var lastHeard: UInt64
    var lastAnnouncement: UInt64 = 0

    init(peer: PeerInfo, now: Instant) {
        self.peer = peer
        lastPull = now.monotonic
        statementsBegan = now.monotonic
        lastHeard = now.monotonic
    }

    /// When the peer is to be asked whether it is still there; nil while it is being asked.
    var questionDue: UInt64? {
        answerDue == nil ? lastHeard + Limits.quietMilliseconds : nil
    }
}
