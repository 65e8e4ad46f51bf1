import Discovery
internal import Identity
internal import Logging
import SyncCore
internal import Synchronization
import Transport

/// Everything this device does on the network: listening, being found, finding and dialling.
actor NetworkService {
    typealias PairingServer = @Sendable (Connection) async -> Void

    struct Dependencies: Sendable {
        let endpoint: Endpoint
        let sessions: SessionService
        let loop: EngineLoop
        let clock: AgentClock
        let logger: Logger
        /// Addresses of every trusted device, remembered and added ones.
        let addresses: @Sendable () -> [DeviceID: [HostPort]]
        let servePairing: PairingServer
    }

    private let dependencies: Dependencies
    private var plan = DialPlan()
    private var discovery: AvahiDiscovery?
    private(set) var outage: DiscoveryOutage?
    private(set) var port: UInt16?
    private var tasks: [Task<Void, Never>] = []
    private var wake: Task<Void, Never>?
    private var isRunning = false
    private var calls: [UInt64: Task<Void, Never>] = [:]
    private var lastCall: UInt64 = 0

    init(_ dependencies: Dependencies) {
        self.dependencies = dependencies
    }

    /// Listens on `port` (or the next free one), advertises and dials. `advertises` is false for a
    /// command that only wants to reach others.
    func start(port wanted: UInt16, advertises: Bool) async throws(TransportError) {
        guard !isRunning else { return }
        let listener = try await Listener.bind(dependencies.endpoint, port: wanted)
        isRunning = true
        port = listener.port
        dependencies.sessions.setListeningPort(listener.port)
        let (sessions, servePairing) = (dependencies.sessions, dependencies.servePairing)
        tasks.append(
            Task {
                await listener.run { connection in
                    switch connection.application {
                    case .session: await sessions.serve(connection, purpose: .session)
                    case .pairing: await servePairing(connection)
                    }
                }
            })
        let discovery = AvahiDiscovery(
            port: advertises ? listener.port : nil,
            protocolVersion: Int(Limits.protocolVersion), logger: dependencies.logger)
        self.discovery = discovery
        await discovery.start()
        tasks.append(
            Task { [weak self] in
                for await event in discovery.events { await self?.handle(event) }
            })
        let monitor = NetworkMonitor(logger: dependencies.logger)
        tasks.append(
            Task { [weak self] in
                for await _ in monitor.changes { await self?.networkChanged() }
            })
        dialDue()
    }

    /// Ends sessions with a reason, stops listening and withdraws the advertisement.
    func stop(_ reason: ByeReason) async {
        guard isRunning else { return }
        isRunning = false
        wake?.cancel()
        dependencies.sessions.closeAll(reason)
        await discovery?.stop()
        discovery = nil
        for task in tasks { task.cancel() }
        for call in calls.values { call.cancel() }
        for task in tasks { await task.value }
        tasks = []
        dependencies.endpoint.closeAll()
        plan = DialPlan()
        port = nil
        outage = nil
    }

    var isOn: Bool { isRunning }
    var announcedCount: Int { plan.instances.count }
    var instances: [DiscoveredInstance] { Array(plan.instances.values) }
    var instanceName: String? {
        get async { await discovery?.instanceName }
    }

    /// Shows or withdraws the nameplate of an open pairing code.
    func setNameplate(_ nameplate: String?) async {
        await discovery?.setNameplate(nameplate)
    }

    /// Where a pairing code with this nameplate is shown right now.
    func addresses(nameplate: String) -> [HostPort] {
        plan.addresses(nameplate: nameplate)
    }

    /// Who is trusted has changed: strangers may be friends now.
    func trustChanged() {
        plan.retryAll()
        dialDue()
    }

    /// Dials everybody not connected, and returns when every call has reached somebody or failed,
    /// or `seconds` have passed.
    func dialAll(within seconds: Int) async {
        plan.retryAll()
        dialDue()
        for _ in 0..<(seconds * 20) {
            let known = Set(dependencies.addresses().keys)
            let connected = Set(dependencies.sessions.connected.keys)
            if known.isSubset(of: connected) { return }
            do {
                try await Task.sleep(for: .milliseconds(50))
            } catch {
                return
            }
        }
    }

    private func handle(_ event: DiscoveryEvent) {
        switch event {
        case .available: outage = nil
        case .unavailable(let reason):
            outage = reason
            plan.lostAll()
        case .found(let instance): plan.found(instance)
        case .lost(let name): plan.lost(name)
        }
        dialDue()
    }

    private func networkChanged() {
        plan.retryAll()
        dependencies.loop.post(.networkChanged)
        dialDue()
    }

    private func dialDue() {
        guard isRunning else { return }
        let now = dependencies.clock.now.monotonic
        let connected = Set(dependencies.sessions.connected.keys)
        for call in plan.due(known: dependencies.addresses(), connected: connected, now: now) {
            lastCall += 1
            let number = lastCall
            calls[number] = Task { [weak self] in
                await self?.make(call)
                await self?.forget(call: number)
            }
        }
        wake?.cancel()
        guard let due = plan.nextDue(now: now) else { return }
        wake = Task { [weak self] in
            do {
                try await Task.sleep(for: .milliseconds(Int(due - now) + 10))
            } catch {
                return
            }
            await self?.dialDue()
        }
    }

    private func forget(call number: UInt64) {
        calls[number] = nil
    }

    private func make(_ call: DialPlan.Call) async {
        let dialer = Dialer(dependencies.endpoint)
        var isStranger = false
        var success = false
        for address in call.addresses.prefix(Limits.addressesPerCall) {
            do {
                let connection = try await dialer.connect(
                    host: address.host, port: address.port, protocol: .session,
                    timeout: .seconds(Limits.dialSeconds))
                success = true
                await hold(connection, call.target, address)
                break
            } catch .notTrusted {
                isStranger = true
                break
            } catch {
                dependencies.logger.debug(
                    "call failed", metadata: ["address": "\(address)", "why": "\(error)"])
            }
        }
        plan.ended(
            call.target, success: success, isStranger: isStranger,
            now: dependencies.clock.now.monotonic)
        dialDue()
    }

    /// Serves a session this side dialled until it ends, with a bulk connection beside it.
    private func hold(
        _ connection: Connection, _ target: DialPlan.Target, _ address: HostPort
    ) async {
        let device = DeviceID(sha256(connection.peerKey.bytes))
        plan.reached(target, device)
        let dependencies = dependencies
        guard dependencies.sessions.connected[device] == nil else {
            return connection.close()
        }
        await withTaskGroup { group in
            group.addTask { await dependencies.sessions.serve(connection, purpose: .session) }
            group.addTask {
                await Self.keepBulk(to: device, connection.peerKey, at: address, dependencies)
            }
            await group.next()
            group.cancelAll()
        }
    }

    /// Keeps one connection for blobs beside a session, as long as the task is not cancelled.
    private static func keepBulk(
        to device: DeviceID, _ key: Bytes32, at address: HostPort, _ dependencies: Dependencies
    ) async {
        let dialer = Dialer(dependencies.endpoint)
        while !Task.isCancelled {
            do {
                // The session says hello first; one that is closed as a duplicate needs no bulk.
                try await Task.sleep(for: .milliseconds(Limits.bulkPauseMilliseconds))
                guard dependencies.sessions.isDialing(device) else { continue }
                let connection = try await dialer.connect(
                    host: address.host, port: address.port, protocol: .session,
                    timeout: .seconds(Limits.dialSeconds), expecting: key)
                await dependencies.sessions.serve(connection, purpose: .bulk)
            } catch {
                dependencies.logger.debug("bulk call failed", metadata: ["why": "\(error)"])
            }
        }
    }
}

extension Limits {
    /// Addresses of one device or instance tried in one call.
    package static let addressesPerCall = 8
    /// Before a connection for blobs is opened, or opened again.
    package static let bulkPauseMilliseconds = 50
}
