package import Device
package import Discovery
internal import Identity
import LocalAPI
internal import Logging
import Node
package import Records
package import SyncCore
internal import Synchronization
package import Transport

/// Everything this device does on the network: listening, being found, finding and dialling.
package actor NetworkService {
    struct Dependencies: Sendable {
        let endpoint: Endpoint
        let sessions: SessionService
        let loop: EngineLoop
        let clock: AgentClock
        let logger: Logger
        let peers: PeerDirectory
        /// Addresses of every trusted device, remembered and added ones.
        let addresses: @Sendable () -> [DeviceID: [HostPort]]
        /// What dialling has to know besides: of sessions, by whether this side dialled.
        let facts: @Sendable (_ sessions: [DeviceID: Bool]) -> Dialing.Facts
    }

    let dependencies: Dependencies
    package let reachability: Reachability
    /// The devices that this one needs a session with, as the engine said last.
    let needed = Mutex(NeededSessions())
    /// Decides whom to call.
    private var dialing = Dialing() {
        didSet { changes.update { $0 += 1 } }
    }
    var plan: DialPlan { dialing.plan }
    /// Counts changes of the plan and of what is connected.
    var changes: Observable<Int> { dependencies.sessions.open.changes }
    private var nameplate: String?
    /// Nil while the network is off.
    private var running: Running?
    private var lastCall: UInt64 = 0
    /// Why the last call failed, as the log has it.
    private var troubles: [DialPlan.Target: TransportError] = [:]
    /// Starting and stopping take turns: each waits several times on its way.
    private var isChanging = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// What there is only while the network is on.
    private struct Running {
        let listener: Listener
        let discovery: AvahiDiscovery
        let monitor: NetworkMonitor
        /// By the monotonic clock.
        let startedAt: UInt64
        /// What discovery has said last of whether it works.
        var outcome: DiscoveryOutcome?
        let tasks = ServiceTasks<Part>()
        /// The next look at who is to be called, and one for what is announced at this moment.
        var wake: Task<Void, Never>?
        var soon: Task<Void, Never>?
    }

    /// What runs while the network is on.
    private enum Part: Hashable {
        case listener, discovery, networkMonitor, sleepWatch
        case call(UInt64)
    }

    private enum DiscoveryOutcome {
        case works
        case fails(DiscoveryOutage)
    }

    package init(_ node: AgentNode, _ endpoint: Endpoint, _ sessions: SessionService) {
        dependencies = Dependencies(
            endpoint: endpoint, sessions: sessions, loop: node.loop, clock: node.clock,
            logger: node.logger, peers: node.peers,
            addresses: { DeviceDirectory(node).dialAddresses() },
            facts: { DeviceDirectory(node).dialFacts(sessions: $0) })
        reachability = Reachability(node.clock, node.reachMemory)
    }

    /// Listens on `port` (or the next free one), advertises and dials. `advertises` is false for a
    /// command that only wants to reach others. `servePairing` gets who wants to pair.
    package func start(
        port wanted: UInt16, advertises: Bool,
        servePairing: @escaping @Sendable (Connection) async -> Void
    ) async throws(TransportError) {
        await waitForTurn()
        defer { giveTurn() }
        guard running == nil else { return }
        let listener = try await Listener.bind(dependencies.endpoint, port: wanted)
        let running = Running(
            listener: listener,
            discovery: AvahiDiscovery(
                port: advertises ? listener.port : nil,
                protocolVersion: Int(Limits.protocolVersion), logger: dependencies.logger),
            monitor: NetworkMonitor(logger: dependencies.logger),
            startedAt: dependencies.clock.now.monotonic)
        self.running = running
        dependencies.sessions.setListeningPort(listener.port)
        dependencies.logger.note(
            .info, .program, "network on", details: ["port": "\(listener.port)"])
        if wanted != 0 { await reachability.listens(on: listener.port, wanted: wanted) }
        let sessions = dependencies.sessions
        running.tasks.run(.listener) { [weak self, reachability] in
            await listener.run { connection in
                await reachability.wasReached(from: connection.remoteAddress.host)
                switch connection.application {
                case .session: await sessions.serve(connection, purpose: .session)
                case .pairing: await servePairing(connection)
                }
                // The caller may be out of reach now, and is then called back at its address.
                await self?.dialDue()
            }
        }
        await start(running.discovery)
        running.tasks.run(.networkMonitor) { [weak self, monitor = running.monitor] in
            for await change in monitor.changes { await self?.networkChanged(change) }
        }
        running.tasks.run(.sleepWatch) { [weak self] in
            var watch = SleepWatch(.now)
            do {
                while true {
                    try await Task.sleep(for: .seconds(Limits.sleepLookSeconds))
                    if let slept = watch.slept(.now) { await self?.woke(after: slept) }
                }
            } catch {
                // The network is switched off.
            }
        }
        dialDue()
    }

    /// The computer slept: connections may be dead, and others have had time to change things.
    private func woke(after milliseconds: Int64) {
        dependencies.logger.note(
            .info, .sync, "woke up", details: ["milliseconds": "\(milliseconds)"])
        lookAround()
    }

    private func start(_ discovery: AvahiDiscovery) async {
        if let nameplate { await discovery.setNameplate(nameplate) }
        await discovery.start()
        note(.announced(as: await discovery.instanceName))
        running?.tasks.run(.discovery) { [weak self] in
            for await event in discovery.events { await self?.handle(event) }
        }
    }

    /// Ends sessions with a reason, stops listening and withdraws the advertisement. What was sent
    /// before still goes out. Nothing of this service runs any more when it returns.
    package func stop(_ reason: ByeReason) async {
        await waitForTurn()
        defer { giveTurn() }
        guard let running = running.take() else { return }
        changes.update { $0 += 1 }
        running.wake?.cancel()
        running.soon?.cancel()
        running.monitor.stop()
        await running.discovery.stop()
        await running.listener.close()
        dependencies.sessions.closeAll(reason)
        await goodbyesSaid()
        let ended = running.tasks.cancelAll()
        dependencies.endpoint.closeAll()
        await ended()
        dialing = Dialing()
        troubles = [:]
        dependencies.logger.note(.info, .program, "network off", details: ["why": "\(reason)"])
    }

    /// Gives sessions a moment to write what they have left.
    private func goodbyesSaid() async {
        let open = dependencies.sessions.open
        do {
            _ = try await changes.first(within: .milliseconds(Limits.goodbyeMilliseconds)) {
                _ in open.connected.isEmpty ? true : nil
            }
        } catch {
            // The program ends: there is no moment left to give.
        }
    }

    private func waitForTurn() async {
        guard isChanging else {
            isChanging = true
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    private func giveTurn() {
        guard !waiting.isEmpty else {
            isChanging = false
            return
        }
        waiting.removeFirst().resume()
    }

    package var isOn: Bool { running != nil }
    /// The TCP port that is listened on; nil while the network is off.
    package var port: UInt16? { running?.listener.port }
    /// Why others are not found at this moment.
    package var outage: DiscoveryOutage? {
        if case .fails(let outage) = running?.outcome { outage } else { nil }
    }
    /// When the network was switched on, by the monotonic clock.
    var startedAt: UInt64 { running?.startedAt ?? 0 }
    /// An interface of this computer is connected, as far as is known.
    package private(set) var hasNetwork = true

    /// Calls to a device that failed, one after the other.
    package func calls(to device: DeviceID) -> CallFacts? {
        guard let failed = plan.failures(of: device) else { return nil }
        let now = dependencies.clock.now
        let isWanted = dependencies.peers[device].refusal == nil
        return CallFacts(
            failures: failed.count,
            nextTry: isWanted
                ? Milliseconds(
                    now.wall.value + (failed.nextTry - min(failed.nextTry, now.monotonic)))
                : nil,
            error: failed.error, kind: failed.error.kind)
    }

    /// Returns when discovery has said whether it works, after a while at most. Throws
    /// `CancellationError`.
    package func discoveryIsKnown() async throws {
        let limit = Duration.milliseconds(Limits.discoveryKnownMilliseconds)
        _ = try await waits(limit) { self.running.map { $0.outcome != nil } ?? true }
    }

    package var announcedCount: Int { plan.instances.count }
    package var instanceName: String? {
        get async { await running?.discovery.instanceName }
    }

    /// Shows or withdraws the nameplate of an open pairing code.
    func setNameplate(_ nameplate: String?) async {
        self.nameplate = nameplate
        await running?.discovery.setNameplate(nameplate)
    }

    /// The trusted devices have changed: strangers may be friends now.
    package func trustChanged() { retryAll(.trustChanged) }

    private func retryAll(_ event: Dialing.Event) {
        dependencies.peers.update { $0.forgetRefusals() }
        note(event)
        dialDue()
    }

    func note(_ event: Dialing.Event) {
        dialing.note(event, at: dependencies.clock.now.monotonic)
    }

    /// Dials everybody not connected, and returns when every call has reached somebody or failed,
    /// or `seconds` have passed.
    package func dialAll(within seconds: Int) async {
        retryAll(.asked)
        let now = dependencies.clock.now.monotonic
        let giveUp = now + UInt64(seconds) * 1000
        // Just switched on, others are still being found; just paired or cut off, they call again.
        let othersFound = max(
            startedAt + Limits.findOthersMilliseconds, now + Limits.callAgainMilliseconds)
        while isOn {
            let seen = changes.value
            let known = Set(dependencies.addresses().keys)
            let connected = dependencies.sessions.open.devicesWithEngine
            if known.isSubset(of: connected) { return }
            let now = dependencies.clock.now.monotonic
            if now >= giveUp { return }
            // A dialled peer says hello, and the engine hears of it, before it counts as connected.
            let isReaching = plan.isCalling || !plan.reachedDevices.isSubset(of: connected)
            if !isReaching, now >= othersFound { return }
            let next = now < othersFound ? min(giveUp, othersFound) : giveUp
            do {
                _ = try await changes.first(within: .milliseconds(Int(next - now))) {
                    $0 == seen ? nil : true
                }
            } catch {
                return
            }
        }
    }

    private func handle(_ event: DiscoveryEvent) {
        switch event {
        case .available: heard(.works)
        case .unavailable(let outage):
            heard(.fails(outage))
            note(.lostAll)
        case .found(let instance): note(.found(instance))
        case .lost(let name): note(.lost(name))
        }
        dialSoon()
    }

    private func heard(_ outcome: DiscoveryOutcome) {
        running?.outcome = outcome
        changes.update { $0 += 1 }
    }

    /// Once for all that is announced in the meantime: a flood of announcements is no flood of looks
    /// at everybody's addresses.
    private func dialSoon() {
        guard isOn, running?.soon == nil else { return }
        running?.soon = Task.after(.milliseconds(Limits.announcementsMilliseconds)) {
            [weak self] in await self?.dialNow()
        }
    }

    private func dialNow() {
        running?.soon = nil
        dialDue()
    }

    /// What went over an address that is gone is over at once: nobody has to wait for an answer.
    private func networkChanged(_ change: NetworkChange) async {
        await reachability.networkChanged()
        note(change.addresses)
        dependencies.endpoint.closeUnreachable(keeping: Set(change.addresses.map(\.address)))
        lookAround()
    }

    private func lookAround() {
        note(.networkChanged)
        dependencies.loop.post(.networkChanged)
        dialDue()
    }

    private func note(_ addresses: [NetworkAddress]) {
        guard hasNetwork == addresses.isEmpty else { return }
        hasNetwork.toggle()
        let kind: Logger.Metadata =
            hasNetwork ? [:] : ["kind": "\(TroubleKind.noNetwork.rawValue)"]
        dependencies.logger.note(
            .info, .sync, hasNetwork ? "network returned" : "no network", details: kind)
    }

    func dialDue() {
        guard isOn else { return }
        let now = dependencies.clock.now.monotonic
        let facts = dependencies.facts(dependencies.sessions.open.dialed)
        note(.needed(needed.withLock { $0 }))
        for action in dialing.look(facts, at: now) {
            switch action {
            case .call(let call): begin(call)
            case .letGo(let device):
                guard let session = dependencies.sessions.open.session(with: device) else {
                    continue
                }
                dependencies.sessions.close(session, .enough)
            }
        }
        running?.wake?.cancel()
        guard let due = dialing.nextLook(after: now) else { return }
        running?.wake = Task.after(.milliseconds(Int(due - now) + 10)) { [weak self] in
            await self?.dialDue()
        }
    }

    private func begin(_ call: DialPlan.Call) {
        lastCall += 1
        let number = lastCall
        running?.tasks.run(.call(number)) { [weak self] in await self?.make(call) }
    }

    private func make(_ call: DialPlan.Call) async {
        let dialer = Dialer(dependencies.endpoint)
        var outcome = DialPlan.Outcome.failed(.noAnswer)
        for address in call.addresses.prefix(Limits.addressesPerCall) {
            if Task.isCancelled { break }
            do {
                let connection = try await dialer.connect(
                    host: address.host, port: address.port, protocol: .session,
                    timeout: .seconds(Limits.dialSeconds))
                troubles[call.target] = nil
                outcome = await hold(connection, call, address)
                // At a remembered address somebody else may answer by now.
                if case .useful = outcome { break }
                if !call.target.isDevice { break }
            } catch .notTrusted where !call.target.isDevice {
                outcome = .stranger
                break
            } catch {
                noteFailure(of: call.target, at: address, error)
                outcome = .failed(CallError(error) ?? .noAnswer)
            }
        }
        note(.ended(call.target, outcome))
        dialDue()
    }

    /// Says so at level info the first time, and then when the reason changes: a device that is off
    /// is called again and again. Instances come as many as anybody likes to announce, and say nothing.
    private func noteFailure(
        of target: DialPlan.Target, at address: HostPort, _ error: TransportError
    ) {
        var details = Logger.Metadata.trouble(error)
        details["address"] = "\(address)"
        let isKnown = troubles[target] == error
        if troubles.count >= Limits.troublesNoted { troubles = [:] }
        troubles[target] = error
        var device: DeviceID?
        if case .device(let known) = target { device = known }
        dependencies.logger.note(
            isKnown || device == nil ? .debug : .info, .sync, "call failed", device: device,
            details: details)
    }

    /// Serves a session this side dialled until it ends, with a bulk connection beside it. Whether
    /// it was of use: a peer that ends it at once is not called again so soon.
    private func hold(
        _ connection: Connection, _ call: DialPlan.Call, _ address: HostPort
    ) async -> DialPlan.Outcome {
        let device = DeviceID(sha256(connection.peerKey.bytes))
        if case .device(let meant) = call.target, meant != device {
            connection.close()
            return .failed(.otherDevice)
        }
        note(.reached(call.target, device))
        let dependencies = dependencies
        guard dependencies.sessions.open.connected[device] == nil,
            !dialing.isOver(call, reaching: device)
        else {
            connection.close()
            return .useful
        }
        let start = dependencies.clock.now.monotonic
        let end = await withTaskGroup(of: SessionLog.End?.self) { group in
            group.addTask { await dependencies.sessions.serve(connection, purpose: .session) }
            group.addTask {
                await Self.keepBulk(to: device, connection.peerKey, at: address, dependencies)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
        // What this side let go says nothing of the other one.
        let isUseful =
            end?.isLetGo == true
            || dependencies.clock.now.monotonic >= start + Limits.usefulSessionMilliseconds
        return isUseful ? .useful : .failed(end?.error ?? .endedAtOnce)
    }
}

extension Limits {
    /// Targets whose last failed call is remembered, so that the log says it once.
    package static let troublesNoted = 1_000
    /// Addresses of one device or instance tried in one call.
    package static let addressesPerCall = 8
    /// How long a person who starts the agent waits to hear whether devices are found; Avahi answers
    /// in some milliseconds.
    package static let discoveryKnownMilliseconds = 2_000
    /// What sessions have to write what they have left before they are cut off.
    package static let goodbyeMilliseconds = 1_000
    /// How long after the start others are still being found: multicast DNS takes a second or two.
    package static let findOthersMilliseconds: UInt64 = 3_000
    /// How long a person's sync waits for somebody who hung up to be called again: the first pause
    /// between calls, and the call.
    package static let callAgainMilliseconds: UInt64 = 1_500
}
