/// What is known of this machine's packet filter and one port.
package enum FirewallJudgement: Hashable, Sendable {
    case open
    /// The rules were read, and none lets the port in.
    case closed(by: FirewallProgram)
    /// It is on, and this user cannot read its rules.
    case possible(by: FirewallProgram)
    case unknown(FirewallIgnorance)
}

/// What made the rules, and so opens a port in them.
package enum FirewallProgram: Hashable, Sendable {
    /// `hasProfile` when it knows an application profile of peersync with our port.
    case ufw(hasProfile: Bool)
    /// `hasService` when it knows a service of peersync with our port.
    case firewalld(hasService: Bool)
    case iptables
    /// The chain that closes the port, as nft(8) names it: `inet filter input`.
    case nftables(chain: String)
    /// The same chain in /etc/nftables.conf.
    case nftablesFile(chain: String)
}

/// What is known of the firewall as far as it matters to peersync.
package struct FirewallView: Hashable, Sendable {
    package var sessions: FirewallJudgement
    package var discovery: FirewallJudgement
    /// Another one after somebody changed rules that this user cannot read.
    package var revision: String

    package init(
        sessions: FirewallJudgement, discovery: FirewallJudgement, revision: String = ""
    ) {
        (self.sessions, self.discovery) = (sessions, discovery)
        self.revision = revision
    }
}

extension FirewallFacts {
    /// What follows for sessions that come to a TCP port, and for discovery.
    package func view(of port: UInt16) -> FirewallView {
        FirewallView(
            sessions: judge(.sessions(port), ownPort: port),
            discovery: judge(.multicastDNS, ownPort: port), revision: revision)
    }

    /// What follows from the facts for one port. `ownPort` is the one sessions come to.
    package func judge(_ port: FirewallPort, ownPort: UInt16) -> FirewallJudgement {
        switch rules {
        case .text(let text):
            let rules = FirewallRules(parsing: text)
            switch rules.judge(port) {
            case .open: return .open
            case .intricate: return .unknown(.intricate)
            case .suspected(let chain):
                return .closed(by: managing(ownPort) ?? Self.program(of: chain))
            }
        case .unreadable(let why):
            if let program = managing(ownPort) {
                // As it comes, ufw lets multicast DNS in, whatever else it closes.
                if case .ufw = program, port == .multicastDNS { return .unknown(why) }
                return .possible(by: program)
            }
            guard case .suspected(let chain)? = rulesAtBoot?.judge(port) else {
                return .unknown(why)
            }
            return .possible(by: .nftablesFile(chain: chain.name))
        }
    }

    /// Which program keeps the rules, and has a word for opening our port.
    private func managing(_ port: UInt16) -> FirewallProgram? {
        if isUfwOn { return .ufw(hasProfile: Self.names(port, ufwProfile)) }
        if isFirewalldOn { return .firewalld(hasService: Self.names(port, firewalldService)) }
        return nil
    }

    private static func program(of chain: FirewallRules.ChainName) -> FirewallProgram {
        // What iptables keeps in nftables has its own names, and nft is not to touch it.
        chain.isOfIptables ? .iptables : .nftables(chain: chain.name)
    }

    /// Whether a profile of ufw (`ports=21827/tcp|5353/udp`) or a service of firewalld
    /// (`<port protocol="tcp" port="21827"/>`) has a TCP port in it.
    package static func names(_ port: UInt16, _ text: String) -> Bool {
        text.split(whereSeparator: \.isNewline).contains { line in
            line.contains("tcp")
                && line.split { !($0.isNumber || $0 == ":" || $0 == "-") }.contains { range in
                    let bounds = range.split { ":-".contains($0) }.compactMap { UInt16($0) }
                    guard let low = bounds.first, let high = bounds.last else { return false }
                    return low <= port && port <= high
                }
        }
    }

    /// Whether ufw is on and closes what no rule opens (ufw(8): ENABLED in ufw.conf, the policy in
    /// /etc/default/ufw).
    package static func isUfwOn(configuration: String, defaults: String) -> Bool {
        func value(_ key: String, in text: String) -> String? {
            text.split(whereSeparator: \.isNewline).last { $0.hasPrefix(key + "=") }.map {
                $0.dropFirst(key.count + 1).filter { $0 != "\"" && $0 != "'" }.lowercased()
            }
        }
        return value("ENABLED", in: configuration) == "yes"
            && value("DEFAULT_INPUT_POLICY", in: defaults) != "accept"
    }

    /// Rules that are loaded at boot, when they can be judged by reading: no includes, no variables, a
    /// line for each rule.
    private var rulesAtBoot: FirewallRules? {
        guard let bootRules else { return nil }
        let lines = bootRules.split(whereSeparator: \.isNewline).map { line in
            line.prefix { $0 != "#" }
        }
        let isPlain = lines.allSatisfy { line in
            let words = line.split { " \t".contains($0) }
            guard let first = words.first else { return true }
            return first != "include" && first != "define" && !line.contains("$")
                && (!["table", "chain"].contains(first) || words.last == "{")
        }
        return isPlain ? FirewallRules(parsing: lines.joined(separator: "\n")) : nil
    }
}
