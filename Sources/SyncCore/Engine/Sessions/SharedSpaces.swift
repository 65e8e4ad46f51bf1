/// What is shared with one peer: the spaces that it listed, which it holds and this device may read.
package struct SharedSpaces: Sendable {
    private let peer: PeerInfo
    private let session: SessionID
    private var all: [SpaceID: SharedSpace] = [:]

    init(with peer: PeerInfo, on session: SessionID) {
        (self.peer, self.session) = (peer, session)
    }

    package subscript(space: SpaceID) -> SharedSpace? { all[space] }
    package var keys: some Collection<SpaceID> { all.keys }
    package var values: some Collection<SharedSpace> { all.values }
    package var count: Int { all.count }
    package var isEmpty: Bool { all.isEmpty }

    mutating func forget(_ space: SpaceID) { all[space] = nil }

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
        guard let index = all.index(forKey: space) else { return nil }
        let result = try change(&all.values[index])
        Invariants.check(all.values[index], of: space, with: peer, on: session)
        return result
    }

    /// The same where it is to be shared from now on, if it was not yet.
    mutating func share<Result, Failure>(
        _ space: SpaceID, _ change: (inout SharedSpace) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try change(&all[space, default: SharedSpace(space, with: peer, on: session)])
    }

    mutating func changeEach(_ change: (inout SharedSpace) -> Void) {
        all.changeValues(change)
    }

    mutating func each(_ step: (inout SharedSpace) -> [EngineAction]) -> [EngineAction] {
        all.keys.sorted().flatMap { self.step(in: $0, step) }
    }
}

extension Invariants {
    /// What is shared is of one space, peer and session, and its machines agree with each other.
    fileprivate static func check(
        _ shared: SharedSpace, of space: SpaceID, with peer: PeerInfo, on session: SessionID
    ) {
        precondition(
            shared.space == space && shared.session == session
                && shared.peer.device == peer.device,
            "what is shared of \(shared.space) is taken for \(space)")
        precondition(
            shared.receiving.gapSince == nil || !shared.receiving.lacksProof,
            "a gap is told that a proof not stored explains")
        precondition(
            !shared.branches.isOwed || shared.branches.state == .idle,
            "branches are sent, and owed at once")
        Invariants.check(
            !shared.asking.awaitsAnswer || shared.asking.delivery == nil,
            "a peer is waited for that has to answer first")
        Invariants.check(
            (0...Limits.commitBatchesUnapplied).contains(shared.receiving.unapplied),
            "\(shared.receiving.unapplied) batches wait to be applied")
        Invariants.check(
            shared.remote != nil || !shared.sending.isUnderWay && !shared.sending.isReading,
            "a peer is sent commits that has not said what it holds")
        Invariants.check(
            shared.remote != nil || shared.late.isEmpty,
            "commits are to come to a peer that has not said what it holds")
        Invariants.check(
            shared.rewinds.areCoherent, "a log is asked for again from another place")
        Invariants.check(
            shared.rewinds.areUntouched,
            "a log came again before it was asked for")
        Invariants.check(
            shared.sending.inFlight.allSatisfy { !$0.isEmpty },
            "an ack is waited for that is about nothing")
        Invariants.check(
            Set(shared.statements.relays).count == shared.statements.relays.count,
            "a peer is to be told twice of what one device said")
        Invariants.check(
            !shared.statements.relays.contains(peer.device),
            "a peer is to be told what it said")
        Invariants.check(
            shared.statements.acks.allSatisfy { $0 == $1.device && $1.space == space },
            "an ack is noted in another space, or of another device")
    }
}
