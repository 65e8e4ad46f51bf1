import Agent
import LocalAPI
import TestDevices
import Testing

struct HandlerTests {
    @Test("the agent answers every operation of the local API")
    func everyOperation() async throws {
        try await TestAgent.with { agent in
            let missing = LocalAgent(runtime: agent.runtime).handlers.missing
            #expect(missing.isEmpty)
        }
    }

    @Test("an operation without a handler is refused, and an empty name too")
    func refusals() async throws {
        var handlers = HandlerTable()
        handlers.on(\.trips.sharing.accept) { _, _ in throw APIError.notInitialised }
        await #expect(throws: APIError.unknownRequest) { try await handlers.call(\.trips.list) }
        await #expect(throws: APIError.emptyName) {
            try await handlers.call(\.trips.sharing.accept)
        }
        #expect(handlers.missing.count == API.operations.count - 1)
    }
}
