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

/// The words of status, `run` and the doctor about this machine and the network.
extension Sentence.Problem {
    // MARK: Discovery

    package static func noDiscovery(
        _ fault: DiscoveryFault, _ administration: Administration
    ) -> Words {
        let (reason, remedy) = explained(fault, administration)
        return Words(
            """
            Other devices are not found by themselves, because \(reason). Known addresses still \
            work.
            """, Message(verbatim: reason), Message(verbatim: remedy))
    }

    /// The command that makes devices find each other.
    package static func command(
        _ fault: DiscoveryFault, _ administration: Administration
    ) -> String { explained(fault, administration).remedy }

    // MARK: Port

    /// `isFound` while other devices discover this one.
    package static func portTaken(_ conflict: PortConflict, isFound: Bool) -> Words {
        let (wanted, used) = ("\(conflict.wanted)", "\(conflict.used)")
        guard conflict.holder != .none else {
            return Words(
                """
                TCP port \(wanted) was taken when the agent started. It is free now, but the \
                agent still uses \(used).
                """, "the agent uses TCP port \(used)",
                "Restart the agent to use \(wanted) again.")
        }
        let finding =
            isFound
            ? tr("Devices find that by themselves.")
            : tr("Other devices learn that only when this one calls them.")
        return Words(
            """
            TCP port \(wanted) is taken by \(holderName(conflict.holder)), so the agent uses \(used). \
            \(finding)
            """, "the agent uses TCP port \(used)",
            Message(verbatim: portRemedy(conflict)))
    }

    // MARK: Firewall

    package static func firewall(
        _ obstacle: FirewallObstacle, _ administration: Administration
    ) -> Words {
        let ports = obstacle.ports.map { tr("\($0.transport.uppercased()) port \($0.number)") }
            .joined(separator: tr(" and "))
        let name = programName(obstacle.program)
        let command = allow(obstacle, administration)
        guard obstacle.isCertain else {
            let what = tr("\(name) is on, and may close \(ports)")
            return Words(
                "\(what): then other devices cannot connect to this one.",
                Message(verbatim: lowered(what)),
                "Unless it is open already: \(command)")
        }
        let effect =
            switch (obstacle.closesSessions, obstacle.closesDiscovery) {
            case (true, true): tr("other devices can neither find this one nor connect to it")
            case (true, false): tr("other devices cannot connect to this one")
            default: tr("devices are not found by themselves")
            }
        let what = tr("\(name) closes \(ports)")
        return Words(
            "\(what): \(effect).", Message(verbatim: lowered(what)), Message(verbatim: command))
    }
}

private func explained(
    _ fault: DiscoveryFault, _ administration: Administration
) -> (reason: String, remedy: String) {
    switch fault {
    case .busNotInstalled:
        (
            tr("D-Bus, which Avahi needs, is not installed here"),
            administration.installAvahi(withBus: true)
        )
    case .busStopped:
        (tr("D-Bus, which Avahi needs, does not run here"), administration.startBus)
    case .avahiNotInstalled:
        (tr("Avahi is not installed here"), administration.installAvahi(withBus: false))
    case .avahiStopped:
        (tr("Avahi is installed here but does not run"), administration.startAvahi)
    case .avahiMasked:
        (tr("Avahi is switched off (masked) here"), administration.unmaskAvahi)
    case .avahiFails(let message):
        (
            tr("Avahi runs here but refuses (\(Sentence.plain(message)))"),
            administration.restartAvahi
        )
    }
}

private func holderName(_ holder: PortConflict.Holder) -> String {
    switch holder {
    case .none, .unknown: tr("another program")
    case .peersync(let user?): tr("user \(Sentence.plain(user)), who runs peersync as well")
    case .peersync(nil): tr("another peersync of yours")
    case .program(let name): tr("the program \(Sentence.plain(name))")
    case .user(let user): tr("a program of user \(Sentence.plain(user))")
    }
}

private func portRemedy(_ conflict: PortConflict) -> String {
    let firewall = tr("a firewall rule for \(conflict.wanted) does not fit \(conflict.used)")
    if case .peersync = conflict.holder {
        return tr("Nothing has to be done, as both can run; but \(firewall).")
    }
    return tr(
        """
        Nothing has to be done, but \(firewall). To use \(conflict.wanted) again, stop that \
        program and restart the agent.
        """)
}

private func lowered(_ text: String) -> String {
    text.prefix(1).lowercased() + text.dropFirst()
}

private func programName(_ program: FirewallObstacle.Program) -> String {
    switch program {
    case .ufw: tr("The firewall ufw")
    case .firewalld: tr("The firewall firewalld")
    case .iptables: tr("The firewall (iptables)")
    case .nftables(let chain), .nftablesFile(let chain):
        tr("The firewall (nftables, chain \(Sentence.plain(chain)))")
    }
}

/// The command that opens the ports.
private func allow(
    _ obstacle: FirewallObstacle, _ administration: Administration
) -> String {
    let ports = obstacle.ports
    switch obstacle.program {
    case .ufw(hasProfile: true): return administration.line(tr("ufw allow peersync"))
    case .ufw(hasProfile: false):
        return administration.line(ports.map { tr("ufw allow \($0.number)/\($0.transport)") })
    case .firewalld(let hasService):
        let words = ports.map { "--add-port=\($0.number)/\($0.transport)" }
        let rule = hasService ? tr("--add-service=peersync") : words.joined(separator: " ")
        return administration.line(
            tr("firewall-cmd --permanent \(rule)"), tr("firewall-cmd --reload"))
    case .iptables:
        let rules = ports.map {
            tr("iptables -I INPUT -p \($0.transport) --dport \($0.number) -j ACCEPT")
        }
        return tr("\(administration.line(rules))  # until the next boot")
    case .nftables(let chain):
        let rules = ports.map { tr("nft insert rule \(Sentence.plain(chain)) \($0.rule)") }
        return tr("\(administration.line(rules))  # to keep it: /etc/nftables.conf")
    case .nftablesFile(let chain):
        let rules = ports.map(\.rule).joined(separator: "; ")
        let reload = administration.line(tr("nft -f /etc/nftables.conf"))
        return
            tr(
                "put at the top of chain \(Sentence.plain(chain)) in /etc/nftables.conf: \(rules); then: \(reload)"
            )
    }
}

extension FirewallObstacle {
    fileprivate var closesDiscovery: Bool { ports.contains(.multicastDNS) }
    fileprivate var closesSessions: Bool { ports.contains { $0 != .multicastDNS } }
}

extension FirewallObstacle.Port {
    fileprivate var transport: String { self == .multicastDNS ? tr("udp") : tr("tcp") }

    fileprivate var number: UInt16 {
        switch self {
        case .sessions(let port): port
        case .multicastDNS: 5353
        }
    }

    /// In the words of nft(8).
    fileprivate var rule: String { tr("\(transport) dport \(number) accept") }
}
