import Foundation
import SyncCore
import Testing
import Transport
import Wire

extension TransportTests {
    @Suite("Limits of sockets, time and size", .timeLimit(.minutes(1)))
    struct LimitTests {
        private static func limits(_ change: (inout TransportLimits) -> Void) -> TransportLimits {
            var limits = TransportLimits()
            change(&limits)
            return limits
        }

        @Test("A silent socket is closed when its time is over")
        func silentSocket() async throws {
            let limits = Self.limits { $0.authenticationTime = .milliseconds(300) }
            let server = try Endpoint.test(.number(0), TestPolicy(), limits)
            try await server.listening(echo) { port in
                let started = ContinuousClock.now
                let socket = try PlainSocket(port: port)
                #expect(await socket.isClosedByPeer())
                let elapsed = ContinuousClock.now - started
                #expect(elapsed >= .milliseconds(250))
                #expect(elapsed < .seconds(5))
            }
        }

        @Test("A device that finishes the handshake and then sends nothing valid is closed as well")
        func silentDevice() async throws {
            let limits = Self.limits { $0.authenticationTime = .seconds(1) }
            let (alice, bob) = (try TestDevice.number(0), try TestDevice.number(1))
            let server = try Endpoint.test(alice, TestPolicy(trusting: [bob]), limits)
            let client = try Endpoint.test(bob, TestPolicy(trusting: [alice]))
            let errors = Seen<TransportError>()
            try await server.listening({ connection in
                // Frames arrive, and the session layer never finds a valid one.
                do throws(TransportError) {
                    for try await _ in connection.frames {}
                } catch {
                    errors.append(error)
                }
            }) { port in
                let connection = try await client.dial(port)
                try await connection.send(.message([1]))
                await #expect(throws: TransportError.refusedByPeer) {
                    _ = try await connection.receive()
                }
                #expect(await eventually { errors.values == [.notAuthenticatedInTime] })
            }
        }

        @Test("An authenticated session outlives the authentication timeout")
        func authenticatedInTime() async throws {
            let limits = Self.limits { $0.authenticationTime = .seconds(1) }
            let (alice, bob) = (try TestDevice.number(0), try TestDevice.number(1))
            let server = try Endpoint.test(alice, TestPolicy(trusting: [bob]), limits)
            let client = try Endpoint.test(bob, TestPolicy(trusting: [alice]), limits)
            try await server.listening(echo) { port in
                let connection = try await client.dial(port)
                for round in 0..<3 as Range<UInt8> {
                    try await connection.send(.message([round]))
                    #expect(try await connection.receive() == .message([round]))
                    connection.markAuthenticated()
                    try await Task.sleep(for: .milliseconds(500))
                }
                connection.close()
            }
        }

        @Test("More than 4 unauthenticated sockets from one address are refused until one closes")
        func socketsPerAddress() async throws {
            let (alice, bob) = (try TestDevice.number(0), try TestDevice.number(1))
            let server = try Endpoint.test(alice, TestPolicy(trusting: [bob]))
            let client = try Endpoint.test(bob, TestPolicy(trusting: [alice]))
            try await server.listening(echo) { port in
                // Given four silent sockets
                var silent: [PlainSocket] = []
                for _ in 0..<Limits.unauthenticatedSocketsPerAddress {
                    silent.append(try PlainSocket(port: port))
                }
                // When a fifth arrives, from a stranger or a trusted device, then it is closed
                let fifth = try PlainSocket(port: port)
                #expect(await fifth.isClosedByPeer())
                await #expect(throws: TransportError.refusedByPeer) { try await client.dial(port) }
                // And when one of the four closes, the device gets its place
                silent.removeLast()
                let connects = await eventually {
                    guard let connection = try? await client.dial(port) else { return false }
                    connection.close()
                    return true
                }
                #expect(connects)
                withExtendedLifetime(silent) {}
            }
        }

