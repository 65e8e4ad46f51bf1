/// What changed in a device's ack since an earlier one that the receiver has. The signature is over
/// the whole ack, whose bytes follow from its value.
package struct AckDifference: Hashable, Sendable {
    package enum Subject: Hashable, Sendable {
        /// A log of the earlier ack, by its place among the positions there.
        case place(Int)
        case log(LogID)
    }

    package struct Change: Hashable, Sendable {
        package var subject: Subject
        /// Nil: the log is no longer listed.
        package var head: LogHead?

        package init(subject: Subject, head: LogHead?) {
            self.subject = subject
            self.head = head
        }
    }

    package var space: SpaceID
    /// Nil: the sender.
    package var device: DeviceID?
    /// The counter of the earlier ack.
    package var base: UInt64
    package var counter: UInt64
    package var changes: [Change]
    package var signature: [UInt8]

    package init(
        space: SpaceID, device: DeviceID?, base: UInt64, counter: UInt64, changes: [Change],
        signature: [UInt8]
    ) {
        self.space = space
        self.device = device
        self.base = base
        self.counter = counter
        self.changes = changes
        self.signature = signature
    }

    /// Nil when the whole ack is not larger.
    package init?(_ ack: UnverifiedAck, since base: Ack, device: DeviceID?) {
        precondition(
            base.space == ack.said.space && base.device == ack.said.device
                && base.counter < ack.said.counter,
            "ack \(ack.said.counter) does not come after \(base.counter) of the same device")
        let (said, before) = (ack.said.watermark.heads, base.watermark.heads)
        var changed = Set(said.filter { before[$0.key] != $0.value }.keys)
        changed.formUnion(before.keys.filter { said[$0] == nil })
        guard changed.count * 2 <= said.count + 1 else { return nil }
        var places: [LogID: Int] = [:]
        if !changed.isDisjoint(with: before.keys) {
            for (place, position) in base.watermark.positions.enumerated() {
                places[position.log] = place
            }
        }
        let changes = changed.sorted().map { log in
            Change(subject: places[log].map { .place($0) } ?? .log(log), head: said[log])
        }
        self.init(
            space: ack.said.space, device: device, base: base.counter, counter: ack.said.counter,
            changes: changes, signature: ack.signature)
        Invariants.check(
            self.ack(after: base)?.said.watermark == ack.said.watermark,
            "a difference gives another ack than the one that it is of")
    }

    /// The whole ack, its bytes still to be made; nil when it does not go with this earlier one.
    func ack(after base: Ack) -> UnverifiedAck? {
        guard base.counter == self.base, base.space == space else { return nil }
        let positions = base.watermark.positions
        var watermark = base.watermark
        for change in changes {
            switch change.subject {
            case .place(let place):
                guard positions.indices.contains(place) else { return nil }
                watermark.cut(positions[place].log, to: change.head)
            case .log(let log): watermark.cut(log, to: change.head)
            }
        }
        let ack = Ack(space: space, device: base.device, counter: counter, watermark: watermark)
        return UnverifiedAck(ack, bytes: [], signature: signature)
    }
}

/// The latest statements that a device has of others, for a range of device ids: it wants newer ones.
package struct Heard: Hashable, Sendable {
    package struct Entry: Hashable, Sendable {
        package var device: DeviceID
        /// Counters; 0 for none.
        package var ack: UInt64
        package var holdings: UInt64

        package init(device: DeviceID, ack: UInt64, holdings: UInt64) {
            self.device = device
            self.ack = ack
            self.holdings = holdings
        }
    }

    package var space: SpaceID
    /// Devices after this one; nil: from the first.
    package var after: DeviceID?
    /// Up to and with this one; nil: to the last.
    package var through: DeviceID?
    package var entries: [Entry]
    /// All of that range has been sent.
    package var answer: Bool
    /// In place of a range: the sum of what the sender knows, which is to be compared.
    package var sum: UInt64?

    package init(
        space: SpaceID, after: DeviceID? = nil, through: DeviceID? = nil, entries: [Entry] = [],
        answer: Bool = false, sum: UInt64? = nil
    ) {
        self.space = space
        self.after = after
        self.through = through
        self.entries = entries
        self.answer = answer
        self.sum = sum
    }

    func spans(_ device: DeviceID) -> Bool {
        (after.map { $0 < device } ?? true) && (through.map { device <= $0 } ?? true)
    }
}

/// One digest for all spaces that both sides hold, in place of a list of them.
package struct Comparison: Hashable, Sendable {
    package var digest: Bytes32
    package var statements: UInt64
    package var answer: Bool

    package init(digest: Bytes32, statements: UInt64, answer: Bool) {
        self.digest = digest
        self.statements = statements
        self.answer = answer
    }
}
