import Node
import Store
import SyncCore
internal import TestKit
import Wire

/// Passes events to a replica's node, and carries out its decisions.
struct NodeLoop {
    let world: World

    func tell(_ event: Node.Event, _ replica: Replica) {
        guard replica.deciding.node != nil else { return }
        let actions = replica.deciding.node?.handle(event, at: replica.clock.instant) ?? []
        for action in actions where replica.isUp { perform(action, replica) }
        scheduleDuties(of: replica)
    }

    private func perform(_ action: Node.Action, _ replica: Replica) {
        switch action {
        case .trust(let keys): trust(keys, replica)
        case .callAgain:
            replica.deciding.peers.forgetRefusals()
            world.calls.learn(.trustChanged, replica)
        case .send(let message, let session): world.network.send(message, on: session, replica)
        case .end(let session): world.network.close(session, .misbehaved, replica)
        case .carryOut(let duty):
            world.timeline.after(
                world.random.below(30), .duty(replica.index, boot: replica.boot, duty))
        case .adopt(let done): world.engines.finish(done, replica)
        case .note(.failed(let what, let error)): world.machines.couldNotWrite(what, error, replica)
        case .note(.taken(let space)):
            world.report.trace.note(
                "taken", UInt64(replica.index), text: "\(replica.index) \(short(space))")
        case .note(.lost(let device)):
            world.report.trace.note(
                "lost", UInt64(replica.index), text: "\(replica.index) \(short(device))")
        case .note(.found(let device)):
            world.report.trace.note(
                "found", UInt64(replica.index), text: "\(replica.index) \(short(device))")
        // An earlier key of a person who exchanged it, or one that a hostile device had heard.
        case .note(.falseKey(let peer))
        where !world.keyTrial.keys.isEmpty || world.replica(of: peer)?.isHonest == false: break
        case .note(.falseKey(let peer)):
            world.report.fail(
                "peace", "\(replica.index) takes the key of \(short(peer)) for a false one")
        }
    }

    private func scheduleDuties(of replica: Replica) {
        guard let wait = replica.deciding.node?.nextTick(at: replica.clock.instant) else { return }
        let due = world.timeline.now + wait + 1
        guard replica.deciding.nextDuty.isToWait(until: due) else { return }
        world.timeline.add(.duties(replica.index, boot: replica.boot, due: due), at: due)
    }

    func duties(_ replica: Replica, _ due: UInt64) {
        if replica.deciding.nextDuty.rings(at: due) { tell(.tick, replica) }
    }

    func carryOut(_ duty: Node.Duty, _ replica: Replica) {
        world.encrypting.write(by: replica) { try duty.done(by: $0) }
        if case .profile(let space) = duty, NameTrial(world: world).isNamed(replica, in: space) {
            world.report.counts.deeds.insert(.naming)
        }
    }

    /// A device that is no longer trusted is told so, and its connections are closed.
    private func trust(_ keys: Set<Bytes32>, _ replica: Replica) {
        let trusted = Set(keys.map { DeviceID(sha256($0.bytes)) })
        let isLess = !replica.connections.trusted.isSubset(of: trusted)
        replica.connections.trusted = trusted
        guard isLess else { return }
        for (number, link) in world.network.links.sorted(by: { $0.key < $1.key }) {
            for end in link.ends.indices where link.ends[end].replica == replica.index {
                let other = world.replicas[link.ends[1 - end].replica].device
                guard !trusted.contains(other) else { continue }
                if link.purpose == .session, let own = link.ends[end].number {
                    world.network.close(SessionID(own), .notTrusted, replica)
                } else {
                    world.network.drop(number, tellsOther: true, at: end)
                }
            }
        }
    }
}

extension World {
    var nodes: NodeLoop { NodeLoop(world: self) }
}
