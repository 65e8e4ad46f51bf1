package import LocalAPI

extension DiscoveryFault {
    package func words(_ administration: Administration) -> Sentence.Problem.Words {
        let (reason, remedy) = explained(administration)
        return Sentence.Problem.Words(
            """
            Other devices are not found by themselves, because \(reason). Known addresses still \
            work.
            """, Message(verbatim: reason), Message(verbatim: remedy))
    }

    /// The command that makes devices find each other.
    package func remedy(_ administration: Administration) -> String {
        explained(administration).remedy
    }

    private func explained(
        _ administration: Administration
    ) -> (reason: String, remedy: String) {
        switch self {
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
}

extension PortConflict {
    /// `isFound` while other devices discover this one.
    package func words(isFound: Bool) -> Sentence.Problem.Words {
        let (wanted, used) = ("\(wanted)", "\(used)")
        guard holder != .none else {
            return Sentence.Problem.Words(
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
        return Sentence.Problem.Words(
            """
            TCP port \(wanted) is taken by \(holder.words), so the agent uses \(used). \
            \(finding)
            """, "the agent uses TCP port \(used)", Message(verbatim: remedy))
    }

    private var remedy: String {
        let firewall = tr("a firewall rule for \(wanted) does not fit \(used)")
        if case .peersync = holder {
            return tr("Nothing has to be done, as both can run; but \(firewall).")
        }
        return tr(
            """
            Nothing has to be done, but \(firewall). To use \(wanted) again, stop that \
            program and restart the agent.
            """)
    }
}

extension PortConflict.Holder {
    fileprivate var words: String {
        switch self {
        case .none, .unknown: tr("another program")
        case .peersync(let user?): tr("user \(Sentence.plain(user)), who runs peersync as well")
        case .peersync(nil): tr("another peersync of yours")
        case .program(let name): tr("the program \(Sentence.plain(name))")
        case .user(let user): tr("a program of user \(Sentence.plain(user))")
        }
    }
}

extension FirewallObstacle {
    package func words(_ administration: Administration) -> Sentence.Problem.Words {
        let ports = ports.map { tr("\($0.transport.uppercased()) port \($0.number)") }
            .joined(separator: tr(" and "))
        let name = program.words
        let command = allow(administration)
        guard isCertain else {
            let what = tr("\(name) is on, and may close \(ports)")
            return Sentence.Problem.Words(
                "\(what): then other devices cannot connect to this one.",
                Message(verbatim: lowered(what)),
                "Unless it is open already: \(command)")
        }
        let effect =
            switch (closesSessions, closesDiscovery) {
            case (true, true): tr("other devices can neither find this one nor connect to it")
            case (true, false): tr("other devices cannot connect to this one")
            default: tr("devices are not found by themselves")
            }
        let what = tr("\(name) closes \(ports)")
        return Sentence.Problem.Words(
            "\(what): \(effect).", Message(verbatim: lowered(what)), Message(verbatim: command))
    }

    /// The command that opens the ports.
    private func allow(_ administration: Administration) -> String {
        switch program {
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

    private var closesDiscovery: Bool { ports.contains(.multicastDNS) }
    private var closesSessions: Bool { ports.contains { $0 != .multicastDNS } }
}

extension FirewallObstacle.Program {
    fileprivate var words: String {
        switch self {
        case .ufw: tr("The firewall ufw")
        case .firewalld: tr("The firewall firewalld")
        case .iptables: tr("The firewall (iptables)")
        case .nftables(let chain), .nftablesFile(let chain):
            tr("The firewall (nftables, chain \(Sentence.plain(chain)))")
        }
    }
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

private func lowered(_ text: String) -> String {
    text.prefix(1).lowercased() + text.dropFirst()
}
