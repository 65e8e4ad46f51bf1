/// Judges the rules that `nft list ruleset` prints, including those made by current iptables, ufw
/// and firewalld. It understands plain rules only, and reports when it does not understand one.
package struct FirewallRules {
    package enum Judgement: Equatable {
        case open
        /// The chain, with a hook of `input`, that refuses the port.
        case suspected(ChainName)
        case intricate
    }

    /// The name of a chain.
    package struct ChainName: Hashable, Sendable {
        /// As nft(8) names it: `inet filter input`.
        package let name: String
        /// Whether iptables created it and manages it.
        package let isOfIptables: Bool

        package init(name: String, isOfIptables: Bool) {
            (self.name, self.isOfIptables) = (name, isOfIptables)
        }
    }

    /// A chain of rules, in order; a chain with a hook of `input` filters incoming packets.
    private struct Chain {
        let table: [Substring]
        let name: Substring
        var isInput = false
        var dropsByPolicy = false
        var rules: [[Substring]] = []

        var place: ChainName {
            // Only iptables writes its built-in chains in capitals.
            ChainName(
                name: (table + [name]).joined(separator: " "),
                isOfIptables: name == "INPUT" && table.first != "inet")
        }
    }

    /// The chains that a packet to this machine can pass.
    private let chains: [Chain]

    /// - Parameter text: The output of `nft list ruleset`.
    package init(parsing text: String) {
        var all: [Chain] = []
        var chain: Chain?
        var table: [Substring] = []
        for line in text.split(whereSeparator: \.isNewline) {
            let words = line.split { " \t;,".contains($0) }
            switch words.first {
            case "table": table = Array(words.dropFirst().prefix(2))
            case "chain": chain = Chain(table: table, name: words.count > 1 ? words[1] : "")
            case "}":
                // This also ends tables and sets, for which no chain is open.
                if let chain { all.append(chain) }
                chain = nil
            case "type":
                chain?.isInput = words.contains("input")
                chain?.dropsByPolicy = words.contains("drop")
            case "policy": chain?.dropsByPolicy = words.contains("drop")
            default: chain?.rules.append(words)
            }
        }
        chains = Self.reachable(all)
    }

    /// Whether new packets to this port come in.
    package func judge(_ port: FirewallPort) -> Judgement {
        let inputs = chains.filter(\.isInput)
        guard let first = inputs.first else { return .open }
        let closing = inputs.first {
            $0.dropsByPolicy || $0.rules.contains(where: Self.refusesAll)
        }
        let rules = chains.flatMap(\.rules)
        let aboutPort = rules.filter { Self.isAbout(port, $0) }
        // If two rules are about a port, the first one decides.
        for rule in aboutPort where !Self.isPartial(rule) {
            if Self.isRefusal(rule) { return .suspected((closing ?? first).place) }
            if rule.contains("accept") { return .open }
        }
        if aboutPort.contains(where: { $0.contains("accept") }) { return .intricate }
        if let closing {
            let mayBeLetIn = rules.contains { $0.contains("accept") && !Self.isForOthers($0) }
            return mayBeLetIn ? .intricate : .suspected(closing.place)
        }
        // No rule closes all ports: only a rule that we cannot read could refuse this one.
        let unreadable = rules.contains {
            Self.isRefusal($0) && !$0.contains("dport") && !$0.contains("invalid")
        }
        return unreadable ? .intricate : .open
    }

    private static func reachable(_ all: [Chain]) -> [Chain] {
        var found = all.filter(\.isInput)
        var names = Set<Substring>()
        var next = 0
        // Every chain is added once, so the loop ends.
        while next < found.count {
            let words = found[next].rules.joined()
            next += 1
            let targets = zip(words, words.dropFirst())
                .filter { $0.0 == "jump" || $0.0 == "goto" }.map(\.1)
            for name in targets where names.insert(name).inserted {
                found += all.filter { $0.name == name && !$0.isInput }
            }
        }
        return found
    }

    private static func isRefusal(_ rule: [Substring]) -> Bool {
        rule.contains("drop") || rule.contains("reject")
    }

    /// A refusal without a condition, counted or not.
    private static func refusesAll(_ rule: [Substring]) -> Bool {
        let verdict =
            switch rule.first {
            case "counter": rule.dropFirst(rule.count > 1 && rule[1] == "packets" ? 5 : 1).first
            default: rule.first
            }
        return verdict == "drop" || verdict == "reject"
    }

    /// Whether a rule accepts none of our packets: it is for replies, loopback, other ports or
    /// other protocols.
    private static func isForOthers(_ rule: [Substring]) -> Bool {
        rule.contains {
            ["established", "related", "dnat", "lo", "\"lo\"", "dport", "sport"].contains($0)
                || $0.hasPrefix("icmp") || $0.hasSuffix("icmp") || $0 == "igmp"
        }
    }

    /// Whether a rule applies to some senders or interfaces only.
    private static func isPartial(_ rule: [Substring]) -> Bool {
        rule.contains { ["saddr", "iif", "iifname", "limit"].contains($0) }
    }

    /// Whether a rule names the port: `dport 5353`, `dport { 22, 5353 }`, `dport 5000-6000`.
    private static func isAbout(_ port: FirewallPort, _ rule: [Substring]) -> Bool {
        let (transport, number) =
            switch port {
            case .multicastDNS: ("udp", 5353)
            case .sessions(let port): ("tcp", Int(port))
            }
        guard let place = rule.firstIndex(of: "dport"), rule[..<place].contains(transport[...])
        else { return false }
        let rest = rule[(place + 1)...]
        let items = rest.first == "{" ? rest.dropFirst().prefix { $0 != "}" } : rest.prefix(1)
        return items.contains { item in
            if item == "mdns" { return number == 5353 }
            let bounds = item.split(separator: "-").compactMap { Int($0) }
            guard let low = bounds.first, let high = bounds.last else { return false }
            return low <= number && number <= high
        }
    }
}
