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
        precondition(bytes <= Limits.statementBurstBytes, "\(bytes) bytes may be spent at once")
        return bytes > 0
    }

    mutating func spend(_ cost: Int) {
        precondition(cost >= 0, "a statement of \(cost) bytes gives room")
        bytes -= cost
    }
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

    /// To be called when the space is closed: while it is, nobody is known who may hold it.
    mutating func outdate() { revision = nil }

    private func sum(over members: Membership) -> UInt64 {
        terms.reduce(0) { $0 &+ (members.mayHold($1.key) ? $1.value : 0) }
    }

    /// Of all members but two, who hear each other.
    mutating func sum(
        without left: [DeviceID], members: Membership
    ) -> UInt64 {
        if revision != members.revision {
            revision = members.revision
            total = sum(over: members)
        }
        Invariants.check(total == sum(over: members), "a sum is not that of what devices said")
        return left.reduce(total) { $0 &- (members.mayHold($1) ? terms[$1] ?? 0 : 0) }
    }
}

extension EngineAction {
    /// About how many bytes a statement costs on the network.
    var statementCost: Int {
        switch self {
        case .send(_, .ack(let ack)): 180 + 92 * ack.said.watermark.heads.count
        case .send(_, .ackDifference(let difference)): 180 + 45 * difference.changes.count
        case .send(_, .holdings(let said)): 230 + 34 * said.said.missing.count
        default: 0
        }
    }
}
