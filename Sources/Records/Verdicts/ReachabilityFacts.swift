/// Why other devices cannot be discovered.
package enum DiscoveryFault: Hashable, Sendable {
    /// Avahi is reached over D-Bus, which is missing.
    case busNotInstalled
    case busStopped
    case avahiNotInstalled
    case avahiStopped
    /// It was forbidden to start (`systemctl mask`).
    case avahiMasked
    /// It runs and refuses, with this message.
    case avahiFails(String)
}

/// The wanted TCP port is taken, and another one is used.
package struct PortConflict: Hashable, Sendable {
    package enum Holder: Hashable, Sendable {
        /// No program any more.
        case none
        case unknown
        /// Another peersync: of this user when the name is nil.
        case peersync(user: String?)
        /// A program of this user.
        case program(String)
        case user(String)
    }

    package let wanted: UInt16
    package let used: UInt16
    package var holder: Holder

    package init(wanted: UInt16, used: UInt16, holder: Holder) {
        (self.wanted, self.used, self.holder) = (wanted, used, holder)
    }

    /// Without names of users and programs.
    package var masked: PortConflict {
        PortConflict(wanted: wanted, used: used, holder: holder == .none ? .none : .unknown)
    }
}

/// A firewall of this machine that blocks other devices, or may block them.
package struct FirewallObstacle: Hashable, Sendable {
    package enum Program: Hashable, Sendable {
        /// `hasProfile` when it knows an application profile of peersync with this port.
        case ufw(hasProfile: Bool)
        /// `hasService` when it knows a service of peersync with this port.
        case firewalld(hasService: Bool)
        case iptables
        /// The chain that closes the port: `inet filter input`.
        case nftables(chain: String)
        /// The same, from /etc/nftables.conf, as this user cannot read the rules themselves.
        case nftablesFile(chain: String)
    }

    package enum Port: Hashable, Sendable {
        /// TCP, for sessions.
        case sessions(UInt16)
        /// UDP 5353, for discovery.
        case multicastDNS
    }

    package let program: Program
    package let ports: [Port]
    /// The rules were read. Otherwise the firewall is on, but may let the ports through.
    package let isCertain: Bool

    package init(_ program: Program, _ ports: [Port], isCertain: Bool) {
        (self.program, self.ports, self.isCertain) = (program, ports, isCertain)
    }
}
