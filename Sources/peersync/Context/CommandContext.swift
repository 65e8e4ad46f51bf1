internal import Agent
internal import ArgumentParser
import Device
internal import Foundation
internal import LocalAPI

/// The surroundings of a command: its output, its questions and its connection to the agent.
package struct CommandContext: Sendable {
    let output: Output
    let prompt: Prompt
    let homeOption: String?

    init(_ options: GlobalOptions) {
        let terminal = Terminal.current
        output = Output(json: options.json, terminal: terminal)
        prompt = Prompt(terminal: terminal, answersYes: options.yes, output: output)
        homeOption = options.home
    }

    /// The home of this command. Throws ``APIError``.
    func home() throws -> AgentHome {
        let home = try AgentHome.resolve(
            option: homeOption.map(InputPath.absolute),
            environment: ProcessInfo.processInfo.environment)
        IdentityStore.restoreMark(of: home)
        return home
    }

    /// Calls one operation of the agent and prints the answer: all that most commands do.
    @discardableResult
    func show<Input, Answer>(
        _ operation: (API) -> LocalAPI.Operation<Input, Answer>, id: String = "",
        _ input: Input, needs need: ServiceConnection.Need = .localOnly,
        as describe: (Answer) -> String
    ) async throws -> Answer {
        let answer = try await call(operation, id: id, input, needs: need)
        try output.result(answer, describe: describe)
        return answer
    }

    /// Calls one operation of the agent, and shows its progress if it takes long.
    func call<Input, Answer>(
        _ operation: (API) -> LocalAPI.Operation<Input, Answer>, id: String = "",
        _ input: Input, needs need: ServiceConnection.Need = .localOnly
    ) async throws -> Answer {
        try await withService(need) { service in
            guard operation(API.declared).reportsProgress else {
                return try await service.call(operation, id: id, input)
            }
            return try await showingProgress { try await service.call(operation, id: id, input) }
        }
    }

    func call<Answer>(
        _ operation: (API) -> LocalAPI.Operation<NoInput, Answer>, id: String = "",
        needs need: ServiceConnection.Need = .localOnly
    ) async throws -> Answer {
        try await call(operation, id: id, NoInput(), needs: need)
    }

    /// Shows the progress of an operation that `body` calls, if it takes long.
    func showingProgress<Value: Sendable>(
        _ body: () async throws -> Value
    ) async throws -> Value {
        let display = ProgressDisplay(output)
        defer { display.end() }
        return try await ProgressSink.$current.withValue(
            ProgressSink { display.show(ProgressText.progress($0)) }, operation: body)
    }

    @discardableResult
    func show<Answer>(
        _ operation: (API) -> LocalAPI.Operation<NoInput, Answer>, id: String = "",
        needs need: ServiceConnection.Need = .localOnly, as describe: (Answer) -> String
    ) async throws -> Answer {
        try await show(operation, id: id, NoInput(), needs: need, as: describe)
    }

    /// Asks a question about an operation's preview, and continues only after a yes.
    @discardableResult
    func ask<Input, Thing: Identifiable<String>>(
        _ question: (Thing) -> String,
        of shown: (API) -> LocalAPI.Operation<Input, Thing>, id: String, _ input: Input,
        then change: (API) -> LocalAPI.Operation<Input, Thing>, as describe: (Thing) -> String
    ) async throws -> Thing {
        let changed = try await withService { service in
            let thing = try await service.call(shown, id: id, input)
            try await prompt.insist(question(thing))
            return try await service.call(change, id: thing.id, input)
        }
        try output.result(changed, describe: describe)
        return changed
    }

    /// Asks the agent for an operation's plan first, and then for the operation that `decide`
    /// returns; nil ends with the plan.
    func planned<Input, Answer>(
        _ operation: (API) -> LocalAPI.Operation<Input, Answer>, id: String = "",
        _ preview: Input, then decide: (Answer) async throws -> Input?
    ) async throws -> Answer {
        try await withService { service in
            let plan = try await service.call(operation, id: id, preview)
            guard let input = try await decide(plan) else { return plan }
            return try await showingProgress {
                try await service.call(operation, id: id, input)
            }
        }
    }

    /// Calls `body` with the agent: the running one, or one opened in this process for that time.
    func withService<Value: Sendable>(
        _ need: ServiceConnection.Need = .localOnly,
        _ body: (any AgentService) async throws -> Value
    ) async throws -> Value {
        let connection = try await ServiceConnection.open(home: home(), needs: need, output)
        let value = try await withService(of: connection, body)
        if case .running(let client) = connection, let age = client.agentAge, age != .same {
            output.remark("\(age.sentence) \(age.remedy)")
        }
        return value
    }

    /// Calls `body` with the agent of a connection. Reports a running one that is silent; closes one
    /// in this process, even if `body` throws.
    func withService<Value: Sendable>(
        of connection: ServiceConnection, _ body: (any AgentService) async throws -> Value
    ) async throws -> Value {
        switch connection {
        case .running(let client):
            return try await SilentAgent(client: client).watched(output, body)
        case .opened(let agent):
            let result: Result<Value, any Error>
            do {
                result = .success(try await body(agent.service))
            } catch {
                result = .failure(error)
            }
            if let notice = agent.notice { output.remark(notice) }
            await agent.close()
            return try result.get()
        }
    }
}
