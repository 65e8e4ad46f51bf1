import SyncCore
import Synchronization
import Testing
import Transport
import Wire

extension TransportTests {
    @Suite("Frames in flight", .timeLimit(.minutes(1)))
    struct FlowTests {
        private static func chunk(_ index: UInt32, bytes: Int = Limits.chunkBytes) -> Frame {
            let seed = UInt8(truncatingIfNeeded: index &* 31)
            return .chunk(
                ChunkPayload(
                    requestID: 7, index: index, data: Array(repeating: seed, count: bytes)))
        }

        /// Like `LimitTests.session`, authenticated on both ends.
        private static func session(
            _ limits: TransportLimits = TransportLimits(),
            _ body: @Sendable (_ client: Connection, _ server: Connection) async throws -> Void
        ) async throws {
            try await LimitTests.session(limits) { client, server in
                client.markAuthenticated()
                server.markAuthenticated()
                try await body(client, server)
            }
        }

        @Test("64 MiB of chunks arrive whole and in order")
        func chunks() async throws {
            let count: UInt32 = 64
            try await Self.session { client, server in
                let clock = ContinuousClock()
                let started = clock.now
                async let sending: Void = {
                    for index in 0..<count { try await client.send(Self.chunk(index)) }
                    client.close()
                }()
                var received: UInt32 = 0
                for try await frame in server.frames {
                    try #require(frame == Self.chunk(received))
                    received += 1
                }
                try await sending
                #expect(received == count)
                let elapsed = (clock.now - started) / Duration.seconds(1)
                let rate = Double(count) * Double(Limits.chunkBytes) / elapsed / 1e9
                print("note: \(count) chunks over loopback: \(rate) GB/s, comparing bytes included")
            }
        }

        @Test("A stopped reader makes the sender wait, and the bytes in between stay bounded")
        func backpressure() async throws {
            try await Self.session { client, server in
                // Given a sender of 256 MiB and a reader that consumes nothing
                let sent = Mutex(0)
                let sending = Task {
                    for index in 0..<256 as Range<UInt32> {
                        try await client.send(Self.chunk(index))
                        sent.withLock { $0 += 1 }
                    }
                }
                // When nothing moves any more
                var before = -1
                while before != sent.withLock({ $0 }) {
                    before = sent.withLock { $0 }
                    try await Task.sleep(for: .milliseconds(300))
                }
                // Then the sender has sent only as much as both kernels and both ends may hold
                #expect(before > 0)
                #expect(before < 32)
                // And when the reader continues, everything arrives
                for index in 0..<256 as Range<UInt32> {
                    try #require(try await server.receive() == Self.chunk(index))
                }
                try await sending.value
            }
        }

        @Test("Peers that read nothing do not stop the others, and are closed after the stall time")
        func stalledPeer() async throws {
            // Given a device with one peer that reads nothing, and one that does
            var limits = TransportLimits()
            limits.writeStallTime = .seconds(2)
            let devices = try (0..<3).map(TestDevice.number)
            let server = try Endpoint.test(devices[0], TestPolicy(trusting: devices), limits)
            let lazy = try Endpoint.test(devices[1], TestPolicy(trusting: devices))
            let busy = try Endpoint.test(devices[2], TestPolicy(trusting: devices))
            let errors = Seen<TransportError>()
            let lazyKey = devices[1].key
            try await server.listening({ connection in
                connection.markAuthenticated()
                guard connection.peerKey == lazyKey else { return await echo(connection) }
                do throws(TransportError) {
                    for index in 0..<64 as Range<UInt32> {
                        try await connection.send(Self.chunk(index))
                    }
                } catch {
                    errors.append(error)
                }
            }) { port in
                let stalled = try await lazy.dial(port)
                let connection = try await busy.dial(port)
                connection.markAuthenticated()
                // When the device sends to both, the second receives its frames
                for index in 0..<10 as Range<UInt32> {
                    try await connection.send(Self.chunk(index))
                    #expect(try await connection.receive() == Self.chunk(index))
                }
                #expect(server.bufferedBytes > 0)
                #expect(server.bufferedBytes <= limits.bufferedBytesPerConnection)
                // And then the first is closed
                #expect(await eventually { errors.values == [.stalled] })
                connection.close()
                #expect(await eventually { server.bufferedBytes == 0 })
                stalled.close()
            }
        }

        @Test("Frames sent before closing arrive, and then the end")
        func closing() async throws {
            try await Self.session { client, server in
                for index in 0..<3 as Range<UInt32> { try await client.send(Self.chunk(index)) }
                client.close()
                var received: [Frame] = []
                for try await frame in server.frames { received.append(frame) }
                #expect(received == (0..<3).map { Self.chunk($0) })
                // And this side can no longer send or receive
                await #expect(throws: TransportError.closed) { try await client.send(.message([])) }
                #expect(try await client.receive() == nil)
            }
        }

        @Test("Frames continue where the last reader stopped")
        func secondReader() async throws {
            try await Self.session { client, server in
                for number in 0..<4 as Range<UInt8> { try await client.send(.message([number])) }
                for try await frame in server.frames {
                    #expect(frame == .message([0]))
                    break
                }
                #expect(try await server.receive() == .message([1]))
                var iterator = server.frames.makeAsyncIterator()
                #expect(try await iterator.next() == .message([2]))
                #expect(try await server.receive() == .message([3]))
            }
        }

        @Test("Waiting for a frame can be cancelled, and the connection stays usable")
        func cancelledReceive() async throws {
            try await Self.session { client, server in
                let waiting = Task { try await server.receive() }
                try await Task.sleep(for: .milliseconds(50))
                await #expect(throws: TransportError.alreadyReceiving) {
                    _ = try await server.receive()
                }
                waiting.cancel()
                await #expect(throws: TransportError.cancelled) { _ = try await waiting.value }
                try await client.send(.message([1]))
                #expect(try await server.receive() == .message([1]))
            }
        }

        @Test("A waiting send can be cancelled, and ends when the connection does")
        func waitingSends() async throws {
            try await Self.session { client, server in
                let sending = Task {
                    for index in 0..<256 as Range<UInt32> {
                        try await client.send(Self.chunk(index))
                    }
                }
                try await Task.sleep(for: .milliseconds(300))
                sending.cancel()
                await #expect(throws: TransportError.cancelled) { try await sending.value }
                let again = Task {
                    for index in 0..<256 as Range<UInt32> {
                        try await client.send(Self.chunk(index))
                    }
                }
                try await Task.sleep(for: .milliseconds(50))
                server.fail(.closed)
                await #expect(throws: TransportError.connectionLost) { try await again.value }
            }
        }

        @Test("A frame that no peer would accept is not sent")
        func unsendable() async throws {
            try await Self.session { client, server in
                let frame = Self.chunk(0, bytes: Limits.chunkBytes + 1)
                await #expect(throws: TransportError.unsendable(.chunkTooLong)) {
                    try await client.send(frame)
                }
                try await client.send(.message([1]))
                #expect(try await server.receive() == .message([1]))
            }
        }
    }
}
