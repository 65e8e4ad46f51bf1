import Foundation
import LocalAPI
import Synchronization
import Testing

/// The client against bytes that no agent of ours sends, or not in this way.
struct LocalClientTests {
    private static func bytewise(_ text: String) -> [String] {
        text.unicodeScalars.map { String($0) }
    }

    private static func ok(_ fields: String, _ body: String) -> String {
        "HTTP/1.1 200 OK\r\n\(fields)\r\n\r\n\(body)"
    }

    private static func chunks(_ pieces: String...) -> String {
        pieces.map { "\(String($0.utf8.count, radix: 16))\r\n\($0)\r\n" }.joined() + "0\r\n\r\n"
    }

    private func runs(answering pieces: [String]) async throws -> SyncSwitched {
        try await withRawServer(answering: pieces) { path in
            try await LocalClient(socketPath: path).call(\.sync.set, SyncSetting(enabled: true))
        }
    }

    @Test("An answer is read whole, with any kind of end and in any pieces")
    func framings() async throws {
        let value = #"{"enabled":true,"running":false}"#
        let answers = [
            Self.ok("Content-Length: \(value.utf8.count)\r\nServer: x", value),
            Self.ok(
                "transfer-encoding: chunked",
                Self.chunks(String(value.prefix(9)), String(value.dropFirst(9)))),
            Self.ok("x:", value),
        ]
        for answer in answers {
            for pieces in [[answer], Self.bytewise(answer)] {
                let switched = try await runs(answering: pieces)
                #expect(switched == SyncSwitched(enabled: true, running: false))
            }
        }
    }

    @Test("The connection that found the agent carries the first call")
    func firstConnection() async throws {
        let value = #"{"enabled":true,"running":false}"#
        // It answers one connection and no other.
        try await withRawServer(answering: [Self.ok("x:", value)]) { path in
            let client = LocalClient(socketPath: path)
            #expect(client.isAnswered)
            let switched = try await client.call(\.sync.set, SyncSetting(enabled: true))
            #expect(switched == SyncSwitched(enabled: true, running: false))
        }
    }

    @Test("A truncated answer is refused")
    func breaksOff() async throws {
        let value = #"{"enabled":true,"running":false}"#
        let answers = [
            "", "HTTP/1.1 200 OK\r\n", Self.ok("content-length: 99", value),
            Self.ok(
                "transfer-encoding: chunked", "\(String(value.utf8.count, radix: 16))\r\n\(value)"),
        ]
        for answer in answers {
            let thrown = await #expect(throws: APIError.self) {
                try await runs(answering: [answer])
            }
            #expect(thrown == .agentWentAway, "\(answer)")
        }
    }

    @Test("An answer that is not HTTP, or not JSON, is reported as incomprehensible")
    func nonsense() async throws {
        let answers = [
            "SSH-2.0-OpenSSH_9.2\r\n\r\n", Self.ok("content-length: -1", ""),
            Self.ok(String(repeating: "a: b\r\n", count: 1000), ""), Self.ok("no colon", ""),
            Self.ok("transfer-encoding: gzip", ""),
            Self.ok("transfer-encoding: chunked", "zz\r\n"), Self.ok("content-length: 2", "{]"),
            "HTTP/1.1 500 Oops\r\ncontent-length: 2\r\n\r\n{}",
            String(repeating: "a", count: 100_000),
        ]
        for answer in answers {
            let thrown = await #expect(throws: APIError.self) {
                try await runs(answering: [answer])
            }
            #expect(thrown?.code == .failed, "\(answer.prefix(80))")
        }
    }

    @Test("Lines of progress arrive one by one, also several in one piece and one in several")
    func lines() async throws {
        let lines = [1, 2, 3].map {
            #"{"progress":{"bytes":0,"files":\#($0),"stage":"syncing","totalBytes":0,"totalFiles":3}}"#
        }
        let last = #"{"error":{"candidates":[],"code":"busy","sentence":"Not now."}}"#
        let text = (lines + [last]).joined(separator: "\n")
        let cut = text.index(text.startIndex, offsetBy: 30)
        let answer = Self.ok(
            "transfer-encoding: chunked", Self.chunks(String(text[..<cut]), String(text[cut...])))
        for pieces in [[answer], Self.bytewise(answer)] {
            let seen = Mutex<[Int]>([])
            let thrown = await #expect(throws: APIError.self) {
                try await withRawServer(answering: pieces) { path in
                    let sink = ProgressSink { view in seen.withLock { $0.append(view.files) } }
                    return try await ProgressSink.$current.withValue(sink) {
                        try await LocalClient(socketPath: path).call(\.sync.now)
                    }
                }
            }
            #expect(thrown == APIError(code: .busy, sentence: "Not now."))
            #expect(seen.withLock { $0 } == [1, 2, 3])
        }
    }

    @Test("A silent agent differs from one that answers")
    func silent() async throws {
        let answers = ["{}", #"{"enabled":true}"#, ""]
        for answer in answers {
            try await withRawServer(answering: [Self.ok("x:", answer)]) { path in
                #expect(await LocalClient(socketPath: path).isResponding(within: .seconds(60)))
            }
        }
        try await withRawServer(answering: nil) { path in
            let client = LocalClient(socketPath: path)
            #expect(await !client.isResponding(within: .milliseconds(20)))
            #expect(client.agentProcess == ProcessInfo.processInfo.processIdentifier)
        }
        #expect(LocalClient(socketPath: "/tmp/peersync-nobody.sock").agentProcess == nil)
    }

    @Test("Calls that wait for a silent agent can be ended, and say why")
    func ended() async throws {
        try await withRawServer(answering: nil) { path in
            let client = LocalClient(socketPath: path)
            #expect(client.silentSince == nil)
            let began = ContinuousClock.now
            let call = Task {
                try await client.call(\.sync.set, SyncSetting(enabled: true))
            }
            while client.silentSince == nil { try await Task.sleep(for: .milliseconds(1)) }
            #expect(client.silentSince ?? began >= began)
            let why = APIError(code: .noAgent, sentence: "It is silent.")
            client.endCalls(with: why)
            await #expect(throws: why) { try await call.value }
            #expect(client.silentSince == nil)
        }
    }
}
