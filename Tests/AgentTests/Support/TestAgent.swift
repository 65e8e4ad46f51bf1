import Agent
import Device
import Identity
import LocalAPI
import Logging
import TestDevices

/// A whole agent whose network is off.
struct TestAgent: TestedDevice {
    let runtime: AgentRuntime
    let handlers: HandlerTable
    let folder: String

    var node: AgentNode { runtime.node }

    static func live<Answer>(
        in folder: String, as person: String?, key: PersonKey,
        _ body: (TestAgent) async throws -> Answer
    ) async throws -> Answer {
        try await live(in: folder, as: person, key: key, isLongRunning: false, body)
    }

    static func live<Answer>(
        in folder: String, as person: String? = nil, key: PersonKey = .generate(),
        isLongRunning: Bool, _ body: (TestAgent) async throws -> Answer
    ) async throws -> Answer {
        let home = try AgentHome.resolve(option: folder + "/home", environment: [:])
        let runtime = try await AgentRuntime(
            home, AgentStart(isLongRunning: isLongRunning), logger: Logger(label: "test"))
        if let person { try await make(person, key, in: runtime.node) }
        let agent = TestAgent(
            runtime: runtime, handlers: LocalAgent(runtime: runtime).handlers, folder: folder)
        do {
            let answer = try await body(agent)
            await runtime.close()
            return answer
        } catch {
            await runtime.close()
            throw error
        }
    }
}
