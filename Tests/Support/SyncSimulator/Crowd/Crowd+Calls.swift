import LocalAPI
import Node
import SyncCore
internal import TestKit

/// Discovery and dialling: the product's ``Dialing`` decides.
extension Crowd {
    // MARK: Discovery

    /// A starting device announces itself, and hears of the others.
    func announce(_ device: CrowdDevice) {
        learn(.announced(as: device.instance.name), device, boot: device.calls.boot)
        for other in near(device) {
            hear(of: device, other)
            hear(of: other, device)
        }
    }

    private func near(_ device: CrowdDevice) -> [CrowdDevice] {
        devices.filter { $0.isUp && $0.side == device.side && $0.index != device.index }
    }

    /// Answers arrive quickly, in a random order so that not all are sent together.
    private func hear(of one: CrowdDevice, _ listener: CrowdDevice) {
        queue.add(
            .found(listener.index, boot: listener.calls.boot, one.instance),
            at: now + 20 + random.below(200))
    }

    /// A leaving device says so, or the others notice after a while.
    func withdraw(_ device: CrowdDevice) {
        miss(device, near(device))
    }

    private func miss(_ one: CrowdDevice, _ listeners: [CrowdDevice]) {
        for listener in listeners {
            queue.add(
                .lost(listener.index, boot: listener.calls.boot, one.instance.name),
                at: now + random.below(4_000))
        }
    }

    /// A device notices that the network split or is whole again.
    func networkChanged(_ device: CrowdDevice) {
        for other in near(device)
        where device.calls.dialing.plan.instances[other.instance.name] == nil {
            hear(of: other, device)
        }
        for other in devices where other.isUp && other.side != device.side { miss(other, [device]) }
        learn(.networkChanged, device, boot: device.calls.boot)
    }

    // MARK: Calls

    /// Passes an event to a device's dialling; several events at once cause one look around.
    func learn(_ event: Dialing.Event, _ device: CrowdDevice, boot: Int) {
        guard device.isUp, device.calls.boot == boot else { return }
        device.calls.dialing.note(event, at: now)
        dialSoon(device, within: UInt64(Limits.announcementsMilliseconds))
    }

    /// Tells it which devices it needs: with few devices all are dialled anyway.
    func need(_ event: Dialing.Event, _ device: CrowdDevice) {
        device.calls.dialing.note(event, at: now)
        guard device.calls.dialing.plan.isChoosing else { return }
        dialSoon(device, within: 0)
    }

    private func dialSoon(_ device: CrowdDevice, within milliseconds: UInt64) {
        let due = now + milliseconds
        guard device.calls.next.isToWait(until: due) else { return }
        queue.add(.dial(device.index, due: due), at: due)
    }

    func dial(_ device: CrowdDevice, _ due: UInt64) {
        guard device.isUp, device.calls.next.rings(at: due) else { return }
        let facts = Dialing.Facts(
            device: device.device, siblings: [], addresses: [:], sessions: dialed(device),
            refusing: [])
        for action in device.calls.dialing.look(facts, at: now) {
            switch action {
            case .call(let call):
                queue.add(
                    .call(device.index, boot: device.calls.boot, call),
                    at: now + 2 + random.below(10))
            case .letGo(let other):
                let number = device.sessions.values.sorted().first {
                    end(of: $0, beyond: device)?.device == other
                }
                guard let number else { continue }
                links[number]?.isLetGo = true
                close(number, toldTo: .enough)
            }
        }
        guard let next = device.calls.dialing.nextLook(after: now) else { return }
        dialSoon(device, within: next - min(now, next) + 10)
    }

    private func end(of link: Int, beyond device: CrowdDevice) -> CrowdDevice? {
        links[link]?.ends.first { $0.device != device.index }.map { devices[$0.device] }
    }

    /// For each device with a session, whether this one dialled.
    private func dialed(_ device: CrowdDevice) -> [DeviceID: Bool] {
        var found: [DeviceID: Bool] = [:]
        for (session, number) in device.sessions {
            guard let other = end(of: number, beyond: device)?.device else { continue }
            let isDialed = links[number]?.ends[0].session == session
            found[other] = found[other] == true || isDialed
        }
        return found
    }

    func make(_ call: DialPlan.Call, _ device: CrowdDevice) {
        guard device.isUp, let index = call.addresses.first.flatMap({ Int($0.host) }) else {
            return
        }
        let other = devices[index]
        guard other.isUp, other.side == device.side else {
            return learn(.ended(call.target, .failed(.noAnswer)), device, boot: device.calls.boot)
        }
        learn(.reached(call.target, other.device), device, boot: device.calls.boot)
        guard !device.calls.dialing.isOver(call, reaching: other.device) else {
            return learn(.ended(call.target, .useful), device, boot: device.calls.boot)
        }
        connect(device.index, index, for: call.target)
    }

    /// A session ended: the dialling side is told its result.
    func callEnded(_ link: Link) {
        let isUseful =
            link.isLetGo || now >= link.openedAt + Limits.usefulSessionMilliseconds
        let dialer = devices[link.ends[0].device]
        learn(
            .ended(link.target, isUseful ? .useful : .failed(.endedAtOnce)), dialer,
            boot: dialer.calls.boot)
        let called = devices[link.ends[1].device]
        if called.isUp { dialSoon(called, within: UInt64(Limits.announcementsMilliseconds)) }
    }
}
