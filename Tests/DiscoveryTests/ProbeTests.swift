import Discovery
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

    @Test("without rules everything is open")
    func none() {
        #expect(FirewallRules(parsing: "").judge(.multicastDNS) == .open)
        #expect(rules("accept").judge(.sessions(4711)) == .open)
    }

    @Test("a policy or a last rule that drops is suspected of dropping what no rule accepts")
    func closed() {
        #expect(rules("drop", "ct state established accept").judge(.multicastDNS) == .suspected)
        let last = rules("accept", "tcp dport 22 accept", "counter packets 5 bytes 300 drop")
        #expect(last.judge(.sessions(4711)) == .suspected)
        #expect(rules("accept", "reject").judge(.sessions(4711)) == .suspected)
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
        #expect(rules("drop", rule).judge(.sessions(4711)) == .suspected)
        #expect(rules("drop", rule).judge(.sessions(5353)) == .suspected)
    }

    @Test("a rule that drops the port is suspected where all else is open")
    func dropped() {
        let rules = rules("accept", "tcp dport 4711 drop")
        #expect(rules.judge(.sessions(4711)) == .suspected)
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
        #expect(rules("drop", more: user).judge(.multicastDNS) == .suspected)
    }
}

@Suite("Network probe")
struct ProbeTests {
    private let place = HostPort(host: "10.77.0.2", port: 4711)

    private func peer(_ answer: PeerAddress.Answer, near: Bool = true) -> PeerAddress {
        PeerAddress(place: place, answer: answer, isOnOurNetwork: near)
    }

    @Test("multicast is blocked only if a peer on our network takes connections meanwhile")
    func multicast() {
        #expect(NetworkProbe.multicast(answered: true, []) == .multicastAnswered)
        #expect(
            NetworkProbe.multicast(answered: false, [peer(.silent), peer(.connected)])
                == .multicastBlocked(reachable: place))
        #expect(NetworkProbe.multicast(answered: false, [peer(.silent)]) == .isolatedOrOffline)
        #expect(NetworkProbe.multicast(answered: false, []) == .multicastUnknown)
        #expect(NetworkProbe.multicast(answered: false, [peer(.refused)]) == .multicastUnknown)
        #expect(
            NetworkProbe.multicast(answered: false, [peer(.connected, near: false)])
                == .multicastUnknown)
    }

    @Test("listening sockets are told apart by whom they serve")
    func sockets() {
        let table = ListeningSockets(
            parsing: """
                  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt
                   0: 0100007F:1267 00000000:0000 0A 00000000:00000000 00:00000000 00000000
                   1: 00000000:1268 00000000:0000 0A 00000000:00000000 00:00000000 00000000
                   2: 00000000000000000000000000000000:1269 00000000000000000000000000000000:0000 0A 0
                   3: 00000000000000000000000001000000:126A 00000000000000000000000000000000:0000 0A 0
                   4: 0100004D:126B 0200004D:0016 01 00000000:00000000 00:00000000 00000000
                   5: 0100007F:1268 00000000:0000 0A 00000000:00000000 00:00000000 00000000
                garbage : : 0A
                """)
        #expect(table.open == [0x1268, 0x1269])
        #expect(table.loopbackOnly == [0x1267, 0x126A])
    }

    @Test("the question is well-formed, and only an answer to it counts")
    func question() {
        let message = MulticastQuestion.message(0x1234)
        #expect(Array(message.prefix(12)) == [0x12, 0x34, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0])
        #expect(message[12] == 9)
        #expect(message.suffix(5) == [0, 0, 12, 0, 1])
        var answer = message
        #expect(!MulticastQuestion.isAnswer(answer[...], to: 0x1234))
        answer[2] = 0x84
        #expect(MulticastQuestion.isAnswer(answer[...], to: 0x1234))
        #expect(!MulticastQuestion.isAnswer(answer[...], to: 0x1235))
        #expect(!MulticastQuestion.isAnswer(answer.prefix(11), to: 0x1234))
    }

    @Test(
        "addresses of one network are recognised",
        arguments: [
            ("10.77.0.1", 24, "10.77.0.9", true), ("10.77.0.1", 24, "10.77.1.9", false),
            ("10.77.0.1", 23, "10.77.1.9", true), ("10.77.0.1", 24, "fe80::1%eth0", false),
            ("fe80::1%eth0", 64, "fe80::2%eth0", true), ("fe80::1%eth0", 64, "fe80::2%eth1", false),
            ("2001:db8::1", 64, "2001:db8:0:1::1", false), ("10.77.0.1", 24, "", false),
        ])
    func networks(_ own: String, _ bits: Int, _ other: String, _ isSame: Bool) {
        let address = NetworkAddress(interface: "eth0", address: own, prefixBits: bits)
        #expect(address.shares(networkWith: other) == isSame)
    }
}
