import Foundation
import LocalAPI
import Testing

struct ServerTests {
    @Test("only its owner can use the socket, and it is removed afterwards")
    func socketMode() async throws {
        let path = try await withServer(RecordingService()) { path in
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            return path
        }
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test("a connection of another user is closed unanswered, and the server goes on")
    func otherUser() async throws {
        let service = RecordingService()
        try await withServer(service, allowedUser: geteuid() &+ 1) { path in
            for _ in 0..<100 {
                let thrown = await #expect(throws: APIError.self) {
                    try await LocalClient(socketPath: path).call(\.agent.info)
                }
                #expect(thrown == .agentWentAway)
            }
        }
        #expect(service.asked.isEmpty)
    }

    @Test("fifty simultaneous commands all get their answer")
    func parallel() async throws {
        let service = RecordingService()
        try await withServer(service) { path in
            try await withThrowingTaskGroup(of: TripView.self) { group in
                for number in 0..<50 {
                    group.addTask {
                        try await LocalClient(socketPath: path).call(\.trips.show, id: "\(number)")
                    }
                }
                let sample = try SampleMaker.make(TripView.self)
                for try await trip in group { #expect(trip == sample) }
            }
        }
        #expect(service.asked.count == 50)
    }

    @Test("a socket that a killed agent left behind does not stop the next one")
    func staleSocket() async throws {
        // given
        let directory = try temporaryDirectory()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let path = directory + "/agent.sock"
        #expect(leaveSocket(at: path))

        // when
        let server = LocalServer(handlers: HandlerTable(RecordingService()), socketPath: path)
        let (ready, listening) = AsyncStream.makeStream(of: Void.self)
        let running = Task {
            defer { listening.finish() }
            try await server.run { listening.yield() }
        }
        for await _ in ready { break }

        // then
        let info = try await LocalClient(socketPath: path).call(\.agent.info)
        #expect(try info == SampleMaker.make(InfoView.self))
        running.cancel()
        _ = await running.result
    }

    @Test(
        "a waiting long poll is dropped when its command is stopped",
        .timeLimit(.minutes(1)))
    func cancelledPoll() async throws {
        // The server ends only once nobody waits in it: a poll that is not dropped takes an hour.
        try await withServer(RecordingService(delay: .seconds(3600))) { path in
            let poll = Task {
                try await LocalClient(socketPath: path).call(
                    \.devices.pairing.poll, id: "p", RevisionPoll(knownRevision: 0, waitSeconds: 30)
                )
            }
            try await Task.sleep(for: .milliseconds(200))
            poll.cancel()
            await #expect(throws: CancellationError.self) { try await poll.value }
        }
    }

    @Test(
        "an unknown request gets an error in JSON",
        arguments: [
            ("GET /v1/nothing HTTP/1.1", "404", "notFound"),
            ("POST /v1/trips HTTP/1.1", "400", "badInput"),
            ("GET /v1/memories?since=soon HTTP/1.1", "400", "badInput"),
            ("GET /v1/memories?near=1,2 HTTP/1.1", "400", "badInput"),
            ("GET /v1/trips/%ZZ HTTP/1.1", "400", "badInput"),
            ("GET /v1/trips/%FF HTTP/1.1", "400", "badInput"),
            ("GET /v1/trips/%A9 HTTP/1.1", "400", "badInput"),
        ])
    func wrongRequest(line: String, status: String, code: String) async throws {
        let answer = try await withServer(RecordingService()) { path in
            try await rawExchange(path, "\(line)\r\nhost: x\r\nconnection: close\r\n\r\n")
        }
        #expect(answer.hasPrefix("HTTP/1.1 \(status) "))
        #expect(answer.contains("\"code\":\"\(code)\""))
    }
}
