import Logging
import SyncCore
import Testing
import Transport
import Wire

extension TransportTests {
    @Suite("Admission of peers", .timeLimit(.minutes(1)))
    struct HandshakeTests {
        @Test("Two devices that trust each other exchange frames and know each other's key")
        func mutual() async throws {
            // Given two devices that trust each other
            let (alice, bob) = (try TestDevice.number(0), try TestDevice.number(1))
            let server = try Endpoint.test(alice, TestPolicy(trusting: [bob]))
            let client = try Endpoint.test(bob, TestPolicy(trusting: [alice]))
            let accepted = Seen<Connection>()
            try await server.listening({ connection in
                accepted.append(connection)
                await echo(connection)
            }) { port in
                // When one dials the other and sends frames of both kinds
                let connection = try await client.dial(port, expecting: alice.key)
                let frames: [Frame] = [
                    .message([1, 2, 3]), .chunk(ChunkPayload(requestID: 1, index: 2, data: [4])),
                    .message([]),
                ]
                for frame in frames { try await connection.send(frame) }
                // Then they return in order, and both ends know each other's key
                for frame in frames { #expect(try await connection.receive() == frame) }
                #expect(connection.peerKey == alice.key)
                #expect(connection.isDialed)
                #expect(connection.application == .session)
                #expect(connection.remoteAddress == RemoteAddress(host: "127.0.0.1", port: port))
                let other = try #require(accepted.values.first)
                #expect(other.peerKey == bob.key)
                #expect(!other.isDialed)
                #expect(other.remoteAddress.host == "127.0.0.1")
                connection.close()
            }
        }

        @Test("A stranger's session is refused, and its first receive reports that")
        func strangerDials() async throws {
            let (alice, stranger) = (try TestDevice.number(0), try TestDevice.number(1))
            let server = try Endpoint.test(alice, TestPolicy(pairingOpen: false))
            let client = try Endpoint.test(stranger, TestPolicy(trusting: [alice]))
            let served = Seen<Bytes32>()
            try await server.listening({ served.append($0.peerKey) }) { port in
                for _ in 0..<20 {
                    await #expect(throws: TransportError.notTrustedByPeer) {
                        let connection = try await client.dial(port)
                        // Frames on their way do not hide the reason.
                        try await connection.send(.message([UInt8](repeating: 7, count: 1000)))
                        _ = try await connection.receive()
                    }
                }
                #expect(served.values.isEmpty)
            }
        }

        @Test("A stranger's session is refused even while pairing is open")
        func strangerDialsWhilePairing() async throws {
            let (alice, stranger) = (try TestDevice.number(0), try TestDevice.number(1))
            let server = try Endpoint.test(alice, TestPolicy(pairingOpen: true))
            let client = try Endpoint.test(stranger, TestPolicy(trusting: [alice]))
            let served = Seen<Bytes32>()
            try await server.listening({ served.append($0.peerKey) }) { port in
                await #expect(throws: TransportError.refusedByPeer) {
                    let connection = try await client.dial(port)
                    _ = try await connection.receive()
                }
                #expect(served.values.isEmpty)
            }
        }

        @Test("A dialler closes the connection to an untrusted or unexpected device")
        func strangerListens() async throws {
            let (alice, bob) = (try TestDevice.number(0), try TestDevice.number(1))
            let server = try Endpoint.test(alice, TestPolicy(trusting: [bob]))
            let wary = try Endpoint.test(bob, TestPolicy())
            let trusting = try Endpoint.test(bob, TestPolicy(trusting: [alice, bob]))
            try await server.listening(echo) { port in
                await #expect(throws: TransportError.notTrusted) { try await wary.dial(port) }
                await #expect(throws: TransportError.notTrusted) {
                    try await trusting.dial(port, expecting: bob.key)
                }
            }
        }

        @Test("Strangers may pair while pairing is open, and only then", arguments: [true, false])
        func pairing(isOpen: Bool) async throws {
            let (alice, stranger) = (try TestDevice.number(0), try TestDevice.number(1))
            let server = try Endpoint.test(alice, TestPolicy(pairingOpen: isOpen))
            let client = try Endpoint.test(stranger, TestPolicy())
            try await server.listening(echo) { port in
                // The dialling side does not have the other's key yet: the code will decide.
                let connection = try await Dialer(client).connect(
                    host: "127.0.0.1", port: port, protocol: .pairing, policy: AdmitAnyone())
                if isOpen {
                    try await connection.send(.message([7]))
                    #expect(try await connection.receive() == .message([7]))
                    #expect(connection.application == .pairing)
                } else {
                    await #expect(throws: TransportError.refusedByPeer) {
                        _ = try await connection.receive()
                    }
                }
                connection.close()
            }
        }

        @Test("A forgotten device loses its open connections and gets no new ones")
        func forgotten() async throws {
            // Given two connected devices
            let (alice, bob) = (try TestDevice.number(0), try TestDevice.number(1))
            let policy = TestPolicy(trusting: [bob])
            let server = try Endpoint.test(alice, policy)
            let client = try Endpoint.test(bob, TestPolicy(trusting: [alice]))
            try await server.listening(echo) { port in
                let connection = try await client.dial(port)
                try await connection.send(.message([1]))
                #expect(try await connection.receive() == .message([1]))
                // When one forgets the other
                policy.forget(bob)
                server.closeUntrusted()
                // Then the connection ends, and a new one is refused
                await #expect(throws: TransportError.connectionLost) {
                    _ = try await connection.receive()
                }
                await #expect(throws: TransportError.notTrustedByPeer) {
                    _ = try await client.dial(port).receive()
                }
                #expect(await eventually { server.connectionCount == 0 })
            }
        }

        @Test("A certificate and key that do not load are an error, not a crash")
        func unusableIdentity() throws {
            let alice = try TestDevice.number(0)
            let broken = TLSIdentity(
                certificateDER: Array(alice.identity.certificateDER.dropLast(40)),
                privateKeyPKCS8DER: alice.identity.privateKeyPKCS8DER)
            let empty = TLSIdentity(
                certificateDER: alice.identity.certificateDER, privateKeyPKCS8DER: [])
            for identity in [broken, empty] {
                #expect(throws: TransportError.unusableIdentity) {
                    _ = try Endpoint(
                        identity: identity, policy: TestPolicy(), logger: Logger(label: "test"))
                }
            }
        }
    }
}
