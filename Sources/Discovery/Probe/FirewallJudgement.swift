/// A judgement of this machine's packet filter for one port.
package enum FirewallJudgement: Hashable, Sendable {
    case open
    /// The rules were read, and none lets the port in.
    case closed(by: FirewallProgram)
    /// A filter is on, and this user cannot read its rules.
    case possible(by: FirewallProgram)
    case unknown(FirewallIgnorance)
}

/// The program that made the rules, and that can open a port in them.
package enum FirewallProgram: Hashable, Sendable {
    /// `hasProfile` if it knows an application profile of peersync with our port.
    case ufw(hasProfile: Bool)
    /// `hasService` if it knows a service of peersync with our port.
    case firewalld(hasService: Bool)
    case iptables
    /// The chain that closes the port, as nft(8) names it: `inet filter input`.
    case nftables(chain: String)
    /// The same chain in /etc/nftables.conf.
    case nftablesFile(chain: String)
}

/// The facts about the firewall that matter to peersync.
package struct FirewallView: Hashable, Sendable {
    package var sessions: FirewallJudgement
    package var discovery: FirewallJudgement
    /// Differs after a change of rules that this user cannot read.
    package var revision: String

    package init(
        sessions: FirewallJudgement, discovery: FirewallJudgement, revision: String = ""
    ) {
        (self.sessions, self.discovery) = (sessions, discovery)
        self.revision = revision
    }
}

extension FirewallFacts {
    /// The judgements for sessions on a TCP port and for discovery.
    package func view(of port: UInt16) -> FirewallView {
        FirewallView(
            sessions: judge(.sessions(port), ownPort: port),
            discovery: judge(.multicastDNS, ownPort: port), revision: revision)
    }

    /// The judgement of the facts for one port. `ownPort` is the port for sessions.
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
                // By default, ufw lets multicast DNS in, even if it closes everything else.
                if case .ufw = program, port == .multicastDNS { return .unknown(why) }
                return .possible(by: program)
            }
            guard case .suspected(let chain)? = rulesAtBoot?.judge(port) else {
                return .unknown(why)
            }
            return .possible(by: .nftablesFile(chain: chain.name))
        }
    }

    /// The program that manages the rules and has a command to open our port.
    private func managing(_ port: UInt16) -> FirewallProgram? {
        if isUfwOn { return .ufw(hasProfile: Self.names(port, ufwProfile)) }
        if isFirewalldOn { return .firewalld(hasService: Self.names(port, firewalldService)) }
        return nil
    }

    private static func program(of chain: FirewallRules.ChainName) -> FirewallProgram {
        // iptables keeps its rules in nftables under its own names, and nft must not edit them.
        chain.isOfIptables ? .iptables : .nftables(chain: chain.name)
    }

    /// Whether a ufw profile (`ports=21827/tcp|5353/udp`) or a firewalld service (`<port
    /// protocol="tcp" port="21827"/>`) contains a TCP port.
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

    /// Whether ufw is on and closes every port without a rule (ufw(8): ENABLED in ufw.conf, the
    /// policy in /etc/default/ufw).
    package static func isUfwOn(configuration: String, defaults: String) -> Bool {
        func value(_ key: String, in text: String) -> String? {
            text.split(whereSeparator: \.isNewline).last { $0.hasPrefix(key + "=") }.map {
                $0.dropFirst(key.count + 1).filter { $0 != "\"" && $0 != "'" }.lowercased()
            }
        }
        return value("ENABLED", in: configuration) == "yes"
            && value("DEFAULT_INPUT_POLICY", in: defaults) != "accept"
    }

    /// The rules that are loaded at boot, if reading is enough to judge them: no includes, no
    /// variables, one rule per line.
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
