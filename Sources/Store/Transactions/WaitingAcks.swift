internal import SyncCore

/// Acks that are not in the database yet, at most one of a device in a space.
///
/// A device that receives changes all the time acks each of them, and each write would take two pages and a sync of
/// the disk, there and on every device that hears of it. A crash loses those of the last seconds: then this device
/// believes that others hold less than they do, until they say it again, and signs an ack of its own again.
struct WaitingAcks {
    private var acks: [SpaceID: [DeviceID: SignedAck]] = [:]

    var count: Int { acks.values.reduce(0) { $0 + $1.count } }

    /// In the order in which they are written.
    var all: [SignedAck] {
        acks.values.flatMap(\.values).sorted {
            ($0.said.space, $0.said.device) < ($1.said.space, $1.said.device)
        }
    }

    /// Adds an ack, if it comes after the one that waits and after `written`, the counter in the database.
    mutating func add(_ ack: SignedAck, after written: UInt64) -> Bool {
        let said = ack.said
        guard said.counter <= UInt64(Int64.max), said.counter > written, !hasOne(asLateAs: said)
        else { return false }
        acks[said.space, default: [:]][said.device] = ack
        return true
    }

    func hasOne(asLateAs said: Ack) -> Bool {
        counter(of: said.device, in: said.space).map { $0 >= said.counter } ?? false
    }

    func counter(of device: DeviceID, in space: SpaceID) -> UInt64? {
        acks[space]?[device]?.said.counter
    }

    /// These are written down; a later one of the same device waits on.
    mutating func remove(_ written: [SignedAck]) {
        for ack in written where acks[ack.said.space]?[ack.said.device] == ack {
            acks[ack.said.space]?[ack.said.device] = nil
            if acks[ack.said.space]?.isEmpty == true { acks[ack.said.space] = nil }
        }
        Invariants.check(
            written.allSatisfy { acks[$0.said.space]?[$0.said.device] != $0 },
            "an ack that is written down waits on")
    }

    /// What the database has of a space, with the later acks that wait, in the order of the devices.
    func merged(with written: [SignedAck], of space: SpaceID) -> [SignedAck] {
        guard let waiting = acks[space] else { return written }
        var latest = written.reduce(into: [DeviceID: SignedAck]()) { $0[$1.said.device] = $1 }
        latest.merge(waiting) { $0.said.counter < $1.said.counter ? $1 : $0 }
        precondition(
            waiting.values.allSatisfy { $0.said.space == space },
            "an ack of another space waits in \(space)")
        return latest.sorted { $0.key < $1.key }.map(\.value)
    }
}
