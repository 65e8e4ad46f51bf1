package import SyncCore

/// Decides whom to call, when, and for what: of events and of what is known of others it makes calls.
/// It holds no connection: their holder tells it what becomes of each.
package struct Dialing: Sendable {
    package enum Event: Sendable {
        /// This device announces itself under a name from now on.
        case announced(as: String)
        case found(DiscoveredInstance)
        case lost(String)
        /// Discovery does not work any more.
        case lostAll
        /// The network is another one, or the computer slept: devices that were not there may be.
        case networkChanged
        /// Others are trusted than before, or a person asked.
        case trustChanged
        /// Somebody here needs a file that only these devices have.
        case sought(Set<DeviceID>)
        /// The devices that this one needs a session with, from now on.
        case needed(NeededSessions)
        /// There is something new for these of them.
        case hurried(Set<DeviceID>)
        /// A person waits for a sync with everybody.
        case asked
        /// A call got through, to this device.
        case reached(DialPlan.Target, DeviceID)
        /// A call is over, or the session that it led to.
        case ended(DialPlan.Target, DialPlan.Outcome)
    }

    package enum Action: Sendable {
        case call(DialPlan.Call)
        /// Ends the session with a device that this one does not need: there are enough others.
        case letGo(DeviceID)
    }

    /// What is known of others at one moment.
    package struct Facts: Sendable {
        package let device: DeviceID
        /// The other trusted devices of its person.
        package let siblings: Set<DeviceID>
        /// Addresses of every trusted device, remembered and added ones.
        package let addresses: [DeviceID: [HostPort]]
        /// Devices with a session, and whether this side called.
        package let sessions: [DeviceID: Bool]
        /// Devices that want no session with this one: they are not called before somebody acts.
        package let refusing: Set<DeviceID>

        package init(
            device: DeviceID, siblings: Set<DeviceID>, addresses: [DeviceID: [HostPort]],
            sessions: [DeviceID: Bool], refusing: Set<DeviceID>
        ) {
            (self.device, self.siblings) = (device, siblings)
            (self.addresses, self.sessions, self.refusing) = (addresses, sessions, refusing)
        }

        var connected: Set<DeviceID> { Set(sessions.keys) }
    }

    package private(set) var plan = DialPlan()
    /// The name under which this device announces itself, empty when it does not.
    private var instance = ""
    /// Devices that somebody here needs a file of, and until when.
    private var sought: [DeviceID: UInt64] = [:]
    private var seats = Seats()
    /// The devices to call at the last look, whatever sessions there are.
    private var wanted: Set<DeviceID> = []
    private var lastLetGo: UInt64?
    /// There are more sessions than are needed: when the next one is let go.
    private var nextLetGo: UInt64?
    private var arrivals = Arrivals()

    package init() {}

    /// `now` is on the monotonic clock, in milliseconds.
    package mutating func note(_ event: Event, at now: UInt64) {
        switch event {
        case .announced(let name):
            instance = name
            seats.returned(at: now)
        case .found(let found):
            if plan.instances[found.name]?.addresses != found.addresses { arrivals.note(at: now) }
            plan.found(found)
        case .lost(let name): plan.lost(name)
        case .lostAll: plan.lostAll()
        case .networkChanged:
            plan.retryAll()
            seats.returned(at: now)
        case .asked:
            plan.retryAll()
            seats.ask(at: now)
        case .trustChanged: plan.retryAll()
        case .sought(let devices):
            for device in devices { sought[device] = now + Limits.seekMilliseconds }
        case .needed(let needed): seats.needed = needed
        case .hurried(let devices): seats.hurry(devices, at: now)
        case .reached(let target, let device): plan.reached(target, device)
        case .ended(let target, let outcome): plan.ended(target, outcome, now: now)
        }
    }

    /// What is to be done now: the calls that are due, and at most one session to end.
    package mutating func look(_ facts: Facts, at now: UInt64) -> [Action] {
        sought = sought.filter { $0.value > now }
        let seated = seats.seated(
            by: facts.connected.union(plan.located(facts.addresses)),
            of: Set(facts.addresses.keys), at: now)
        wanted = facts.siblings.union(sought.keys).union(seated)
        let own = DialPlan.Own(
            device: facts.device, instance: instance, wanted: wanted,
            maySearch: now >= settledAt)
        return letGo(facts, own, at: now)
            + plan.due(
                known: facts.addresses, connected: facts.connected,
                refusing: facts.refusing, own: own, isGathering: isGathering(at: now), now: now
            ).map { .call($0) }
    }

    /// Whether a call only told who is there: this device needs no session with them.
    package func isOver(_ call: DialPlan.Call, reaching device: DeviceID) -> Bool {
        call.purpose == .search && !wanted.contains(device)
    }

    /// When those who came up together have found each other, as far as they do so by themselves.
    private var settledAt: UInt64 {
        plan.instances.count > Limits.neighbours ? arrivals.end + Limits.settlingPause : 0
    }

    /// Whether others still come up so fast that to choose among them now would be to choose again.
    private func isGathering(at now: UInt64) -> Bool {
        plan.instances.count > Limits.neighbours && now < arrivals.end
    }

    private mutating func letGo(_ facts: Facts, _ own: DialPlan.Own, at now: UInt64) -> [Action] {
        let surplus = plan.surplus(
            known: facts.addresses, connected: facts.connected,
            dialed: Set(facts.sessions.filter(\.value).keys), refusing: facts.refusing, own: own,
            now: now)
        guard let surplus else {
            nextLetGo = nil
            return []
        }
        nextLetGo = now + Limits.surplusMilliseconds
        if let last = lastLetGo, now < last + Limits.surplusMilliseconds { return [] }
        lastLetGo = now
        return [.letGo(surplus)]
    }

    /// When to look again although nothing happened.
    package func nextLook(after now: UInt64) -> UInt64? {
        [
            plan.nextDue(now: now), nextLetGo, isGathering(at: now) ? arrivals.end : nil,
            now < settledAt ? settledAt : nil, plan.isChoosing ? seats.nextTurn(after: now) : nil,
        ].compactMap(\.self).min()
    }

    /// Instances that announce themselves one soon after the other, as after a power cut.
    private struct Arrivals {
        private var first: UInt64?
        private var last: UInt64 = 0

        mutating func note(at now: UInt64) {
            if first == nil || now >= last + Limits.gatheringPause { first = now }
            last = now
        }

        /// When all seem to be there, or have had time enough.
        var end: UInt64 {
            first.map { min(last + Limits.gatheringPause, $0 + Limits.gatheringMost) } ?? 0
        }
    }
}

extension Limits {
    /// How long a device that is needed for a file counts as a neighbour.
    package static let seekMilliseconds: UInt64 = 120_000
    /// Of more than ``neighbours`` others the neighbours are chosen when no further one came up for this
    /// many milliseconds,
    package static let gatheringPause: UInt64 = 500
    /// and at the latest after this many.
    package static let gatheringMost: UInt64 = 3_000
    /// Milliseconds after that in which sessions come up, and with them whom others reach.
    static let settlingPause: UInt64 = 1_000
}
