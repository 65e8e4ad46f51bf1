import Discovery
import Foundation
import Testing

@Suite("Firewall rules")
struct FirewallRulesTests {
    private func rules(_ policy: String, _ lines: String..., more: String = "") -> FirewallRules {
        FirewallRules(
            parsing: """
                table inet filter {
                \tset blocked {
                \t\ttype ipv4_addr
                \t}
                \tchain input {
                \t\ttype filter hook input priority filter; policy \(policy);
                \(lines.map { "\t\t" + $0 }.joined(separator: "\n"))
                \t}
                \(more)
                }
                """)
    }

    private let input = FirewallRules.ChainName(name: "inet filter input", isOfIptables: false)

    @Test("without rules every port is open")
    func none() {
        #expect(FirewallRules(parsing: "").judge(.multicastDNS) == .open)
        #expect(rules("accept").judge(.sessions(4711)) == .open)
    }

    @Test("a chain with a dropping policy or last rule is suspected if no rule accepts the port")
    func closed() {
        #expect(
            rules("drop", "ct state established accept").judge(.multicastDNS) == .suspected(input))
        let last = rules("accept", "tcp dport 22 accept", "counter packets 5 bytes 300 drop")
        #expect(last.judge(.sessions(4711)) == .suspected(input))
        #expect(rules("accept", "reject").judge(.sessions(4711)) == .suspected(input))
    }

    @Test(
        "a rule that accepts the port opens it",
        arguments: [
            "udp dport 5353 accept", "udp dport mdns accept", "udp dport { 53, 5353 } accept",
            "ip daddr 224.0.0.251 udp dport 5353 counter packets 0 bytes 0 accept",
            "udp dport 5000-6000 accept",
        ])
    func opened(_ rule: String) {
        #expect(rules("drop", rule).judge(.multicastDNS) == .open)
        #expect(rules("drop", rule).judge(.sessions(4711)) == .suspected(input))
        #expect(rules("drop", rule).judge(.sessions(5353)) == .suspected(input))
    }

    @Test("a rule that drops the port is suspected if everything else is open")
    func dropped() {
        let rules = rules("accept", "tcp dport 4711 drop")
        #expect(rules.judge(.sessions(4711)) == .suspected(input))
        #expect(rules.judge(.sessions(4712)) == .open)
        #expect(rules.judge(.multicastDNS) == .open)
    }

    @Test("rules for some senders only, and refusals with conditions, are not judged")
    func intricate() {
        let some = rules("drop", "ip saddr 10.0.0.0/8 udp dport 5353 accept")
        #expect(some.judge(.multicastDNS) == .intricate)
        #expect(rules("accept", "ip saddr @blocked drop").judge(.multicastDNS) == .intricate)
        #expect(rules("accept", "ct state invalid drop").judge(.multicastDNS) == .open)
    }

    @Test("of two rules about a port the first one decides")
    func order() {
        let opened = rules("accept", "tcp dport 4711 accept", "tcp dport 4711 drop")
        #expect(opened.judge(.sessions(4711)) == .open)
        let closed = rules("accept", "tcp dport 4711 drop", "tcp dport 4711 accept")
        #expect(closed.judge(.sessions(4711)) == .suspected(input))
    }

    @Test(
        "a rule that may accept a sender's packets is not judged, one for other packets is",
        arguments: [
            ("iifname \"eth0\" accept", true), ("ip saddr 192.168.0.0/16 accept", true),
            ("meta l4proto udp accept", true), ("iifname \"lo\" accept", false),
            ("ct state { established, related } accept", false), ("ct status dnat accept", false),
            ("meta l4proto { icmp, ipv6-icmp } accept", false), ("tcp dport ssh accept", false),
            ("icmpv6 type nd-neighbor-solicit accept", false),
        ])
    func letIn(_ rule: String, _ isIntricate: Bool) {
        let expected: FirewallRules.Judgement = isIntricate ? .intricate : .suspected(input)
        #expect(rules("drop", rule).judge(.sessions(4711)) == expected)
    }

    @Test("the closing chain is named, and iptables' chains are recognised")
    func names() {
        let text = """
            table ip filter {
            \tchain INPUT {
            \t\ttype filter hook input priority filter; policy drop;
            \t}
            }
            table ip6 filter {
            \tchain INPUT {
            \t\ttype filter hook input priority filter; policy accept;
            \t}
            }
            """
        #expect(
            FirewallRules(parsing: text).judge(.sessions(4711))
                == .suspected(.init(name: "ip filter INPUT", isOfIptables: true)))
    }

    @Test("chains that are jumped to count, chains for other traffic do not")
    func chains() {
        let forward = """
            \tchain forward {
            \t\ttype filter hook forward priority filter; policy drop;
            \t\tip saddr 1.2.3.4 drop
            \t}
            """
        #expect(rules("accept", more: forward).judge(.multicastDNS) == .open)
        let user = "\tchain user {\n\t\tudp dport 5353 accept\n\t\tjump user\n\t}"
        #expect(rules("drop", "jump user", more: user).judge(.multicastDNS) == .open)
        #expect(rules("drop", more: user).judge(.multicastDNS) == .suspected(input))
    }
}

