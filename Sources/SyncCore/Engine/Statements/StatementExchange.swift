/// The acks and holdings of one space on one session: what it carried, and what is still to be sent.
struct StatementExchange: Sendable {
    let space: SpaceID
    let peer: PeerInfo
    let session: SessionID
    /// The peer was told what this device holds, and what others do.
    var isTold = false
    /// The latest ack of each device that went over this session, in either direction: what a
    /// difference builds on.
    private(set) var acks: [DeviceID: Ack] = [:]
    /// The same of holdings: their counters.
    private(set) var holdings: [DeviceID: UInt64] = [:]
    /// When the peer is to hear what this device holds.
    var ownAckDue: UInt64?
    /// Devices that the peer does not hear itself and whose news it is to be told, the one that
    /// waits longest first.
    private(set) var relays: [DeviceID] = []
    var relaysDue: UInt64?
    /// When the peer is to be told the sum of what is known here, as it may lack something.
    var sumDue: UInt64?
    /// What the peer said last of the sum that it knows, where that was another one than here.
    var otherSum: UInt64?
    /// Since when it tells another one.
    var differsSince: UInt64?

    init(_ space: SpaceID, with peer: PeerInfo, on session: SessionID) {
        (self.space, self.peer, self.session) = (space, peer, session)
    }

    /// Whether the peer may have the space, and so hear who holds it.
    func isHeld(_ own: LocalSpaces) -> Bool { own.mayHold(peer.device, space) }

    mutating func note(_ ack: Ack) {
        guard acks[ack.device]?.counter ?? 0 <= ack.counter else { return }
        acks[ack.device] = ack
    }

    mutating func note(_ said: Holdings) {
        holdings[said.device] = max(holdings[said.device] ?? 0, said.counter)
    }

    /// When the peer is to hear at the latest what this device holds.
    mutating func dueOwnAck(at due: UInt64) { ownAckDue = min(ownAckDue ?? due, due) }

    /// The peer told its sum. Where it is another one, this device tells its own in turn, a moment
    /// later; where they still differ then, the peer is asked for what it knows better.
    mutating func hear(_ sum: UInt64, mine: UInt64, at now: Instant) {
        if sum == mine {
            (otherSum, differsSince) = (nil, nil)
        } else if let since = differsSince,
            now.monotonic >= since + Limits.settlingMilliseconds
        {
            otherSum = sum
        } else {
            differsSince = differsSince ?? now.monotonic
            sumDue = sumDue ?? now.monotonic + Limits.settlingMilliseconds
        }
        precondition(
            otherSum == nil || differsSince != nil,
            "a peer is asked that was not told the own sum before")
    }

    /// The peer was asked for what it knows better, all of it.
    mutating func compared() { (otherSum, differsSince) = (nil, nil) }

    mutating func addRelay(_ device: DeviceID, due: UInt64) {
        if !relays.contains(device) { relays.append(device) }
        relaysDue = relaysDue ?? due
    }

    func areRelaysDue(at now: Instant) -> Bool {
        precondition(
            relays.isEmpty || relaysDue != nil, "news of \(relays.count) devices is never told")
        return relaysDue.map { $0 <= now.monotonic } ?? false
    }

    mutating func nextRelay() -> DeviceID? {
        relays.isEmpty ? nil : relays.removeFirst()
    }
}

extension Membership {
    /// Whether a device may have the space today, to read it or to carry it.
    func mayHold(_ device: DeviceID) -> Bool { permissions(of: device).mayHold }
}

extension Limits {
    // MARK: Statements

    /// Own acks are collected for this long before those hear them who wait for nothing.
    package static let ackMilliseconds: UInt64 = 200
    /// The same with acks and holdings of others.
    package static let relayMilliseconds: UInt64 = 250
    /// Below so many other neighbours of a device each tells it what comes from far.
    package static let fewNeighbours = 3
    /// When a neighbour is asked to compare what it knows of devices further away.
    package static let sumMilliseconds: UInt64 = 10_000
    /// What acks and holdings of others may cost a device at once: those of two dozen, several times.
    package static let statementBurstBytes = 12 << 10
    /// And for as long as there are more of them.
    package static let statementBytesPerSecond = 512
    /// How long relaying waits when that is used up.
    package static let statementPauseMilliseconds: UInt64 = 1_000
    /// Devices whose statements are compared or sent in one step.
    package static let heardEntries = 64
    /// How long a step may take before another neighbour is asked.
    package static let heardMilliseconds: UInt64 = 10_000
}
