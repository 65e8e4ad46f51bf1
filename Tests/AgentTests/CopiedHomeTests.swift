import Agent
import Device
import Foundation
import LocalAPI
import Logging
import Store
import SyncCore
import TestDevices
import Testing

@Suite("A copied home")
struct CopiedHomeTests {
    @Test("The first program that opens a copied home says so, and status does for a week")
    func copied() async throws {
        try await ExaminedAgent.with { examined in
            // given
            let home = try await examined.closedCopy()
            // when
            let openings = [KeptLines(.info), KeptLines(.info)]
            for written in openings {
                let runtime = try await AgentRuntime(
                    home, AgentStart(isLongRunning: false),
                    logger: Logger(label: "test") { _ in written })
                await runtime.close()
            }
            // then
            let said = openings.map { $0.lines.count { $0.contains("another database file") } }
            #expect(said == [1, 0])

            // when
            let runtime = try await AgentRuntime(
                home, AgentStart(isLongRunning: false), logger: Logger(label: "test"))
            let agent = TestAgent(
                runtime: runtime, handlers: LocalAgent(runtime: runtime).handlers, folder: "")
            let told = try await agent.service.call(\.agent.status).problems
            let days = runtime.node.clock.wall.value - 8 * 86_400_000
            try runtime.node.store.settings.set(DeviceSetting.copied, to: String(days))
            let later = try await agent.service.call(\.agent.status).problems
            await runtime.close()
            // then
            #expect(told.filter { $0.kind == .runsTwice }.map(\.urgent) == [false])
            #expect(!later.contains { $0.kind == .runsTwice })
        }
    }
}
