package import LocalAPI
package import SyncCore

/// Whom to dial, where and when: remembered addresses of known devices, and instances seen on the
/// network, each with its own growing pause.
package struct DialPlan: Sendable {
    package enum Target: Hashable, Sendable {
        /// A device at its remembered or added addresses.
        case device(DeviceID)
        /// An instance on the network; dialling it shows which device it is.
        case instance(String)

        package var isDevice: Bool { if case .device = self { true } else { false } }
    }

    /// One call to make.
    package struct Call: Sendable {
        package let target: Target
        package let addresses: [HostPort]
        package let purpose: Purpose
    }

    package enum Purpose: Sendable {
        case session
        /// To learn who is there.
        case search
    }

    /// How a call, or the session it led to, ended.
    package enum Outcome: Sendable {
        /// A session that lasted.
        case useful
        case failed(CallError)
        /// Not for us: nothing changes that but trust or a new instance.
        case stranger
    }

    private struct Progress {
        var failures = 0
        /// On the monotonic clock, milliseconds.
        var notBefore: UInt64 = 0
        var isCalling = false
        /// Where it is called, and what for.
        var addresses: [HostPort] = []
        var purpose = Purpose.session
        /// Calls in vain since the device was last connected, and why the last one failed.
        var vain = 0
        var error: CallError?
        /// The call got through and is a session now.
        var isReached = false
        /// It is not for us: nothing changes that but trust or a new instance.
        var isStranger = false
    }

    package private(set) var instances: [String: DiscoveredInstance] = [:]
    private var deviceOf: [String: DeviceID] = [:]
    private var progress: [Target: Progress] = [:]
    /// There are more devices than this one connects with: whom it needs decides whom it calls.
    package private(set) var isChoosing = false

    package init() {}

    /// An instance announces itself; with other addresses it is tried at once.
    package mutating func found(_ instance: DiscoveredInstance) {
        if instances[instance.name]?.addresses != instance.addresses {
            progress[.instance(instance.name)] = nil
            // Anybody can announce anything: only its answer shows which device is there.
            deviceOf[instance.name] = nil
        }
        instances[instance.name] = instance
    }

    mutating func lost(_ name: String) {
        instances[name] = nil
        deviceOf[name] = nil
        progress[.instance(name)] = nil
    }

    mutating func lostAll() {
        for name in instances.keys { lost(name) }
    }

    /// Everything may be tried at once: the network or the trusted devices changed, or a person
    /// asked for it.
    package mutating func retryAll() {
        for target in progress.keys {
            progress[target]?.failures = 0
            progress[target]?.notBefore = 0
            progress[target]?.isStranger = false
        }
    }

    /// The calls that are due; each counts as being made from now on. With `own` only as many are
    /// called as a device has neighbours. `refusing` devices have said that they do not want this one:
    /// they are not called before somebody acts. While instances are gathering, none is called.
    package mutating func due(
        known: [DeviceID: [HostPort]], connected: Set<DeviceID>, refusing: Set<DeviceID> = [],
        own: Own? = nil, isGathering: Bool = false, now: UInt64
    ) -> [Call] {
        var calls: [Call] = []
        for (target, state) in progress where state.vain > 0 {
            guard let device = device(of: target), connected.contains(device) else { continue }
            progress[target]?.vain = 0
            progress[target]?.error = nil
        }
        var open = openCalls
        let seen = Set(instances.keys.compactMap { answering($0) })
        var choice = own.flatMap {
            self.choice(of: known, connected, refusing: refusing, $0, now)
        }
        isChoosing = choice != nil
        // Announcing a thousand devices does not make this one open a thousand sockets, nor keep it
        // from the devices that it knows.
        for (device, addresses) in known.sorted(by: { $0.key < $1.key })
        where !connected.contains(device) && !seen.contains(device) && !addresses.isEmpty
            && !refusing.contains(device) && open < Limits.callsAtOnce
            && mayCall(.device(device), now)
        {
            guard choice?.includes(device) != false else { continue }
            guard let call = begin(.device(device), addresses, .session, now) else { continue }
            open += 1
            calls.append(call)
        }
        let busy = Set(
            progress.filter { $0.key.isDevice && $0.value.isCalling }.values.flatMap(\.addresses))
        for (name, instance) in instances.sorted(by: { $0.key < $1.key })
        where !isGathering && open < Limits.callsAtOnce - Limits.callsKept {
            if let device = deviceOf[name],
                connected.contains(device) || refusing.contains(device)
            {
                continue
            }
            // Two calls of one side to one device would each be taken for the newer one at one end.
            guard mayCall(.instance(name), now), busy.isDisjoint(with: instance.addresses)
            else { continue }
            var purpose: Purpose? = .session
            if choice != nil { purpose = choice?.purpose(of: name, at: deviceOf[name]) }
            guard let purpose,
                let call = begin(.instance(name), instance.addresses, purpose, now)
            else { continue }
            open += 1
            calls.append(call)
        }
        return calls
    }

    /// The device that answered at an instance, unless the last call found nobody: then it may be
    /// where it was before.
    private func answering(_ name: String) -> DeviceID? {
        guard let device = deviceOf[name], progress[.instance(name)]?.failures ?? 0 == 0 else {
            return nil
        }
        return device
    }

    private func mayCall(_ target: Target, _ now: UInt64) -> Bool {
        guard let state = progress[target] else { return true }
        return !state.isCalling && !state.isStranger && now >= state.notBefore
    }

    private mutating func begin(
        _ target: Target, _ addresses: [HostPort], _ purpose: Purpose, _ now: UInt64
    ) -> Call? {
        guard mayCall(target, now) else { return nil }
        var state = progress[target] ?? Progress()
        state.isCalling = true
        state.isReached = false
        (state.addresses, state.purpose) = (addresses, purpose)
        progress[target] = state
        return Call(target: target, addresses: addresses, purpose: purpose)
    }

    /// The call reached this device.
    package mutating func reached(_ target: Target, _ device: DeviceID) {
        if case .instance(let name) = target, instances[name] != nil { deviceOf[name] = device }
        progress[target]?.isReached = true
    }

    /// The call, or the session it led to, is over.
    package mutating func ended(_ target: Target, _ outcome: Outcome, now: UInt64) {
        guard var state = progress[target] else { return }
        state.isCalling = false
        state.isStranger = false
        switch outcome {
        case .useful:
            state.failures = 0
            state.vain = 0
            state.error = nil
        case .failed(let error):
            state.failures += 1
            state.vain += 1
            state.error = error
        case .stranger:
            state.failures += 1
            state.isStranger = true
        }
        let pause = Limits.dialPauseMilliseconds << UInt64(min(max(state.failures - 1, 0), 6))
        let cap =
            target.isDevice ? Limits.dialPauseCapMilliseconds : Limits.instancePauseCapMilliseconds
        state.notBefore = now + min(pause, cap)
        progress[target] = state
    }

    /// Calls to a device that failed, one after the other; nil when the last one succeeded. The next
    /// try is on the monotonic clock.
    package func failures(
        of device: DeviceID
    ) -> (count: Int, error: CallError, nextTry: UInt64)? {
        let names = instances.keys.filter { deviceOf[$0] == device }.map { Target.instance($0) }
        let failed = ([.device(device)] + names).compactMap { progress[$0] }
            .filter { $0.vain > 0 && $0.error != nil }
        guard let last = failed.max(by: { $0.notBefore < $1.notBefore }), let error = last.error
        else { return nil }
        return (failed.map(\.vain).max() ?? 0, error, last.notBefore)
    }

    var openCalls: Int { progress.values.count { $0.isCalling && !$0.isReached } }
    var openSearches: Int {
        progress.values.count { $0.isCalling && !$0.isReached && $0.purpose == .search }
    }

    /// The device that answered at an instance when it was called.
    func device(at name: String) -> DeviceID? { deviceOf[name] }

    private func device(of target: Target) -> DeviceID? {
        switch target {
        case .device(let device): device
        case .instance(let name): deviceOf[name]
        }
    }

    /// Whether somebody may be there: it was not called yet, answered, or may be tried again.
    func seemsThere(_ target: Target, _ now: UInt64) -> Bool {
        guard let state = progress[target] else { return true }
        return !state.isStranger
            && (state.failures == 0 || state.isCalling || now >= state.notBefore)
    }

    /// Whether nobody called there in vain since a call last succeeded.
    func hasNotFailed(_ target: Target) -> Bool {
        progress[target].map { $0.failures == 0 && !$0.isStranger } ?? true
    }

    /// Whether a call is under way that has not reached anybody yet.
    package var isCalling: Bool { openCalls > 0 }

    /// The devices that calls have got through to.
    package var reachedDevices: Set<DeviceID> {
        Set(
            progress.filter { $0.value.isCalling && $0.value.isReached }.keys
                .compactMap { device(of: $0) })
    }

    /// When the next call may be due; nil when none waits for time.
    func nextDue(now: UInt64) -> UInt64? {
        progress.values.filter { !$0.isCalling && !$0.isStranger && $0.notBefore > now }
            .map(\.notBefore).min()
    }

    /// The nameplates of all codes that are announced.
    package var nameplates: Set<String> { Set(instances.values.compactMap(\.nameplate)) }

    /// The instances that announce this nameplate.
    package func announcers(of nameplate: String) -> [DiscoveredInstance] {
        instances.values.filter { $0.nameplate == nameplate }.sorted { $0.name < $1.name }
    }
}

extension Limits {
    // MARK: Dialling

    /// First pause after a call that failed; doubled each time.
    package static let dialPauseMilliseconds: UInt64 = 1_000
    package static let dialPauseCapMilliseconds: UInt64 = 60_000
    /// The same for what announces itself now, and so is there.
    package static let instancePauseCapMilliseconds: UInt64 = 10_000
    /// Announcements are collected for this long; a person does not notice.
    package static let announcementsMilliseconds = 100
    /// Seconds one address may take to answer.
    package static let dialSeconds = 5
    /// A session that lasted shorter was of no use, as when the other side refuses this one.
    package static let usefulSessionMilliseconds: UInt64 = 10_000
    /// Calls under way that have not reached anybody yet.
    package static let callsAtOnce = 32
    /// Of these, how many only devices may use that are known, at addresses that are remembered.
    package static let callsKept = 16
}
