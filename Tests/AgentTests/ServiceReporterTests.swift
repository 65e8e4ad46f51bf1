import Agent
import Device
import Foundation
import LocalAPI
import Status
import SyncCore
import TestDevices
import Testing

@Suite("The watchdog and the status line of a service", .timeLimit(.minutes(1)))
struct ServiceReporterTests {
    /// Runs a body while an agent reports to a manager; `handlers` answer local commands.
    private func reporting(
        answeredBy handlers: HandlerTable? = nil,
        _ body: (TestAgent, ManagerSocket) async throws -> Void
    ) async throws {
        let manager = try ManagerSocket()
        let notifier = try #require(
            ServiceNotifier(
                environment: ["NOTIFY_SOCKET": manager.name, "WATCHDOG_USEC": "400000"]))
        try await TestAgent.with { agent in
            let server = LocalServer(
                handlers: handlers ?? agent.handlers, socketPath: agent.node.home.socketPath)
            let serving = Task { try await server.run() }
            let reports = Task {
                await ServiceReporter(
                    notifier, agent.node, agent.runtime.network, agent.runtime.exchanges.picture
                ).run()
            }
            defer {
                reports.cancel()
                serving.cancel()
            }
            try await body(agent, manager)
        }
    }

    @Test("a working agent reports again and again, with its status")
    func working() async throws {
        try await reporting { _, manager in
            #expect(
                await manager.hears(
                    "STATUS=Sync is off: nothing listens, nothing is sent.",
                    within: .seconds(5)))
            for _ in 0..<3 {
                #expect(await manager.hears("WATCHDOG=1", within: .seconds(5)))
            }
        }
    }

    @Test("a hanging engine sends nothing, and reports again once it continues")
    func hangingEngine() async throws {
        try await reporting { agent, manager in
            #expect(await manager.hears("WATCHDOG=1", within: .seconds(5)))
            // when the engine is held for longer than the watchdog waits
            let loop = agent.node.loop
            let (beginning, began) = AsyncStream.makeStream(of: Void.self)
            let (ending, ended) = AsyncStream.makeStream(of: Void.self)
            // On its own thread: threads of async functions are few, and the test needs one.
            Thread.detachNewThread {
                loop.inspect { _ in
                    began.yield()
                    Thread.sleep(forTimeInterval: 3)
                }
                ended.yield()
            }
            _ = await beginning.first { true }
            loop.post(.tick)
            // then the watchdog is not fed; checked from a thread, as those of async functions may
            // all wait
            let isFed = await withCheckedContinuation { looked in
                Thread.detachNewThread {
                    // Earlier messages may still be on their way.
                    Thread.sleep(forTimeInterval: 0.3)
                    while manager.message() != nil {}
                    Thread.sleep(forTimeInterval: 0.8)
                    var said: [String] = []
                    while let message = manager.message() { said += message }
                    looked.resume(returning: said.contains("WATCHDOG=1"))
                }
            }
            #expect(!isFed)
            _ = await ending.first { true }
            #expect(await manager.hears("WATCHDOG=1", within: .seconds(5)))
        }
    }

    @Test("nothing is sent while local commands get no answer")
    func hangingServer() async throws {
        var handlers = HandlerTable()
        handlers.on(\.agent.info) { _, _ in
            try await Task.sleep(for: .seconds(60))
            throw APIError.agentWentAway
        }
        try await reporting(answeredBy: handlers) { _, manager in
            #expect(await !manager.hears("WATCHDOG=1", within: .seconds(1)))
        }
    }
}
