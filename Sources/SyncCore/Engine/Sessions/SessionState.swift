/// What this device knows of one session, and says and hears on it.
package struct SessionState: Sendable {
    package let id: SessionID
    let peer: PeerInfo
    /// It ended here: the peer misbehaved, or said nothing when it had to.
    private(set) var isOver = false
    /// Spaces the peer listed: those it holds and this device may read.
    package private(set) var spaces: [SpaceID: SharedSpace] = [:]
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
    /// Logs of this device of which the peer claims to know more.
    var claimedLogs: Set<LogID> = []
    /// The devices that the peer has sessions with, of those this device may know of.
    private(set) var reach: Set<DeviceID> = []
    /// What the peer was told of whom this device reaches.
    private var toldReach: Set<DeviceID> = []

    init(id: SessionID, peer: PeerInfo, now: Instant) {
        (self.id, self.peer) = (id, peer)
        changedSince = now.monotonic
        silence = SilenceWatch(now: now, hasDialed: peer.dialed)
        offers = PassedOffers(since: now.monotonic)
    }

    // MARK: Spaces

    mutating func forget(_ space: SpaceID) {
        spaces[space] = nil
        offers.forget(space)
    }

    /// Takes a step with what is shared of a space; nothing where the peer did not list it.
    mutating func step(
        in space: SpaceID, _ step: (inout SharedSpace) -> [EngineAction]
    ) -> [EngineAction] {
        change(space, step) ?? []
    }

    @discardableResult
    mutating func change<Result, Failure>(
        _ space: SpaceID, _ change: (inout SharedSpace) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        guard let index = spaces.index(forKey: space) else { return nil }
        let result = try change(&spaces.values[index])
        Invariants.check(spaces.values[index], of: space, in: self)
        return result
    }

    /// The same where it is to be shared from now on, if it was not yet.
    mutating func share<Result, Failure>(
        _ space: SpaceID, _ change: (inout SharedSpace) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try change(&spaces[space, default: SharedSpace(space, with: peer, on: id)])
    }

    mutating func changeEachSpace(_ change: (inout SharedSpace) -> Void) {
        spaces.changeValues(change)
    }

    mutating func eachSpace(
        _ step: (inout SharedSpace) -> [EngineAction]
    ) -> [EngineAction] {
        spaces.keys.sorted().flatMap { self.step(in: $0, step) }
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

    // MARK: Reach

    mutating func tell(reach: Set<DeviceID>) -> [EngineAction] {
        let added = reach.subtracting(toldReach).sorted()
        let removed = toldReach.subtracting(reach).sorted()
        toldReach = reach
        guard !added.isEmpty || !removed.isEmpty else { return [] }
        return [.send(id, .reach(added: added, removed: removed))]
    }

    mutating func hear(added: [DeviceID], removed: [DeviceID], by device: DeviceID) {
        reach.subtract(removed)
        // Beyond the limit it only hears twice what somebody else brings.
        let room = max(0, Limits.reachedDevices - reach.count)
        reach.formUnion(added.filter { $0 != device }.prefix(room))
        precondition(reach.count <= Limits.reachedDevices, "\(reach.count) devices are reached")
    }
}

extension Invariants {
    /// What is shared is of one space, peer and session, and its machines agree with each other.
    fileprivate static func check(
        _ shared: SharedSpace, of space: SpaceID, in state: SessionState
    ) {
        precondition(
            shared.space == space && shared.session == state.id
                && shared.peer.device == state.peer.device,
            "what is shared of \(shared.space) is taken for \(space)")
        precondition(
            state.isOver || shared.receiving.unapplied <= Limits.commitBatchesUnapplied,
            "\(shared.receiving.unapplied) batches wait to be applied")
        precondition(
            shared.receiving.gapSince == nil || !shared.receiving.lacksProof,
            "a gap is told that a proof not stored explains")
        precondition(
            !shared.branches.isOwed || shared.branches.state == .idle,
            "branches are sent, and owed at once")
        Invariants.check(
            shared.rewinds.values.allSatisfy(\.isCoherent),
            "a log is asked for again from another place")
        Invariants.check(
            !shared.statements.relays.contains(state.peer.device),
            "a peer is to be told what it said")
        Invariants.check(
            shared.statements.acks.allSatisfy { $0 == $1.device && $1.space == space },
            "an ack is noted in another space, or of another device")
    }
}

/// A peer broke the protocol: its session ends.
struct Misbehaviour: Error {}
