import Glibc
import SyncCore
import Testing
import Transport
import Wire

extension TransportTests {
    @Suite("Ports, addresses and dialling", .timeLimit(.minutes(1)))
    struct AddressTests {
        private static func endpoints() throws -> (server: Endpoint, client: Endpoint) {
            let (alice, bob) = (try TestDevice.number(0), try TestDevice.number(1))
            return (
                try Endpoint.test(alice, TestPolicy(trusting: [bob])),
                try Endpoint.test(bob, TestPolicy(trusting: [alice]))
            )
        }

        private static func expectEcho(
            _ server: Endpoint, _ client: Endpoint, _ listener: Listener, host: String
        ) async throws -> String {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await listener.run(echo) }
                defer { group.cancelAll() }
                let connection = try await Dialer(client).connect(
                    host: host, port: listener.port, protocol: .session)
                try await connection.send(.message([1]))
                #expect(try await connection.receive() == .message([1]))
                connection.close()
                return connection.remoteAddress.host
            }
        }

        @Test("One listener serves IPv4 and IPv6", arguments: ["127.0.0.1", "::1", "localhost"])
        func dualStack(host: String) async throws {
            let (server, client) = try Self.endpoints()
            let listener = try await Listener.bind(server, port: 0)
            let remote = try await Self.expectEcho(server, client, listener, host: host)
            #expect(remote == host || host == "localhost")
        }

        @Test("A link-local address is dialled with its scope, and reported with it")
        func linkLocal() async throws {
            guard let host = linkLocalAddress() else {
                print("skipped: no interface here has a link-local address")
                return
            }
            let (server, client) = try Self.endpoints()
            let listener = try await Listener.bind(server, port: 0)
            #expect(try await Self.expectEcho(server, client, listener, host: host) == host)
        }

        @Test("A taken port makes the listener take the next free one")
        func nextPort() async throws {
            let (server, client) = try Self.endpoints()
            let first = try await Listener.bind(server, port: 0)
            let second = try await Listener.bind(client, port: first.port)
            #expect(second.port > first.port)
            #expect(Int(second.port) < Int(first.port) + Limits.portAttempts)
            await first.close()
            await second.close()
        }

        @Test("Listening on a foreign address fails")
        func foreignAddress() async throws {
            let (server, _) = try Self.endpoints()
            await #expect(throws: TransportError.cannotListen(errno: EADDRNOTAVAIL)) {
                _ = try await Listener.bind(server, port: 0, addresses: ["203.0.113.1"])
            }
        }

        @Test("A closed port, an unknown host and a silent host have their own errors")
        func unreachable() async throws {
            let (server, client) = try Self.endpoints()
            let gone = try await Listener.bind(server, port: 0, addresses: ["127.0.0.1"])
            await gone.close()
            await #expect(throws: TransportError.refused) { try await client.dial(gone.port) }
            await #expect(throws: TransportError.unresolvable) {
                try await Dialer(client).connect(
                    host: "nowhere.invalid", port: 1, protocol: .session, timeout: .seconds(20))
            }
            // Given a listener that accepts and never answers
            let silent = try SilentListener()
            let started = ContinuousClock.now
            await #expect(throws: TransportError.timedOut) {
                try await Dialer(client).connect(
                    host: "127.0.0.1", port: silent.port, protocol: .session,
                    timeout: .milliseconds(300))
            }
            #expect(ContinuousClock.now - started < .seconds(5))
        }

        @Test("Dialling can be cancelled")
        func cancelled() async throws {
            let (_, client) = try Self.endpoints()
            let silent = try SilentListener()
            let dialing = Task { try await client.dial(silent.port) }
            try await Task.sleep(for: .milliseconds(50))
            dialing.cancel()
            await #expect(throws: TransportError.cancelled) { _ = try await dialing.value }
        }

        @Test("A stopped listener refuses, and its connections end with an error")
        func stopped() async throws {
            let (server, client) = try Self.endpoints()
            let listener = try await Listener.bind(server, port: 0, addresses: ["127.0.0.1"])
            let running = Task { await listener.run(echo) }
            let connection = try await client.dial(listener.port)
            try await connection.send(.message([1]))
            #expect(try await connection.receive() == .message([1]))
            running.cancel()
            await running.value
            #expect(try await connection.receive() == nil)
            await #expect(throws: TransportError.refused) { try await client.dial(listener.port) }
        }
    }
}