@Suite("The judgement of the firewall")
struct FirewallJudgementTests {
    private static let closed = """
        table inet filter {
        \tchain input {
        \t\ttype filter hook input priority filter; policy drop;
        \t}
        }
        """
    private static let profile = """
        [peersync]
        title=peersync
        ports=21827/tcp|5353/udp
        """
    private static let service =
        "<service>\n<port protocol=\"udp\" port=\"5353\"/>\n<port protocol=\"tcp\" port=\"21827\"/>\n</service>"

    private func facts(_ change: (inout FirewallFacts) -> Void = { _ in }) -> FirewallFacts {
        var facts = FirewallFacts(rules: .unreadable(.notPermitted))
        change(&facts)
        return facts
    }

    @Test("readable rules decide, whichever program made them")
    func readable() {
        let open = facts { ($0.rules, $0.isUfwOn, $0.isFirewalldOn) = (.text(""), true, true) }
        #expect(open.view(of: 21_827) == FirewallView(sessions: .open, discovery: .open))
        var closed = facts { $0.rules = .text(Self.closed) }
        let chain = FirewallProgram.nftables(chain: "inet filter input")
        #expect(closed.view(of: 21_827).sessions == .closed(by: chain))
        #expect(closed.view(of: 21_827).discovery == .closed(by: chain))
        closed.isFirewalldOn = true
        closed.firewalldService = Self.service
        #expect(closed.view(of: 21_827).sessions == .closed(by: .firewalld(hasService: true)))
        #expect(closed.view(of: 21_828).sessions == .closed(by: .firewalld(hasService: false)))
        closed.isUfwOn = true
        #expect(closed.view(of: 21_827).sessions == .closed(by: .ufw(hasProfile: false)))
        let rules = Self.closed.replacing("inet filter", with: "ip filter")
            .replacing("chain input", with: "chain INPUT")
        let old = facts { $0.rules = .text(rules) }
        #expect(old.view(of: 21_827).sessions == .closed(by: .iptables))
    }

