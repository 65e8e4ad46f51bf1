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
        async let answered = Self.blocking { MulticastQuestion.isAnswered() }
        let peers = await tryPeers()
        var findings = Self.interfaces()
        findings += await avahi
        findings += portFindings()
        findings += firewallFindings(await firewall)
        findings += peers.map(Self.finding)
        // Avahi's list proves nothing: it remembers others for up to an hour after their last
        // packet.
        findings.append(Self.multicast(answered: await answered, peers))
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

    /// Browses for some seconds, without advertising.
    private func lookAround() async -> [NetworkFinding] {
        let discovery = AvahiDiscovery(port: nil, protocolVersion: 1, logger: logger)
        await discovery.start()
        let timer = Task {
            // Browsing is over, even if it was cut short.
            try? await Task.sleep(for: .seconds(Limits.probeSeconds))
            await discovery.stop()
        }
        var outage: DiscoveryOutage?
        var names: Set<String> = []
        for await event in discovery.events {
            switch event {
            case .available: outage = nil
            case .unavailable(let reason): outage = reason
            case .found(let instance): names.insert(instance.name)
            // Stopping reports everything as lost: found instances still count.
            case .lost: break
            }
        }
        await timer.value
        if let outage {
            return [Self.finding(outage), .ownAdvertisementUnknown]
        }
        let others = names.subtracting(instanceName.map { [$0] } ?? [])
        let own: NetworkFinding =
            switch instanceName {
            case nil: .ownAdvertisementUnknown
            case let name?: names.contains(name) ? .ownAdvertisementSeen : .ownAdvertisementNotSeen
            }
        let seen: NetworkFinding = others.isEmpty ? .nothingSeen : .othersSeen(count: others.count)
        return [.avahiRunning, own, seen]
    }

    private static func finding(_ outage: DiscoveryOutage) -> NetworkFinding {
        switch outage {
        case .noDBus: .noDBus
        case .noAvahiDaemon: .noAvahiDaemon
        case .failed(let code, let message): .avahiFailed(code: code, message: message)
        }
    }

    // MARK: Peers

    private func tryPeers() async -> [PeerAddress] {
        let own = NetworkAddress.current()
        return await withTaskGroup(of: (Int, PeerAddress).self) { group in
            for (index, place) in knownPeers.enumerated() {
                group.addTask {
                    (index, await Self.blocking { PeerAddress(trying: place, from: own) })
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
