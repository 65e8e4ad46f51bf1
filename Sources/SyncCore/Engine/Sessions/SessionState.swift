/// What this device knows of one session, and says and hears on it.
package struct SessionState: Sendable {
    package let id: SessionID
    let peer: PeerInfo
    /// It ended here: the peer misbehaved, or said nothing when it had to.
    private(set) var isOver = false
    package internal(set) var spaces: SharedSpaces
    /// The peer has said which spaces it holds.
    var hasListed = false
    /// A Spaces message of the peer has come since the last one this side asked for.
    var isAnswered = false
    /// When the peer was heard, and when it has to be.
    var silence: SilenceWatch
    /// When something changed here or there since both were known to be equal.
    var changedSince: UInt64?
    /// Since when comparisons tell that one side lacks statements.
    var statementsDifferSince: UInt64?
    var announcements = Announcements()
    var offers: PassedOffers
    var claims = LogClaims()
    var reach = PeerReach()

    init(id: SessionID, peer: PeerInfo, now: Instant) {
        (self.id, self.peer) = (id, peer)
        spaces = SharedSpaces(with: peer, on: id)
        changedSince = now.monotonic
        silence = SilenceWatch(now: now, hasDialed: peer.dialed)
        offers = PassedOffers(since: now.monotonic)
    }

    mutating func forget(_ space: SpaceID) {
        spaces.forget(space)
        offers.forget(space)
    }

    // MARK: Ending

    mutating func misbehaved() -> [EngineAction] { end(.misbehaved) }

    private mutating func end(_ reason: ByeReason) -> [EngineAction] {
        isOver = true
        return [.close(id, reason)]
    }

    mutating func endIfSilent(at now: Instant) -> [EngineAction] {
        silence.isOver(at: now) ? end(.silent) : []
    }
}