    @Test("with unreadable rules, an active firewall may close the port, an inactive one does not")
    func unreadable() {
        #expect(facts().view(of: 21_827).sessions == .unknown(.notPermitted))
        let ufw = facts { ($0.isUfwOn, $0.ufwProfile) = (true, Self.profile) }
        #expect(ufw.view(of: 21_827).sessions == .possible(by: .ufw(hasProfile: true)))
        #expect(ufw.view(of: 21_828).sessions == .possible(by: .ufw(hasProfile: false)))
        // By default, ufw lets multicast DNS in.
        #expect(ufw.view(of: 21_827).discovery == .unknown(.notPermitted))
        let firewalld = facts { $0.isFirewalldOn = true }
        let possible = FirewallJudgement.possible(by: .firewalld(hasService: false))
        #expect(
            firewalld.view(of: 21_827) == FirewallView(sessions: possible, discovery: possible))
    }

    /// The rules of ufw 0.36 on Debian 12, without the chains for other traffic.
    private static let ufwRules = """
        table ip filter {
        \tchain ufw-before-input {
        \t\tiifname "lo" counter packets 0 bytes 0 accept
        \t\tct state related,established counter packets 0 bytes 0 accept
        \t\tct state invalid counter packets 0 bytes 0 jump ufw-logging-deny
        \t\tct state invalid counter packets 0 bytes 0 drop
        \t\tmeta l4proto icmp icmp type echo-request counter packets 0 bytes 0 accept
        \t\tudp sport 67 udp dport 68 counter packets 0 bytes 0 accept
        \t\tcounter packets 0 bytes 0 jump ufw-not-local
        \t\tip daddr 224.0.0.251 udp dport 5353 counter packets 0 bytes 0 accept
        \t\tcounter packets 0 bytes 0 jump ufw-user-input
        \t}
        \tchain ufw-after-input {
        \t\tudp dport 137 counter packets 0 bytes 0 jump ufw-skip-to-policy-input
        \t}
        \tchain INPUT {
        \t\ttype filter hook input priority filter; policy drop;
        \t\tcounter packets 0 bytes 0 jump ufw-before-input
        \t\tcounter packets 0 bytes 0 jump ufw-after-input
        \t}
        \tchain ufw-skip-to-policy-input {
        \t\tcounter packets 0 bytes 0 drop
        \t}
        \tchain ufw-not-local {
        \t\tfib daddr type local counter packets 0 bytes 0 return
        \t\tcounter packets 0 bytes 0 drop
        \t}
        \tchain ufw-user-input {
        \t}
        }
        """

    /// The same for firewalld 1.3.
    private static let firewalldRules = """
        table inet firewalld {
        \tchain filter_INPUT {
        \t\ttype filter hook input priority filter + 10; policy accept;
        \t\tct state { established, related } accept
        \t\tct status dnat accept
        \t\tiifname "lo" accept
        \t\tct state invalid drop
        \t\tjump filter_INPUT_ZONES
        \t\treject with icmpx admin-prohibited
        \t}
        \tchain filter_INPUT_ZONES {
        \t\tgoto filter_IN_public
        \t}
        \tchain filter_IN_public {
        \t\tjump filter_IN_public_allow
        \t\tmeta l4proto { icmp, ipv6-icmp } accept
        \t\treject with icmpx admin-prohibited
        \t}
        \tchain filter_IN_public_allow {
        \t\ttcp dport 22 accept
        \t\tip6 daddr fe80::/64 udp dport 546 accept
        \t}
        }
        """

    @Test("the rules of ufw and firewalld are understood")
    func real() {
        var facts = facts { ($0.rules, $0.isUfwOn) = (.text(Self.ufwRules), true) }
        let ufw = FirewallJudgement.closed(by: .ufw(hasProfile: false))
        #expect(facts.view(of: 21_827) == FirewallView(sessions: ufw, discovery: .open))
        let user = "chain ufw-user-input {\n"
        func adding(_ rule: String) -> FirewallView {
            facts.rules = .text(Self.ufwRules.replacing(user, with: "\(user)\t\t\(rule)\n"))
            return facts.view(of: 21_827)
        }
        #expect(adding("tcp dport 21827 counter packets 0 bytes 0 accept").sessions == .open)
        let everybody = adding("ip saddr 10.0.0.0/8 counter packets 0 bytes 0 accept")
        #expect(everybody.sessions == .unknown(.intricate))
        (facts.isUfwOn, facts.isFirewalldOn) = (false, true)
        facts.rules = .text(Self.firewalldRules)
        let closed = FirewallJudgement.closed(by: .firewalld(hasService: false))
        #expect(facts.view(of: 21_827) == FirewallView(sessions: closed, discovery: closed))
        let ssh = "tcp dport 22 accept"
        facts.rules = .text(
            Self.firewalldRules.replacing(
                ssh, with: "\(ssh)\n\t\ttcp dport 21827 accept\n\t\tudp dport 5353 accept"))
        #expect(facts.view(of: 21_827) == FirewallView(sessions: .open, discovery: .open))
    }

    @Test("rules loaded at boot count if they can be judged by reading")
    func atBoot() {
        let chain = FirewallJudgement.possible(by: .nftablesFile(chain: "inet filter input"))
        let plain = "#!/usr/sbin/nft -f\nflush ruleset\n" + Self.closed
        #expect(facts { $0.bootRules = plain }.view(of: 21_827).sessions == chain)
        let comment = plain.replacing("policy drop;", with: "policy drop; # tcp dport 21827 accept")
        #expect(facts { $0.bootRules = comment }.view(of: 21_827).sessions == chain)
        let open = plain.replacing("policy drop", with: "policy accept")
        let intricate = [
            plain + "\ninclude \"/etc/nftables.d/*.nft\"", "define port = 1\n" + plain,
            "table inet a { chain b { type filter hook input priority 0; policy drop; } }",
        ]
        for text in [open] + intricate {
            let sessions = facts { $0.bootRules = text }.view(of: 21_827).sessions
            #expect(sessions == .unknown(.notPermitted), "\(text)")
        }
    }

    @Test(
        "ufw is on if it is enabled and does not accept everything",
        arguments: [
            ("ENABLED=yes\nLOGLEVEL=low", "DEFAULT_INPUT_POLICY=\"DROP\"", true),
            ("ENABLED=yes", "", true), ("ENABLED=no", "", false), ("", "", false),
            ("# ENABLED=yes\nENABLED=no", "", false),
            ("ENABLED=yes", "DEFAULT_INPUT_POLICY=\"ACCEPT\"", false),
        ])
    func ufw(_ configuration: String, _ defaults: String, _ isOn: Bool) {
        #expect(
            FirewallFacts.isUfwOn(configuration: configuration, defaults: defaults) == isOn)
    }

    @Test("a profile names the port, alone or in a range, for TCP")
    func ports() {
        #expect(FirewallFacts.names(21_827, Self.profile))
        #expect(FirewallFacts.names(21_827, Self.service))
        #expect(!FirewallFacts.names(5353, Self.service))
        #expect(!FirewallFacts.names(21_828, Self.profile))
        #expect(FirewallFacts.names(21_830, "ports=21827:21836/tcp"))
        #expect(!FirewallFacts.names(21_837, "<port protocol=\"tcp\" port=\"21827-21836\"/>"))
        #expect(!FirewallFacts.names(21_827, ""))
    }

    @Test("only a process with CAP_NET_ADMIN runs nft")
    func capability() {
        #expect(FirewallFacts.isCapable(status: "Name:\tx\nCapEff:\t000001ffffffffff\n"))
        #expect(FirewallFacts.isCapable(status: "CapEff:\t0000000000001000"))
        #expect(!FirewallFacts.isCapable(status: "CapEff:\t000001ffffffefff"))
        #expect(!FirewallFacts.isCapable(status: "CapEff:\t0000000000000000"))
        #expect(!FirewallFacts.isCapable(status: ""))
    }

    @Test("the files of a machine are read, and changed rules give another revision")
    func files() throws {
        let root = NSTemporaryDirectory() + "peersync-firewall-\(UUID())"
        defer { try? FileManager.default.removeItem(atPath: root) }
        func write(_ path: String, _ text: String) throws {
            let file = URL(fileURLWithPath: root + path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try text.write(to: file, atomically: false, encoding: .utf8)
        }
        func look() -> FirewallFacts { facts { $0.look(below: root) } }
        #expect(look() == facts { $0.revision = "- - - -" })
        try write("/etc/ufw/ufw.conf", "ENABLED=yes\n")
        try write("/etc/ufw/user.rules", "")
        try write("/etc/ufw/applications.d/peersync", Self.profile)
        let first = look()
        #expect(first.isUfwOn && first.ufwProfile == Self.profile && !first.isFirewalldOn)
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1)],
            ofItemAtPath: root + "/etc/ufw/user.rules")
        #expect(look().revision != first.revision)
        // A process that has ended may have left its file.
        try write("/run/firewalld.pid", "17\n")
        #expect(!look().isFirewalldOn)
        try write("/proc/17/comm", "firewalld")
        #expect(look().isFirewalldOn)
        try write("/etc/nftables.conf", Self.closed)
        #expect(look().bootRules == nil)
        try write("/etc/systemd/system/sysinit.target.wants/nftables.service", "")
        #expect(look().bootRules == Self.closed)
    }
}
