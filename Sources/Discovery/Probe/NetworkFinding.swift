package import SyncCore

/// One finding of the network probe: good, bad or unknown. Its caller writes the text.
package enum NetworkFinding: Hashable, Sendable {
    // Avahi
    case noDBus
    case noAvahiDaemon
    case avahiRunning
    /// Avahi runs and refuses.
    case avahiFailed(code: Int32, message: String)

    // Interfaces
    /// Only loopback is connected.
    case noNetwork
    /// A connected interface with its addresses, without their prefixes.
    case interface(name: String, addresses: [String])
    /// A connected interface without multicast: discovery does not work on it.
    case interfaceWithoutMulticast(name: String)

    // Ourselves
    case portListening(UInt16)
    /// The listener is on loopback only: no other machine can connect.
    case portOnLoopbackOnly(UInt16)
    case portNotListening(UInt16)
    /// The kernel's list of sockets could not be read.
    case portUnknown(UInt16)
    case ownAdvertisementSeen
    /// Avahi runs but does not show our own service.
    case ownAdvertisementNotSeen
    /// Without Avahi, or while we do not advertise, this cannot be checked.
    case ownAdvertisementUnknown

    // Others
    /// Other peersyncs that advertise now.
    case othersSeen(count: Int)
    case nothingSeen

    // Firewall
    /// The rules drop or reject this kind of packet.
    case firewallClosed(FirewallPort, FirewallProgram)
    /// A firewall is on, and this user cannot read its rules.
    case firewallPossible(FirewallPort, FirewallProgram)
    /// No rule on this machine blocks this kind of packet.
    case firewallOpen(FirewallPort)
    case firewallUnknown(FirewallPort, FirewallIgnorance)

    // Multicast
    /// Another machine answered our multicast question: multicast works in both directions.
    case multicastAnswered
    /// No machine answered multicast, although a peer on our network accepts connections: an access
    /// point or switch drops multicast, or a firewall on one of the machines does.
    case multicastBlocked(reachable: HostPort)
    /// No machine answered multicast, and no remembered address on our network answered: clients
    /// are isolated (a guest network), or the others are off.
    case isolatedOrOffline
    /// No machine answered, and there is no remembered address on our network to compare with.
    case multicastUnknown
    /// A peer on our network accepts connections, but no interface has an IPv4 address to ask from.
    /// Multicast over IPv6 is not tested.
    case multicastNotAsked

    // Each remembered address
    case peerReachable(HostPort)
    /// The machine answers, but nothing listens there: peersync is not running, or its port
    /// changed.
    case peerRefuses(HostPort)
    case peerSilent(HostPort)
    /// The name does not resolve here.
    case peerNameUnknown(HostPort)
    /// The system refuses to try, as when there is no route.
    case peerUnreachable(HostPort)
}

/// The packets that a firewall must let in for peersync.
package enum FirewallPort: Hashable, Sendable {
    /// UDP 5353: discovery.
    case multicastDNS
    /// TCP, our port: sessions.
    case sessions(UInt16)
}

/// Why the firewall cannot be judged.
package enum FirewallIgnorance: Hashable, Sendable {
    /// Reading the rules needs root.
    case notPermitted
    /// The nft program is not installed; there may be older iptables rules.
    case noTool
    /// Some rules cannot be judged by reading, such as rules about addresses or sets.
    case intricate
}
