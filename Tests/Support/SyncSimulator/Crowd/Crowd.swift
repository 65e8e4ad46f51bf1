import Node
import SyncCore
internal import TestKit
import Wire

/// Many devices in one trip on one network: the product's engine and dialling, with delays and
/// losses from one seed. Storage and signatures are simulated.
package final class Crowd {
    enum Event {
        case arrival(link: Int, end: Int, PeerMessage?)
        case tick(Int, due: UInt64)
        case done(Int, EngineAction)
        /// A device hears that another one announces itself, or is gone.
        case found(Int, boot: Int, DiscoveredInstance)
        case lost(Int, boot: Int, String)
        /// A device checks which connections it should have.
        case dial(Int, due: UInt64)
        case call(Int, boot: Int, DialPlan.Call)
    }

    struct Link {
        struct End {
            let device: Int
            let session: SessionID
            var lastArrival: UInt64 = 0
        }

        /// `ends[0]` dialled.
        var ends: [End]
        let target: DialPlan.Target
        let openedAt: UInt64
        var isOpen = true
        /// The dialling side has enough other sessions.
        var isLetGo = false
    }

    let founding: CrowdFounding
    let devices: [CrowdDevice]
    var links: [Int: Link] = [:]
    package private(set) var now: UInt64 = 1_000
    var random: SeededGenerator
    var queue = EventQueue<Event>()
    private var lastLink = 0
    private var lastSession: UInt64 = 0
    /// Violations of the rules, in words.
    package internal(set) var violations: [String] = []

    package init(size: Int, seed: UInt64) {
        founding = CrowdFounding(size: size, seed: seed)
        random = SeededGenerator(seed: seed)
        let founding = founding
        devices = (0..<size).map { index in
            CrowdDevice(
                index: index, card: founding.cards[index], log: founding.logs[index],
                ledger: founding.ledger)
        }
    }

    var space: SpaceID { founding.ledger.space }

    // MARK: Devices

    /// Switches a device on: it starts with its stored data.
    package func start(_ index: Int) {
        let device = devices[index]
        guard !device.isUp else { return }
        device.begin()
        post(.spaceOpened(device.view), to: device)
        announce(device)
    }

    /// Switches it off without a goodbye; the others notice through the network.
    package func stop(_ index: Int) {
        let device = devices[index]
        device.isUp = false
        (device.nextTick, device.calls.next) = (Alarm(), Alarm())
        withdraw(device)
        for link in Set(device.sessions.values).sorted() { close(link, toldTo: nil) }
        device.sessions = [:]
    }

    /// Splits the network: devices on different sides cannot reach each other.
    package func part(_ side: (Int) -> Int) {
        for device in devices { device.side = side(device.index) }
        for (number, link) in links.sorted(by: { $0.key < $1.key }) where link.isOpen {
            let sides = Set(link.ends.map { devices[$0.device].side })
            if sides.count > 1 { close(number, toldTo: nil) }
        }
        for device in devices where device.isUp { networkChanged(device) }
    }

    /// Writes a commit; its id.
    @discardableResult
    func write(_ index: Int) -> CommitID {
        let device = devices[index]
        let commit = CrowdFounding.edit(
            in: device.log, of: device.ledger, under: founding.grants[index], clock: now << 16)
        let report = device.apply([commit])
        device.copies[commit.id] = 0
        if report.stored.isEmpty { violations.append("\(index) cannot write") }
        post(.applied(report, from: nil), to: device)
        return commit.id
    }

    // MARK: Connections

    func connect(_ one: Int, _ other: Int, for target: DialPlan.Target) {
        lastLink += 1
        let ends = [one, other].map { index in
            lastSession += 1
            return Link.End(device: index, session: SessionID(lastSession))
        }
        let number = lastLink
        links[number] = Link(ends: ends, target: target, openedAt: now)
        // One end may have another session with the other one, and close this one at once.
        for end in [0, 1] where links[number] != nil {
            let device = devices[ends[end].device]
            device.sessions[ends[end].session] = number
            let other = devices[ends[1 - end].device]
            post(
                .sessionOpened(
                    ends[end].session,
                    PeerInfo(device: other.device, person: other.card.person, dialed: end == 0)),
                to: device)
        }
    }

    /// Ends a connection; what was on its way is lost.
    func close(_ number: Int, toldTo reason: ByeReason?) {
        guard let link = links.removeValue(forKey: number), link.isOpen else { return }
        if reason == .misbehaved { violations.append("\(link.ends.map(\.device)) accused") }
        for end in link.ends {
            let device = devices[end.device]
            device.sessions[end.session] = nil
            if device.isUp { post(.sessionClosed(end.session), to: device) }
        }
        callEnded(link)
    }

    private func send(_ message: PeerMessage, on session: SessionID, from device: CrowdDevice) {
        guard let number = device.sessions[session], let link = links[number],
            let end = link.ends.firstIndex(where: { $0.session == session })
        else { return }
        device.sent.messages += 1
        device.sent.bytes += Self.networkBytes(of: MessageCodec().encode(message).count)
        let due = max(link.ends[1 - end].lastArrival, now + 1 + random.below(4))
        links[number]?.ends[1 - end].lastArrival = due
        queue.add(.arrival(link: number, end: 1 - end, message), at: due)
    }

    /// The bytes on the network for a message of this size.
    static func networkBytes(of payload: Int) -> Int {
        let bytes = payload + frameBytes
        return bytes + packetBytes * (1 + bytes / segmentBytes)
    }

    /// Length, kind and TLS's overhead of a frame.
    private static let frameBytes = 27
    private static let segmentBytes = 1448
    /// Headers of Ethernet, IP and TCP of a packet, and half of its acknowledgement.
    private static let packetBytes = 99

    // MARK: Time

    /// Advances time.
    package func pass(_ milliseconds: UInt64) {
        let end = now + milliseconds
        while let next = queue.nextTime, next <= end, let (time, event) = queue.next() {
            now = time
            happen(event)
        }
        now = end
    }

    /// Advances time until a condition holds; nil if it does not in this many milliseconds.
    package func pass(until holds: () -> Bool, within milliseconds: UInt64) -> UInt64? {
        let start = now
        while now < start + milliseconds {
            if holds() { return now - start }
            pass(20)
        }
        return holds() ? now - start : nil
    }

    private func happen(_ event: Event) {
        switch event {
        case .arrival(let number, let end, let message):
            guard let message, let place = links[number]?.ends[end] else { return }
            let device = devices[place.device]
            if case .commits(_, let commits, _) = message {
                for commit in commits { device.copies[commit.id, default: 0] += 1 }
            }
            post(.received(place.session, message), to: device)
        case .tick(let index, let due):
            let device = devices[index]
            if device.isUp, device.nextTick.rings(at: due) { post(.tick, to: device) }
        case .done(let index, let action):
            if devices[index].isUp { carryOut(action, devices[index]) }
        case .found(let index, let boot, let instance):
            learn(.found(instance), devices[index], boot: boot)
        case .lost(let index, let boot, let name): learn(.lost(name), devices[index], boot: boot)
        case .dial(let index, let due): dial(devices[index], due)
        case .call(let index, let boot, let call):
            if devices[index].calls.boot == boot { make(call, devices[index]) }
        }
    }

    func post(_ event: EngineEvent, to device: CrowdDevice) {
        guard device.isUp else { return }
        let instant = Instant(monotonic: now, wall: Milliseconds(now))
        for action in device.engine.handle(event, at: instant) { perform(action, device) }
        guard let wait = device.engine.nextTick(at: instant) else { return }
        let due = now + wait + 1
        guard device.nextTick.isToWait(until: due) else { return }
        queue.add(.tick(device.index, due: due), at: due)
    }

    func perform(_ action: EngineAction, _ device: CrowdDevice) {
        switch action {
        case .send(let session, let message): send(message, on: session, from: device)
        case .close(let session, let reason):
            if let number = device.sessions[session] { close(number, toldTo: reason) }
        case .verify: later(action, .verifying, device)
        case .apply, .acknowledge: later(action, .storing, device)
        case .verifyAck: later(action, .stating, device)
        case .load: later(action, .reading, device)
        case .need(let needed): need(.needed(needed), device)
        case .hurry(let devices): need(.hurried(devices), device)
        case .ownLogAhead, .verifyFork:
            violations.append("\(device.index) suspects a fork")
        default: break
        }
    }

    /// A device works on one piece after another, each for a moment.
    private func later(_ action: EngineAction, _ lane: CrowdDevice.Lane, _ device: CrowdDevice) {
        let done = max(device.busyUntil[lane.rawValue], now) + 1 + random.below(8)
        device.busyUntil[lane.rawValue] = done
        queue.add(.done(device.index, action), at: done)
    }
}
