package import SyncCore

/// One thing the network probe found, good, bad or unknowable. Whoever shows it words it.
package enum NetworkFinding: Hashable, Sendable {
    // Avahi
    case noDBus
    case noAvahiDaemon
    case avahiRunning
    /// Avahi is there and refuses.
    case avahiFailed(code: Int32, message: String)

    // Interfaces
    /// Nothing but loopback is connected.
    case noNetwork
    /// A connected interface with its addresses, without their prefixes.
    case interface(name: String, addresses: [String])
    /// A connected interface that cannot multicast: nobody is found through it.
    case interfaceWithoutMulticast(name: String)

    // Ourselves
    case portListening(UInt16)
    /// Something listens, but on loopback only: nobody else can connect.
    case portOnLoopbackOnly(UInt16)
    case portNotListening(UInt16)
    /// The kernel's list of sockets could not be read.
    case portUnknown(UInt16)
    case ownAdvertisementSeen
    /// Avahi runs and does not show our own service.
    case ownAdvertisementNotSeen
    /// Without Avahi, or while we do not advertise, there is nothing to see.
    case ownAdvertisementUnknown

    // Others
    /// Other peersyncs that advertise themselves now.
    case othersSeen(count: Int)
    case nothingSeen

    // Firewall
    /// The rules drop or reject this kind of packet.
    case firewallClosed(FirewallPort, FirewallProgram)
    /// A firewall is on, and its rules cannot be read by this user.
    case firewallPossible(FirewallPort, FirewallProgram)
    /// No rule in the way of this kind of packet on this machine.
    case firewallOpen(FirewallPort)
    case firewallUnknown(FirewallPort, FirewallIgnorance)

    // Multicast
    /// Some other machine answered our multicast question: multicast works both ways.
    case multicastAnswered
    /// Nobody answered multicast, although a peer on our network takes connections: an access point
    /// or switch does not pass multicast, or a firewall here or there drops it.
    case multicastBlocked(reachable: HostPort)
    /// Neither multicast nor any remembered address on our network answered: clients are kept apart
    /// (a guest network), or the others are off.
    case isolatedOrOffline
    /// Nobody answered, and there is no remembered address on our network to compare with.
    case multicastUnknown
    /// A peer on our network takes connections, and there is no interface with an IPv4 address to ask from:
    /// whether IPv6 passes it is not looked at.
    case multicastNotAsked

    // Each remembered address
    case peerReachable(HostPort)
    /// Its machine answers, but nothing listens there: peersync is not running, or its port changed.
    case peerRefuses(HostPort)
    case peerSilent(HostPort)
    /// The name has no address here.
    case peerNameUnknown(HostPort)
    /// The system does not even try, as when there is no route.
    case peerUnreachable(HostPort)
}

/// The packets that peersync needs let in.
package enum FirewallPort: Hashable, Sendable {
    /// UDP 5353: discovery.
    case multicastDNS
    /// TCP, our port: sessions.
    case sessions(UInt16)
}

/// Why nothing can be said about the firewall.
package enum FirewallIgnorance: Hashable, Sendable {
    /// Reading the rules needs root.
    case notPermitted
    /// The nft program is not installed; older iptables rules may exist.
    case noTool
    /// There are rules that cannot be judged by reading, such as ones about addresses or sets.
    case intricate
}
