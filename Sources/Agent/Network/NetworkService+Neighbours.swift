import Discovery
import SyncCore
internal import Transport

/// What a device wants of the choice of its neighbours.
struct NeighbourWishes {
    /// The name under which it announces itself, empty when it does not.
    var instance = ""
    /// Devices that somebody here needs a file of, and until when.
    private var sought: [DeviceID: UInt64] = [:]
    private var lastLetGo: UInt64?

    mutating func seek(_ devices: Set<DeviceID>, until end: UInt64) {
        for device in devices { sought[device] = end }
    }

    mutating func sought(at now: UInt64) -> Set<DeviceID> {
        sought = sought.filter { $0.value > now }
        return Set(sought.keys)
    }

    /// Whether another session may be let go now; it counts as done.
    mutating func letsGo(at now: UInt64) -> Bool {
        if let last = lastLetGo, now < last + Limits.surplusMilliseconds { return false }
        lastLetGo = now
        return true
    }
}

extension NetworkService {
    func own(at now: UInt64) -> DialPlan.Own {
        let own = dependencies.own()
        return DialPlan.Own(
            device: own.device, instance: neighbours.instance,
            wanted: own.siblings.union(neighbours.sought(at: now)))
    }

    /// Connects with devices that have a file which nobody near has.
    func seek(_ devices: Set<DeviceID>) {
        let now = dependencies.clock.now.monotonic
        neighbours.seek(devices, until: now + Limits.seekMilliseconds)
        dialDue()
    }

    /// Ends a session that a device with enough others does not need; whether there was one.
    func letGo(
        _ known: [DeviceID: [HostPort]], _ connected: Set<DeviceID>, _ own: DialPlan.Own,
        at now: UInt64
    ) -> Bool {
        let open = dependencies.sessions.open
        let surplus = plan.surplus(
            known: known, connected: connected,
            dialed: connected.filter { open.isDialing($0) }, own: own, now: now)
        guard let surplus, let session = open.session(with: surplus) else { return false }
        if neighbours.letsGo(at: now) { dependencies.sessions.close(session, .enough) }
        return true
    }
}

extension Limits {
    /// How long a device that is needed for a file counts as a neighbour.
    package static let seekMilliseconds: UInt64 = 120_000
}
