import SyncCore
import Testing
import Transport

extension TransportTests {
    @Suite("Places for sockets")
    struct ConnectionSlotsTests {
        private static func key(_ number: UInt8) -> Bytes32 {
            Bytes32(Array(repeating: number, count: 32)) ?? .zero
        }

        @Test("Strangers get 4 places per address, and none of those for familiar addresses")
        func strangers() {
            let places = ConnectionSlots(limits: TransportLimits())
            // Given a device that once connected from 192.0.2.1
            let visit = places.reserve(for: Self.key(1), .session, address: "192.0.2.1")
            visit.map(places.giveBack)
            // When strangers take as many as they can
            var taken: [Place] = []
            for address in 0..<100 {
                for _ in 0..<10 {
                    if let place = places.reserveForStranger(address: "10.0.0.\(address)") {
                        taken.append(place)
                    }
                }
            }
            // Then some places are left, for the familiar address alone
            #expect(
                taken.count == Limits.unauthenticatedSockets - Limits.unauthenticatedSocketsKept)
            #expect(places.reserveForStranger(address: "10.0.1.1") == nil)
            for _ in 0..<Limits.unauthenticatedSocketsPerAddress {
                #expect(places.reserveForStranger(address: "192.0.2.1") != nil)
            }
            #expect(places.reserveForStranger(address: "192.0.2.1") == nil)
            // And released places are free again
            taken.forEach(places.giveBack)
            #expect(places.reserveForStranger(address: "10.0.1.1") != nil)
        }

        @Test("The last connections are for peers that have none")
        func peers() {
            let places = ConnectionSlots(limits: TransportLimits())
            var taken = 0
            for peer in 0..<200 as Range<UInt8> {
                for _ in 0..<20
                where places.reserve(for: Self.key(peer), .session, address: "a") != nil {
                    taken += 1
                }
            }
            #expect(taken == Limits.connections)
            let greedy = (Limits.connections - Limits.connectionsKept) / Limits.connectionsPerPeer
            let places2 = ConnectionSlots(limits: TransportLimits())
            for peer in 0..<UInt8(greedy) {
                for _ in 0..<Limits.connectionsPerPeer {
                    #expect(places2.reserve(for: Self.key(peer), .session, address: "a") != nil)
                }
                #expect(places2.reserve(for: Self.key(peer), .session, address: "a") == nil)
            }
            // Every further peer gets one, and only one
            #expect(places2.reserve(for: Self.key(100), .session, address: "a") != nil)
            #expect(places2.reserve(for: Self.key(100), .session, address: "a") == nil)
        }

        @Test("Pairing connections have their own few places, and one address cannot take them all")
        func pairing() {
            let places = ConnectionSlots(limits: TransportLimits())
            func reserve(_ number: UInt8, _ address: String) -> Place? {
                places.reserve(for: Self.key(number), .pairing, address: address)
            }
            for number in 0..<UInt8(Limits.pairingConnectionsPerAddress) {
                #expect(reserve(number, "a") == .pairing(address: "a"))
            }
            #expect(reserve(90, "a") == nil)
            let left = Limits.pairingConnections - Limits.pairingConnectionsPerAddress
            for number in 0..<UInt8(left) {
                #expect(reserve(50 + number, "b\(number)") != nil)
            }
            #expect(reserve(99, "c") == nil)
            places.giveBack(.pairing(address: "a"))
            #expect(reserve(99, "a") == .pairing(address: "a"))
        }
    }
}
