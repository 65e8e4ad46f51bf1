internal import Dispatch
package import Logging
package import SyncCore

/// Examines this machine's network to find out why devices do not find each other. It changes
/// nothing and takes some seconds.
package struct NetworkProbe: Sendable {
    private let port: UInt16?
    private let usualPort: UInt16
    private let instanceName: String?
    private let knownPeers: [HostPort]
    private let logger: Logger

    /// - Parameters:
    ///   - port: The TCP port on which the agent listens; nil if no agent runs.
    ///   - usualPort: The agent's permanent port: a command without an agent takes any free port.
    ///   - instanceName: The name under which the agent is advertised now; nil if it is not.
    ///   - knownPeers: Remembered addresses of paired devices; the first 16 are tried.
    ///   - logger: Receives the errors of the probe.
    package init(
        port: UInt16?, usualPort: UInt16, instanceName: String?, knownPeers: [HostPort],
        logger: Logger
    ) {
        (self.port, self.usualPort) = (port, usualPort)
        self.instanceName = instanceName
        self.knownPeers = Array(knownPeers.prefix(Limits.probedPeers))
        self.logger = logger
    }

    /// All findings, the most basic ones first.
    package func run() async -> [NetworkFinding] {
        async let avahi = lookAround()
        async let firewall = FirewallFacts.current()
        async let asked = Self.blocking { MulticastQuestion.answers() }
        let peers = await Self.tryPeers(knownPeers)
        let answers = await asked
        var findings = Self.interfaces()
        findings += await announcements(await avahi, answers ?? [])
        findings += portFindings()
        findings += firewallFindings(await firewall)
        findings += peers.map(Self.finding)
        findings.append(Self.multicast(answered: answers.map { !$0.isEmpty }, peers))
        return findings
    }

    /// The conclusion from multicast and connections together; `answered` is nil if the question
    /// could not be sent.
    package static func multicast(answered: Bool?, _ peers: [PeerAddress]) -> NetworkFinding {
        if answered == true { return .multicastAnswered }
        let near = peers.filter(\.isOnOurNetwork)
        // A machine that refuses connections may run nothing that answers multicast.
        if let peer = near.first(where: { $0.answer == .connected }) {
            return answered == nil
                ? .multicastNotAsked : .multicastBlocked(reachable: peer.place)
        }
        let areAllSilent = near.allSatisfy { $0.answer == .silent || $0.answer == .unreachable }
        return near.isEmpty || !areAllSilent ? .multicastUnknown : .isolatedOrOffline
    }

    /// Selects the addresses of one device to try, each list with the one that worked last first: those
    /// that a person added, and of the remembered ones all with the default port, or else one for each
    /// host. A command without an agent listens on any port for a moment only.
    package static func worthATry(_ remembered: [HostPort], added: [HostPort] = []) -> [HostPort] {
        let usual = remembered.filter { $0.port == Limits.defaultPort }
        var hosts = Set(added.map(\.host))
        return added
            + (usual.isEmpty ? remembered.filter { hosts.insert($0.host).inserted } : usual)
    }

    private static func interfaces() -> [NetworkFinding] {
        let addresses = NetworkAddress.current()
        guard !addresses.isEmpty else { return [.noNetwork] }
        var mute: Set<String> = []
        for entry in InterfaceList.entries() {
            // Tunnels cannot multicast, and are not part of a home network.
            guard entry.isUp, entry.isConnected, !entry.isLoopback, !entry.isPointToPoint,
                !entry.canMulticast
            else { continue }
            mute.insert(entry.name)
        }
        let byName = Dictionary(grouping: addresses, by: \.interface)
        return byName.keys.sorted().map {
            .interface(name: $0, addresses: byName[$0, default: []].map(\.address))
        } + mute.sorted().map { .interfaceWithoutMulticast(name: $0) }
    }

    private func portFindings() -> [NetworkFinding] {
        guard let port else { return [] }
        guard let sockets = ListeningSockets.current() else { return [.portUnknown(port)] }
        if sockets.open.contains(port) { return [.portListening(port)] }
        return sockets.loopbackOnly.contains(port)
            ? [.portOnLoopbackOnly(port)] : [.portNotListening(port)]
    }

    private func firewallFindings(_ facts: FirewallFacts) -> [NetworkFinding] {
        [FirewallPort.multicastDNS, .sessions(usualPort)].map { each in
            switch facts.judge(each, ownPort: usualPort) {
            case .open: .firewallOpen(each)
            case .closed(let program): .firewallClosed(each, program)
            case .possible(let program): .firewallPossible(each, program)
            case .unknown(let why): .firewallUnknown(each, why)
            }
        }
    }

    // MARK: Avahi

    /// How many of these devices are announced now. That Avahi lists them proves nothing: it remembers a device for up
    /// to an hour after its last packet. One counts that answered our own question, or where a connection to what it
    /// announced was accepted, as a firewall may keep the answer from us.
    package static func announced(
        _ listed: [DiscoveredInstance], answers: [[UInt8]], accepting: Set<HostPort>
    ) -> Int {
        listed.count { instance in
            MulticastQuestion.isNamed(instance.name, in: answers)
                || !accepting.isDisjoint(with: instance.addresses)
        }
    }

    private func announcements(
        _ listed: Result<[String: DiscoveredInstance], DiscoveryOutage>, _ answers: [[UInt8]]
    ) async -> [NetworkFinding] {
        let all: [String: DiscoveredInstance]
        switch listed {
        case .failure(let outage): return [Self.finding(outage), .ownAdvertisementUnknown]
        case .success(let instances): all = instances
        }
        let own: NetworkFinding =
            switch instanceName {
            case nil: .ownAdvertisementUnknown
            case let name?: all[name] == nil ? .ownAdvertisementNotSeen : .ownAdvertisementSeen
            }
        let others = all.values.filter { $0.name != instanceName }
        let silent = others.filter { !MulticastQuestion.isNamed($0.name, in: answers) }
        let tried = await Self.tryPeers(
            Array(silent.flatMap(\.addresses).prefix(Limits.probedPeers)))
        let accepting = Set(tried.filter { $0.answer == .connected }.map(\.place))
        let count = Self.announced(others, answers: answers, accepting: accepting)
        return [.avahiRunning, own, count == 0 ? .nothingSeen : .othersSeen(count: count)]
    }

    /// Browses for some seconds, without advertising. The instances by name.
    private func lookAround() async -> Result<[String: DiscoveredInstance], DiscoveryOutage> {
        let discovery = AvahiDiscovery(port: nil, protocolVersion: 1, logger: logger)
        let end = ContinuousClock.now + .seconds(Limits.probeSeconds)
        await discovery.start()
        let timer = Task {
            // Browsing is over, even if it was cut short.
            try? await Task.sleep(until: end)
            await discovery.stop()
        }
        var outage: DiscoveryOutage?
        var instances: [String: DiscoveredInstance] = [:]
        for await event in discovery.events {
            switch event {
            case .available: outage = nil
            case .unavailable(let reason): outage = reason
            case .found(let instance): instances[instance.name] = instance
            // Stopping reports everything as lost: found instances still count.
            case .lost(let name): if ContinuousClock.now < end { instances[name] = nil }
            }
        }
        await timer.value
        return outage.map { .failure($0) } ?? .success(instances)
    }

    private static func finding(_ outage: DiscoveryOutage) -> NetworkFinding {
        switch outage {
        case .noDBus: .noDBus
        case .noAvahiDaemon: .noAvahiDaemon
        case .failed(let code, let message): .avahiFailed(code: code, message: message)
        }
    }

    // MARK: Peers

    private static func tryPeers(_ places: [HostPort]) async -> [PeerAddress] {
        let own = NetworkAddress.current()
        return await withTaskGroup(of: (Int, PeerAddress).self) { group in
            for (index, place) in places.enumerated() {
                group.addTask {
                    (index, await blocking { PeerAddress(trying: place, from: own) })
                }
            }
            var tried: [(Int, PeerAddress)] = []
            for await one in group { tried.append(one) }
            return tried.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    private static func finding(_ peer: PeerAddress) -> NetworkFinding {
        switch peer.answer {
        case .connected: .peerReachable(peer.place)
        case .refused: .peerRefuses(peer.place)
        case .silent: .peerSilent(peer.place)
        case .nameUnknown: .peerNameUnknown(peer.place)
        case .unreachable: .peerUnreachable(peer.place)
        }
    }

    /// Runs blocking calls away from the threads that Swift's tasks share.
    private static func blocking<Result: Sendable>(
        _ body: @escaping @Sendable () -> Result
    ) async -> Result {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: body()) }
        }
    }
}
