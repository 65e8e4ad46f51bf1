import Discovery
import SyncCore
import Testing

@Suite("Network probe")
struct ProbeTests {
    private let place = HostPort(host: "10.77.0.2", port: 4711)

    private func peer(_ answer: PeerAddress.Answer, near: Bool = true) -> PeerAddress {
        PeerAddress(place: place, answer: answer, isOnOurNetwork: near)
    }

    @Test("multicast is blocked only if a peer on our network accepts connections meanwhile")
    func multicast() {
        #expect(NetworkProbe.multicast(answered: true, []) == .multicastAnswered)
        // No question could be sent, so the missing answer proves nothing.
        #expect(NetworkProbe.multicast(answered: nil, [peer(.connected)]) == .multicastNotAsked)
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

    @Test("usual ports and added addresses of a device are tried, or else one port per host")
    func ports() {
        func at(_ host: String, _ port: UInt16) -> HostPort { HostPort(host: host, port: port) }
        let usual = Limits.defaultPort
        let known = [at("a", 40_001), at("b", 40_002), at("a", usual), at("b", 40_003)]
        #expect(NetworkProbe.worthATry(known) == [at("a", usual)])
        #expect(
            NetworkProbe.worthATry(known, added: [at("c", 7)]) == [at("c", 7), at("a", usual)])
        #expect(
            NetworkProbe.worthATry([at("a", 40_001), at("b", 40_002), at("b", 40_003)])
                == [at("a", 40_001), at("b", 40_002)])
        #expect(NetworkProbe.worthATry([]).isEmpty)
    }

    @Test("listening sockets for all machines and for loopback are told apart")
    func sockets() {
        let table = ListeningSockets(
            parsing: """
                  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt
                   0: 0100007F:1267 00000000:0000 0A 00000000:00000000 00:00000000 00000000 1000 0 77 1
                   1: 00000000:1268 00000000:0000 0A 00000000:00000000 00:00000000 00000000
                   2: 00000000000000000000000000000000:1269 00000000000000000000000000000000:0000 0A 0
                   3: 00000000000000000000000001000000:126A 00000000000000000000000000000000:0000 0A 0
                   4: 0100004D:126B 0200004D:0016 01 00000000:00000000 00:00000000 00000000
                   5: 0100007F:1268 00000000:0000 0A 00000000:00000000 00:00000000 00000000
                garbage : : 0A
                """)
        #expect(table.open == [0x1268, 0x1269])
        #expect(table.loopbackOnly == [0x1267, 0x126A])
        #expect([0x1267, 0x1269].allSatisfy { table.isTaken($0) } && !table.isTaken(0x126B))
        let owner = table.owners[0x1267]
        #expect(owner?.user == 1000 && owner?.inode == 77)
        #expect(table.owners[0x1268] == nil)
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

    @Test("of the devices that Avahi lists, those count that answer now or accept a connection")
    func announced() {
        // given
        func listed(_ name: String, _ host: String) -> DiscoveredInstance {
            DiscoveredInstance(
                name: name, addresses: [HostPort(host: host, port: 4711)], protocolVersion: 1,
                nameplate: nil)
        }
        let all = [listed("answers", "10.77.0.2"), listed("accepts", "10.77.0.3")]
        let gone = listed("gone", "10.77.0.4")
        let answer: [UInt8] = [0x12, 0x34, 0x84, 0, 7] + "answers".utf8 + [9]
        // when
        let count = NetworkProbe.announced(
            all + [gone], answers: [answer], accepting: Set(all[1].addresses))
        // then
        #expect(count == 2)
        #expect(NetworkProbe.announced(all + [gone], answers: [], accepting: []) == 0)
        // A name is found whole only.
        let longer: [UInt8] = [8] + "answers2".utf8
        #expect(!MulticastQuestion.isNamed("answers", in: [longer, []]))
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
