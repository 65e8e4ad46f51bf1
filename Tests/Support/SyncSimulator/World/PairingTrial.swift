import Node
import Store
import SyncCore
internal import TestKit

/// The results of pairing, and of using a recovery key.
struct PairingTrial {
    let world: World

    /// Two people pair their devices. If the connection is lost at the last message, one of the two
    /// has stored it and the other has not.
    func pair(_ host: Replica, _ joiner: Replica) {
        guard !host.paired.contains(joiner.index) else { return }
        let last = world.random.below(10)
        if last != 0 { pair(host, with: joiner, isHost: true) }
        if last != 1 { pair(joiner, with: host, isHost: false) }
    }

    private func pair(_ replica: Replica, with other: Replica, isHost: Bool) {
        do {
            try store(in: replica, other)
            replica.paired.insert(other.index)
            world.report.counts.deeds.insert(.pairing)
            world.report.trace.note(
                "pair", UInt64(replica.index), text: "\(replica.index) \(other.index)")
            let isMine = isHost && replica.member.person == other.member.person
            world.nodes.tell(.paired(other.device, other.member.person, isMine: isMine), replica)
        } catch {
            world.machines.couldNotWrite("pairs with nobody", error, replica)
        }
    }

    func store(in replica: Replica, _ other: Replica) throws {
        try replica.store?.devices.storePairing(
            StoredDevice(card: other.member.card, pairedAt: replica.clock.wall),
            addresses: [
                DeviceAddress(
                    host: other.place.host, port: other.place.port, source: .remembered)
            ])
    }

    /// A device's person types their recovery key: all connected devices write down its grants. The
    /// key may have been exchanged since.
    func recover(_ replica: Replica) {
        let known = [replica.member.personKey] + (world.keyTrial.keys[replica.member.person] ?? [])
        guard let key = world.random.pick(known) else { return }
        world.report.counts.deeds.insert(.recovery)
        world.nodes.tell(.recoveryBegan(key), replica)
        world.timeline.after(
            5_000 + world.random.below(10_000), .recovered(replica.index, boot: replica.boot))
    }

    func endRecovery(_ replica: Replica) {
        let found = replica.deciding.node?.endRegaining() ?? []
        world.report.trace.note(
            "recovered", UInt64(found.count), text: "\(replica.index) \(found.count)")
    }
}
