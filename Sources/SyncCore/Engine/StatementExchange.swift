/// What a session carried of the acks and holdings of one space, and what is still to go out on it.
struct StatementExchange {
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

    mutating func note(_ ack: Ack) {
        guard acks[ack.device]?.counter ?? 0 <= ack.counter else { return }
        acks[ack.device] = ack
    }

    mutating func note(_ said: Holdings) {
        holdings[said.device] = max(holdings[said.device] ?? 0, said.counter)
    }

    mutating func addRelay(_ device: DeviceID, due: UInt64) {
        if !relays.contains(device) { relays.append(device) }
        relaysDue = relaysDue ?? due
    }

    mutating func nextRelay() -> DeviceID? {
        relays.isEmpty ? nil : relays.removeFirst()
    }
}

/// Bytes that statements of others may cost, so that in a trip of a thousand devices they do not
/// cost more than the edits that they are about.
struct StatementBudget {
    private var bytes = Limits.statementBurstBytes
    private var since: UInt64 = 0

    mutating func hasRoom(at now: UInt64) -> Bool {
        let gained = Int((now - min(since, now)) * UInt64(Limits.statementBytesPerSecond) / 1000)
        if gained > 0 {
            bytes = min(Limits.statementBurstBytes, bytes + gained)
            since = now
        }
        return bytes > 0
    }

    mutating func spend(_ cost: Int) { bytes -= cost }
}

/// For one space, a number that is equal on devices which know the same statements.
struct StatementSums {
    private var terms: [DeviceID: UInt64] = [:]
    private var total: UInt64 = 0
    private var revision: Int?

    mutating func set(_ device: DeviceID, ack: UInt64, holdings: UInt64, counts: Bool) {
        let message = device.bytes + bigEndian(ack) + bigEndian(holdings)
        let term = Label.statements.hash(message).bytes.prefix(8).reduce(0 as UInt64) {
            $0 << 8 | UInt64($1)
        }
        let before = terms.updateValue(term, forKey: device) ?? 0
        if counts { total = total &- before &+ term }
    }

    /// Of all members but two, who hear each other.
    mutating func sum(
        without left: [DeviceID], members: Membership
    ) -> UInt64 {
        if revision != members.revision {
            revision = members.revision
            total = terms.reduce(0) { $0 &+ (members.mayHold($1.key) ? $1.value : 0) }
        }
        return left.reduce(total) { $0 &- (members.mayHold($1) ? terms[$1] ?? 0 : 0) }
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
