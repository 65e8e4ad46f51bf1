/// One space between this device and one peer, in a session that both have it in. Each part of it
/// is a machine of its own: what the peer is sent, what came of it, what it is asked.
package struct SharedSpace: Sendable {
    let space: SpaceID
    let peer: PeerInfo
    let session: SessionID
    var knowledge = PeerKnowledge()
    package internal(set) var sending = CommitSending()
    package internal(set) var receiving = CommitReceiving()
    package internal(set) var asking = Asking()
    var branches = BranchExchange()
    var rewinds = Rewinds()
    /// How the peer says that it holds the space, which may not be here yet.
    var proof: Bytes32?
    var statements: StatementExchange
    var late = LateChecks()
    /// What both held when their digests were equal last.
    private var equalDigest: Bytes32?

    init(_ space: SpaceID, with peer: PeerInfo, on session: SessionID) {
        (self.space, self.peer, self.session) = (space, peer, session)
        statements = StatementExchange(space, with: peer, on: session)
    }

    /// What the peer is known to hold, by its own word; nil until it has said so.
    package var remote: Watermark? { knowledge.watermark }

    /// What the peer will hold once everything sent has arrived.
    var expected: Watermark {
        var result = remote ?? Watermark()
        result.merge(sending.sent)
        return result
    }

    /// Whether the peer may have the space, to read it or to carry it, by what is known here.
    func isHeld(_ own: LocalSpaces) -> Bool { own.mayHold(peer.device, space) }

    /// Whether parts of commits are missing here that the peer may have. Once it has answered to that,
    /// it sends those that it has.
    func lacksParts(_ own: LocalSpaces) -> Bool {
        own.parts(of: space, lackingFrom: peer.device).contains { log, first in
            asking.partsAnswered[log] != first
        }
    }

    // MARK: Equality

    /// The peer holds the same as this device: whatever was on its way has arrived, also when its
    /// ack has not.
    mutating func becameEqual(_ view: SpaceView) {
        // Equal as both are, it asked for what it has in part alone.
        guard !knowledge.asksAgain || !sending.isUnderWay else { return }
        knowledge.watermark = view.watermark
        equalDigest = view.digest
        asking.compared()
        sending.inFlight = []
        late.clear()
    }

    /// One digest over all that both hold was the same.
    mutating func comparedEqual(_ own: LocalSpaces) {
        guard isHeld(own), let view = own[space], !owesBranches(own), !lacksParts(own) else {
            return
        }
        becameEqual(view)
    }

    /// Whether no changes are on their way between this device and the peer, as far as both have said.
    func hasSettled(_ own: LocalSpaces) -> Bool {
        guard let mine = own[space]?.watermark else {
            // One that was accepted may be offered no more: then the peer says nothing of it.
            return !own.accepted.contains(space)
                || !asking.awaitsAnswer && asking.delivery == nil && receiving.unapplied == 0
        }
        guard !own.isTaken(space) else { return true }
        // Nobody answers or acknowledges anything to a device that may not have it any more.
        guard own.mayHold(own.device, space) else { return receiving.unapplied == 0 }
        guard !asking.awaitsAnswer, !asking.reasons.contains(.listedMore), receiving.unapplied == 0
        else { return false }
        // A peer that may not have it is sent nothing.
        guard isHeld(own) else { return true }
        guard !sending.isUnderWay else { return false }
        return remote.map { mine.without(own.later(in: space)).covers($0) } ?? true
    }

    /// Whether nothing is missing on either side, by what the peer said last.
    func isKnownEqual(_ own: LocalSpaces) -> Bool {
        guard let view = own[space] else { return !own.accepted.contains(space) }
        guard isHeld(own), !own.isTaken(space) else { return true }
        guard !lacksParts(own), var remote, !sending.isUnderWay, !asking.awaitsAnswer,
            asking.reasons.isEmpty, view.forks.isEmpty || equalDigest == view.digest
        else { return false }
        // Whatever a device wrote it holds, also before it says so.
        for (log, head) in view.watermark.heads where log.device == peer.device {
            remote.advance(log, to: head)
        }
        return remote.covers(view.watermark) && view.watermark.covers(remote)
    }

    // MARK: Time

    /// Resets what lasts for one pull: an answer that has not come by now will not come.
    mutating func beginPull() {
        asking.beginPull()
        branches.beginAnew()
    }

    func nextDeadline(_ known: Statements) -> UInt64? {
        let ownAckDue = known.isSigning(space) ? nil : statements.ownAckDue
        return [late.next, statements.relaysDue, statements.sumDue, ownAckDue, deliveryDue]
            .compactMap(\.self).min()
    }
}
