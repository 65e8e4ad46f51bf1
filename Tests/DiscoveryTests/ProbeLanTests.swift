import Discovery
import Foundation
import Logging
import SyncCore
import Testing

extension DiscoveryLanTests {
    @Suite("probed", .serialized, .timeLimit(.minutes(2)))
    struct Probed {
        private let ben = HostPort(host: "10.77.0.2", port: 4713)

        private func probe(_ peers: [HostPort], port: UInt16? = nil) async -> [NetworkFinding] {
            await NetworkProbe(
                port: port, usualPort: port ?? 4799, instanceName: nil, knownPeers: peers,
                logger: Logger(label: "test")
            ).run()
        }

        /// A listener on `ben` that accepts connections.
        private func listener() async throws -> Rig.Program {
            let process = try Rig.onBen("python3", "-m", "http.server", "\(ben.port)")
            #expect(
                try await Rig.soon {
                    try !Rig.lan("exec", "ben", "--", "ss", "-Hltn", "sport = :\(ben.port)").isEmpty
                })
            return process
        }

        @Test("a healthy network, an agent that does not run, and a service on the other host")
        func healthy() async throws {
            let service = try Rig.onBen(
                "avahi-publish", "-s", "other", "_peersync._tcp", "1", "v=1")
            #expect(try await Rig.soon { try !Rig.seenByBen().isEmpty })
            let nobody = HostPort(host: "10.77.0.77", port: 1)
            let findings = await probe([ben, nobody], port: 4799)
            #expect(findings.contains(.avahiRunning))
            #expect(findings.contains(.ownAdvertisementUnknown))
            #expect(findings.contains(.othersSeen(count: 1)))
            #expect(findings.contains(.portNotListening(4799)))
            #expect(findings.contains(.peerRefuses(ben)))
            #expect(findings.contains(.peerSilent(nobody)))
            #expect(findings.contains(.multicastAnswered))
            #expect(findings.contains(.firewallOpen(.multicastDNS)))
            #expect(!findings.contains(.noNetwork))
            service.end()
        }

        @Test("a device whose cable was pulled is not counted, though Avahi still lists it")
        func gone() async throws {
            // given
            let service = try Rig.onBen(
                "avahi-publish", "-s", "pulled", "_peersync._tcp", "\(ben.port)", "v=1")
            #expect(try await Rig.soon { try !Rig.seenByBen().isEmpty })
            #expect(await probe([]).contains(.othersSeen(count: 1)))
            // when
            try Rig.lan("cut", "ben")
            let findings = await probe([])
            // then
            #expect(findings.contains(.nothingSeen))
            try Rig.lan("heal", "ben")
            service.end()
        }

        @Test("blocked multicast with a reachable peer is told from isolation")
        func blocked() async throws {
            let service = try await listener()
            try Rig.lan("multicast", "ann", "off")
            try Rig.lan("multicast", "ben", "off")
            #expect(await probe([ben]).contains(.multicastBlocked(reachable: ben)))
            try Rig.lan("multicast", "ann", "on")
            try Rig.lan("multicast", "ben", "on")
            try Rig.lan("isolate", "ann", "on")
            try Rig.lan("isolate", "ben", "on")
            try Rig.lan("exec", "ann", "--", "ip", "neighbour", "flush", "dev", "eth0")
            let findings = await probe([ben])
            #expect(findings.contains(.peerSilent(ben)))
            #expect(findings.contains(.isolatedOrOffline))
            try Rig.lan("isolate", "ann", "off")
            try Rig.lan("isolate", "ben", "off")
            service.end()
        }

        @Test("a firewall that drops our packets is suspected")
        func firewall() async throws {
            func nft(_ words: String) throws { try Rig.lan("exec", "ann", "--", "nft", words) }
            try nft("add table inet test")
            try nft("add chain inet test in { type filter hook input priority 0; policy drop; }")
            try nft("add rule inet test in udp dport 5353 accept")
            let findings = await probe([], port: 4711)
            let chain = FirewallProgram.nftables(chain: "inet test in")
            #expect(findings.contains(.firewallClosed(.sessions(4711), chain)))
            #expect(findings.contains(.firewallOpen(.multicastDNS)))
            try nft("delete table inet test")
        }

        @Test("a missing network and missing Avahi are reported")
        func nothing() async throws {
            try Rig.lan("cut", "ann")
            try Rig.lan("avahi", "ann", "stop")
            let findings = await probe([])
            #expect(findings.contains(.noNetwork))
            #expect(findings.contains(.noAvahiDaemon))
            #expect(findings.contains(.multicastUnknown))
            try Rig.lan("heal", "ann")
            try Rig.lan("avahi", "ann", "start")
        }
    }
}
