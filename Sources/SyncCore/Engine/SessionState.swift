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
    /// Spaces whose offer was passed on since then.
    var offerCount = 0
    var offersSince: UInt64
    /// When something changed here or there since both were known to be equal.
    var changedSince: UInt64?
    /// Since when comparisons tell that one side lacks statements.
    var statementsDifferSince: UInt64?
    /// When something came from the peer last.
    var lastHeard: UInt64
    /// Commits were sent, and nothing has come since: from then on.
    var awaitedSince: UInt64?
    /// Until when something must come from the peer, once it was asked: else the connection is
    /// dead, whatever TCP still hopes for.
    var answerDue: UInt64?
    var lastAnnouncement: UInt64 = 0
    /// The devices that the peer has sessions with, of those this device may know of.
    var reach: Set<DeviceID> = []
    /// What the peer was told of whom this device reaches.
    var toldReach: Set<DeviceID> = []

    init(peer: PeerInfo, now: Instant) {
        self.peer = peer
        changedSince = now.monotonic
        lastHeard = now.monotonic
        offersSince = now.monotonic
    }
}
