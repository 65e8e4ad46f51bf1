import LocalAPI
import Node
import Store
import SyncCore
internal import TestKit
import Wire

/// Discovery and dialling: a replica's ``Dialing`` receives its discoveries, and its calls are
/// carried out.
struct SimulatedCalls {
    private let world: World

    init(_ world: World) { self.world = world }

    // MARK: Discovery

    /// A starting replica announces itself, and hears of the others.
    func announce(_ replica: Replica) {
        learn(.announced(as: replica.instance.name), replica)
        for other in world.replicas where other.index != replica.index && other.isUp {
            hear(of: replica, other)
            hear(of: other, replica)
        }
    }

    private func hear(of one: Replica, _ listener: Replica) {
        guard !world.network.isBlocked(one, listener) else { return }
        world.timeline.after(
            50 + world.random.below(1_500),
            .found(listener.index, boot: listener.boot, one.instance))
    }

    /// A leaving replica says so, or the others notice after a while.
    func withdraw(_ replica: Replica) {
        let name = replica.instance.name
        for other in world.replicas where other.index != replica.index && other.isUp {
            world.timeline.after(
                world.random.below(4_000), .lost(other.index, boot: other.boot, name))
        }
    }

    /// The replica's computer notices that the network is whole again.
    func networkReturned(_ replica: Replica) {
        for other in world.replicas where other.index != replica.index && other.isUp {
            hear(of: other, replica)
        }
        learn(.networkChanged, replica)
    }

    // MARK: Calls

    /// Passes an event to the replica's dialling, and lets it look around soon.
    func learn(_ event: Dialing.Event, _ replica: Replica) {
        replica.deciding.dialing.note(event, at: replica.clock.instant.monotonic)
        dialSoon(replica, within: world.random.below(20))
    }

    /// Tells it which replicas it needs: with few replicas all are dialled anyway.
    func need(_ event: Dialing.Event, _ replica: Replica) {
        replica.deciding.dialing.note(event, at: replica.clock.instant.monotonic)
        guard replica.deciding.dialing.plan.isChoosing else { return }
        dialSoon(replica, within: world.random.below(20))
    }

    private func dialSoon(_ replica: Replica, within milliseconds: UInt64) {
        let due = world.timeline.now + milliseconds
        guard replica.deciding.nextDial.isToWait(until: due) else { return }
        world.timeline.add(.dial(replica.index, boot: replica.boot, due: due), at: due)
    }

    func dial(_ replica: Replica, _ due: UInt64) {
        guard replica.deciding.nextDial.rings(at: due), let work = replica.work,
            let node = replica.deciding.node
        else { return }
        let facts: Dialing.Facts
        do {
            facts = try work.devices.facts(
                trusting: node.trusted, sessions: sessions(of: replica),
                refusing: replica.deciding.peers.refusing)
        } catch {
            return world.report.fail(
                "durability", "\(replica.index) does not read its store: \(error)")
        }
        let now = replica.clock.instant.monotonic
        for action in replica.deciding.dialing.look(facts, at: now) {
            switch action {
            case .call(let call):
                world.timeline.after(
                    1 + world.random.below(world.schedule.latency + 5),
                    .call(replica.index, boot: replica.boot, call))
            case .letGo(let device):
                let session = replica.connections.sessions.first {
                    other(of: $0.value)?.device == device
                }
                guard let session else { continue }
                world.network.letGo(SessionID(session.key), replica)
            }
        }
        guard let next = replica.deciding.dialing.nextLook(after: now) else { return }
        dialSoon(replica, within: next - min(now, next) + 10)
    }

    private func other(of place: (link: Int, end: Int)) -> Replica? {
        world.network.links[place.link].map { world.replicas[$0.ends[1 - place.end].replica] }
    }

    /// For each device, whether the replica dialled.
    private func sessions(of replica: Replica) -> [DeviceID: Bool] {
        replica.connections.sessions.values.reduce(into: [:]) { found, place in
            guard let device = other(of: place)?.device else { return }
            found[device] = found[device] == true || place.end == 0
        }
    }

    /// A call arrives at its target.
    func make(_ call: DialPlan.Call, _ replica: Replica) {
        let target = call.target
        guard let index = call.addresses.first.flatMap({ Int($0.host) }) else { return }
        let other = world.replicas[index]
        guard other.isUp, !world.network.isBlocked(replica, other) else {
            return world.timeline.after(
                world.random.below(5_000), .callFailed(replica.index, boot: replica.boot, target))
        }
        guard replica.connections.trusted.contains(other.device) else {
            return learn(.ended(target, target.isDevice ? .failed(.otherKey) : .stranger), replica)
        }
        guard other.connections.trusted.contains(replica.device) else {
            return learn(.ended(target, .failed(.hungUp)), replica)
        }
        learn(.reached(target, other.device), replica)
        guard sessions(of: replica)[other.device] == nil,
            !replica.deciding.dialing.isOver(call, reaching: other.device)
        else {
            return learn(.ended(target, .useful), replica)
        }
        world.network.connect(replica, other, .session, for: target)
    }

    /// A session, or an attempt at one, ended.
    func callEnded(_ link: Link, _ end: Int, _ replica: Replica) {
        if end == 0, let call = link.call {
            let isUseful =
                link.isLetGo || world.timeline.now >= call.at + Limits.usefulSessionMilliseconds
            learn(.ended(call.target, isUseful ? .useful : .failed(.endedAtOnce)), replica)
        }
        // The caller may be out of reach now, and be dialled at its former address.
        dialSoon(replica, within: world.random.below(20))
    }
}

extension World {
    var calls: SimulatedCalls { SimulatedCalls(self) }
}

extension Replica {
    var place: HostPort { HostPort(host: "\(index)", port: 1) }

    fileprivate var instance: DiscoveredInstance {
        DiscoveredInstance(
            name: "instance-\(index)-\(boot)", addresses: [place], protocolVersion: 1,
            nameplate: nil)
    }
}