        @Test("An authenticated connection does not use the unauthenticated places")
        func authenticatedPlaces() async throws {
            let (alice, bob) = (try TestDevice.number(0), try TestDevice.number(1))
            let server = try Endpoint.test(alice, TestPolicy(trusting: [bob]))
            let client = try Endpoint.test(bob, TestPolicy(trusting: [alice]))
            try await server.listening(echo) { port in
                var connections: [Connection] = []
                for _ in 0..<Limits.connectionsPerPeer {
                    let connection = try await client.dial(port)
                    try await connection.send(.message([1]))
                    #expect(try await connection.receive() == .message([1]))
                    connections.append(connection)
                }
                // Both ends hold their peer to the number of connections.
                await #expect(throws: TransportError.tooManyConnections) {
                    try await client.dial(port)
                }
                for connection in connections { connection.close() }
                #expect(await eventually { server.connectionCount == 0 })
            }
        }

        @Test("Before authentication a frame over 16 KiB is refused, whatever it contains")
        func longFrame() async throws {
            try await Self.session { client, connection in
                try await client.send(
                    .message(Array(repeating: 1, count: Limits.unauthenticatedBytes)))
                let length = UInt32(Limits.unauthenticatedBytes + 1)
                await #expect(
                    throws: TransportError.protocolViolation(.tooLong(length: length))
                ) { _ = try await connection.receive() }
                await #expect(throws: TransportError.refusedByPeer) {
                    _ = try await client.receive()
                }
            }
        }

        @Test("Before authentication only about 16 KiB are read, and after it the rest")
        func manyFrames() async throws {
            try await Self.session { client, connection in
                // Given a client that sends 400 KB at once
                let frame = Frame.message(Array(repeating: 1, count: 1000))
                for _ in 0..<400 { try await client.send(frame) }
                // When the other side consumes frames without finding a valid one
                let taken = Seen<Frame>()
                let reading = Task {
                    for try await frame in connection.frames { taken.append(frame) }
                }
                #expect(await eventually { taken.values.count >= 16 })
                try await Task.sleep(for: .milliseconds(300))
                // Then it gets the frames read before reading stopped: at most one receive buffer
                // over the limit
                #expect(taken.values.count <= 33)
                // And once authenticated, all of them
                connection.markAuthenticated()
                #expect(await eventually { taken.values.count == 400 })
                reading.cancel()
            }
        }

        @Test("More than 16 KiB of a handshake are not read")
        func longHandshake() async throws {
            let server = try Endpoint.test(.number(0), TestPolicy())
            try await server.listening(echo) { port in
                let socket = try PlainSocket(port: port)
                // A TLS record that announces a ClientHello of 16 MB, and then more records of it.
                let record = [0x16, 0x03, 0x01, 0x10, 0x00] as [UInt8]
                let start = [0x01, 0xFF, 0xFF, 0xFF] as [UInt8]
                socket.send(record + start + Array(repeating: 0, count: 4092))
                for _ in 0..<8 { socket.send(record + Array(repeating: 0, count: 4096)) }
                #expect(await socket.isClosedByPeer())
            }
        }

        @Test("A pairing connection may carry 64 KiB in its whole life")
        func pairingBytes() async throws {
            let (alice, bob) = (try TestDevice.number(0), try TestDevice.number(1))
            let server = try Endpoint.test(alice, TestPolicy(pairingOpen: true))
            let client = try Endpoint.test(bob, TestPolicy(pairingOpen: true))
            try await server.listening(echo) { port in
                let connection = try await client.dial(port, as: .pairing)
                let frame = Frame.message(Array(repeating: 1, count: 8000))
                await #expect(throws: TransportError.self) {
                    for _ in 0..<9 {
                        try await connection.send(frame)
                        _ = try await connection.receive()
                        connection.markAuthenticated()
                    }
                }
                connection.close()
            }
        }

        @Test("A session without transfers is closed after the idle time, a busy one is not")
        func idle() async throws {
            let limits = Self.limits { $0.idleTime = .seconds(1) }
            try await Self.session(limits) { client, connection in
                try await client.send(.message([1]))
                _ = try await connection.receive()
                connection.markAuthenticated()
                for _ in 0..<6 {
                    try await Task.sleep(for: .milliseconds(400))
                    try await client.send(.message([2]))
                    _ = try await connection.receive()
                }
                await #expect(throws: TransportError.idle) { _ = try await connection.receive() }
            }
        }

        /// A connection between two devices that trust each other, unauthenticated on both ends.
        static func session(
            _ limits: TransportLimits = TransportLimits(),
            _ body: @Sendable (_ client: Connection, _ server: Connection) async throws -> Void
        ) async throws {
            let (alice, bob) = (try TestDevice.number(0), try TestDevice.number(1))
            let server = try Endpoint.test(alice, TestPolicy(trusting: [bob]), limits)
            let client = try Endpoint.test(bob, TestPolicy(trusting: [alice]))
            let (accepted, continuation) = AsyncStream.makeStream(of: Connection.self)
            try await server.listening({ connection in
                continuation.yield(connection)
                await connection.waitUntilClosed()
            }) { port in
                let dialed = try await client.dial(port)
                var iterator = accepted.makeAsyncIterator()
                let other = try #require(await iterator.next())
                do {
                    try await body(dialed, other)
                } catch {
                    for connection in [dialed, other] { connection.fail(.closed) }
                    throw error
                }
                for connection in [dialed, other] { connection.fail(.closed) }
            }
        }
    }
}
