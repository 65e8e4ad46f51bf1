import Foundation
import SyncCore
import Testing
import Transport
import Wire

extension TransportTests {
    /// The listener, tested with a TLS client that is not ours.
    @Suite("Another program as client", .timeLimit(.minutes(2)))
    struct ForeignClientTests {
        private static let hello = Frame.message([1, 2, 3])

        /// Runs the client against a device that trusts device 1, and serves with an echo. Returns
        /// the client's output, and the keys that were served.
        private func outcome(
            sending input: [UInt8]? = nil, closesWhen: ((Data) -> Bool)? = nil,
            pairingOpen: Bool = false,
            limits: TransportLimits = TransportLimits(),
            _ configure: (inout OpenSSLClient) throws -> Void
        ) async throws -> (client: OpenSSLClient.Outcome, served: [Bytes32]) {
            let policy = TestPolicy(trusting: [try .number(1)], pairingOpen: pairingOpen)
            let server = try Endpoint.test(.number(0), policy, limits)
            let served = Seen<Bytes32>()
            let results = Seen<OpenSSLClient.Outcome>()
            try await server.listening({ connection in
                served.append(connection.peerKey)
                await echo(connection)
            }) { port in
                var client = OpenSSLClient(port: port)
                try configure(&client)
                results.append(
                    try await client.run(
                        sending: try input ?? Self.hello.encoded(), closesWhen: closesWhen))
            }
            return (try #require(results.values.first), served.values)
        }

        private func expectNothing(
            _ outcome: (client: OpenSSLClient.Outcome, served: [Bytes32]),
            sourceLocation: SourceLocation = #_sourceLocation
        ) {
            #expect(
                outcome.client.ended, "the server did not close", sourceLocation: sourceLocation)
            #expect(outcome.client.received.isEmpty, sourceLocation: sourceLocation)
            #expect(outcome.served.isEmpty, sourceLocation: sourceLocation)
        }

        @Test(
            "A trusted device's certificate opens a session, so the refusals below mean something")
        func trusted() async throws {
            let device = try TestDevice.number(1)
            let outcome = try await outcome(closesWhen: { !$0.isEmpty }) { $0.device = device }
            #expect(outcome.served == [device.key])
            #expect(Array(outcome.client.received) == (try Self.hello.encoded()))
        }

        @Test("A client without certificate receives nothing")
        func noCertificate() async throws {
            expectNothing(try await outcome { _ in })
        }

        @Test("A stranger's certificate receives nothing")
        func stranger() async throws {
            expectNothing(try await outcome { $0.device = try .number(2) })
        }

        @Test("TLS 1.2 receives nothing, trusted or not")
        func tls12() async throws {
            let outcome = try await outcome {
                $0.device = try .number(1)
                $0.options = ["-tls1_2"]
            }
            expectNothing(outcome)
            #expect(outcome.client.report.contains("protocol version"))
        }

        @Test(
            "Another application protocol, or none, receives nothing",
            arguments: ["h2", "peersync/2", nil])
        func otherProtocol(name: String?) async throws {
            expectNothing(
                try await outcome {
                    $0.device = try .number(1)
                    $0.application = name
                })
        }

        @Test("A stranger's pairing connection receives nothing while pairing is closed")
        func closedPairing() async throws {
            expectNothing(
                try await outcome {
                    $0.device = try .number(2)
                    $0.application = "peersync-pair/1"
                })
        }

        @Test(
            "A key of another kind receives nothing, even while pairing is open",
            arguments: ["p256", "ed448"])
        func otherKeys(algorithm: String) async throws {
            let device = try #require(try TestDevice.make(1, algorithm: algorithm).first)
            expectNothing(
                try await outcome(pairingOpen: true) {
                    $0.device = device
                    $0.application = "peersync-pair/1"
                })
        }

        @Test("A stream cut inside a frame is an error, not an end")
        func cutOff() async throws {
            // Given a client that sends one whole frame and half of another, and says goodbye
            let server = try Endpoint.test(.number(0), TestPolicy(trusting: [try .number(1)]))
            let errors = Seen<TransportError>()
            let frames = Seen<Frame>()
            try await server.listening({ connection in
                do throws(TransportError) {
                    for try await frame in connection.frames { frames.append(frame) }
                } catch {
                    errors.append(error)
                }
            }) { port in
                let client = OpenSSLClient(port: port, device: try .number(1))
                let input = try Self.hello.encoded() + [0, 0, 0, 100, 0, 1, 2]
                _ = try await client.run(
                    sending: input, closesWhen: { _ in !frames.values.isEmpty })
                // Then the reader gets the frame and the error
                #expect(await eventually { !errors.values.isEmpty })
            }
            #expect(frames.values == [Self.hello])
            #expect(errors.values == [.endedInsideFrame])
        }

        @Test(
            "Bytes that are not a frame close the connection",
            arguments: [[0, 0, 0, 0], [0, 0, 0, 1, 9], [0xFF, 0xFF, 0xFF, 0xFF]] as [[UInt8]])
        func noFrame(input: [UInt8]) async throws {
            let outcome = try await outcome(sending: input) { $0.device = try .number(1) }
            #expect(outcome.client.ended)
            #expect(outcome.client.received.isEmpty)
        }

        @Test("A resumed session is checked like a new one")
        func resumed() async throws {
            let directory = try makeTemporaryDirectory()
            defer { try? FileManager.default.removeItem(at: directory) }
            let ticket = directory.appending(path: "ticket").path
            let policy = TestPolicy(trusting: [try .number(1)])
            let server = try Endpoint.test(.number(0), policy)
            let served = Seen<Bytes32>()
            let client = Seen<OpenSSLClient.Outcome>()
            try await server.listening({ connection in
                served.append(connection.peerKey)
                await echo(connection)
            }) { port in
                // Given a client that was trusted and kept its session ticket
                var first = OpenSSLClient(port: port, device: try .number(1))
                first.options += ["-sess_out", ticket]
                _ = try await first.run(
                    sending: try Self.hello.encoded(), closesWhen: { !$0.isEmpty })
                try #require(FileManager.default.fileExists(atPath: ticket))
                var again = OpenSSLClient(port: port, device: try .number(1))
                again.options += ["-sess_in", ticket]
                again.isQuiet = false
                let answer = try Self.hello.encoded()
                let resumed = try await again.run(
                    sending: answer, closesWhen: { $0.suffix(answer.count).elementsEqual(answer) })
                #expect(
                    String(decoding: resumed.received, as: UTF8.self).contains("Reused, TLSv1.3"))
                // When it is forgotten and returns with the ticket
                policy.forget(try .number(1))
                var second = OpenSSLClient(port: port, device: try .number(1))
                second.options += ["-sess_in", ticket]
                client.append(try await second.run(sending: try Self.hello.encoded()))
            }
            // Then it receives nothing
            let second = try #require(client.values.first)
            #expect(second.ended)
            #expect(second.received.isEmpty)
            #expect(served.values.count == 2)
        }
    }
}
