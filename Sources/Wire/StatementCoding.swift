internal import FoundationEssentials
internal import SwiftProtobuf
internal import SyncCore

/// Acks and holdings of others: differences, and what is known of them.
extension Peersync_V1_AckDifference {
    init(_ difference: AckDifference) {
        self.init()
        spaceID = Data(difference.space.bytes)
        if let device = difference.device { self.device = Data(device.bytes) }
        base = difference.base
        counter = difference.counter
        changes = difference.changes.map(Peersync_V1_PositionChange.init)
        signature = Data(difference.signature)
    }

    func decoded() throws(WireError) -> AckDifference {
        AckDifference(
            space: try spaceID.identifier("ack_difference.space_id"),
            device: device.isEmpty ? nil : try device.identifier("ack_difference.device"),
            base: try base.storable("ack_difference.base"),
            counter: try counter.storable("ack_difference.counter"),
            changes: try changes.atMost(Limits.listEntries, "ack_difference.changes").map {
                change throws(WireError) in try change.decoded()
            },
            signature: try signature.signature("ack_difference.signature"))
    }
}

extension Peersync_V1_PositionChange {
    fileprivate init(_ change: AckDifference.Change) {
        self.init()
        switch change.subject {
        case .place(let place): self.place = UInt32(place + 1)
        case .log(let log):
            device = Data(log.device.bytes)
            incarnation = Data(log.incarnation.bytes)
        }
        if let head = change.head {
            sequence = head.sequence
            self.head = Data(head.commit.bytes)
        }
    }

    fileprivate func decoded() throws(WireError) -> AckDifference.Change {
        let subject: AckDifference.Subject
        if place > 0 {
            subject = .place(Int(place) - 1)
        } else {
            subject = .log(
                LogID(
                    device: try device.identifier("position_change.device"),
                    incarnation: try incarnation.bytes16("position_change.incarnation")))
        }
        guard sequence > 0 else { return AckDifference.Change(subject: subject, head: nil) }
        return AckDifference.Change(
            subject: subject,
            head: LogHead(
                sequence: try sequence.sequence("position_change.sequence"),
                commit: try head.identifier("position_change.head")))
    }
}

extension Peersync_V1_Heard {
    init(_ heard: Heard) {
        self.init()
        spaceID = Data(heard.space.bytes)
        if let after = heard.after { self.after = Data(after.bytes) }
        if let through = heard.through { self.through = Data(through.bytes) }
        devices = heard.entries.map { entry in
            var encoded = Peersync_V1_HeardFrom()
            encoded.device = Data(entry.device.bytes)
            encoded.ack = entry.ack
            encoded.holdings = entry.holdings
            return encoded
        }
        answer = heard.answer
        if let sum = heard.sum { self.sum = sum }
    }

    func decoded() throws(WireError) -> Heard {
        Heard(
            space: try spaceID.identifier("heard.space_id"),
            after: after.isEmpty ? nil : try after.identifier("heard.after"),
            through: through.isEmpty ? nil : try through.identifier("heard.through"),
            entries: try devices.atMost(Limits.heardEntries, "heard.devices").map {
                entry throws(WireError) in
                Heard.Entry(
                    device: try entry.device.identifier("heard_from.device"),
                    ack: try entry.ack.storable("heard_from.ack"),
                    holdings: try entry.holdings.storable("heard_from.holdings"))
            }, answer: answer, sum: hasSum ? sum : nil)
    }
}

extension Array where Element == Data {
    func devices(_ field: String) throws(WireError) -> [DeviceID] {
        try atMost(Limits.reachedDevices, field).map {
            device throws(WireError) in try device.identifier(field)
        }
    }
}
