internal import Agent
internal import ArgumentParser
internal import LocalAPI

/// What a command works with: where its results go, how it asks, and how it reaches the agent.
struct CommandContext: Sendable {
    let output: Output
    let prompt: Prompt
    let homeOption: String?

    init(_ options: GlobalOptions) {
        let terminal = Terminal.current
        output = Output(json: options.json, terminal: terminal)
        prompt = Prompt(terminal: terminal, answersYes: options.yes, output: output)
        homeOption = options.home
    }

    /// Where this command's data is. Throws ``APIError``.
    func home() throws -> AgentHome {
        try AgentLink.home(option: homeOption)
    }

    /// Asks the agent one operation, which is all that most commands do.
    func call<Input, Answer>(
        _ operation: KeyPath<API, LocalAPI.Operation<Input, Answer>>, id: String = "",
        _ input: Input, needs need: ServiceConnection.Need = .localOnly
    ) async throws -> Answer {
        try await withService(need) { service in
            guard API.declared[keyPath: operation].reportsProgress else {
                return try await service.call(operation, id: id, input)
            }
            return try await showingProgress { try await service.call(operation, id: id, input) }
        }
    }

    /// Shows how far an operation is that `body` asks for, while it takes longer than a moment.
    func showingProgress<Value: Sendable>(
        _ body: () async throws -> Value
    ) async throws -> Value {
        let display = ProgressDisplay(output)
        defer { display.end() }
        return try await ProgressSink.$current.withValue(
            ProgressSink { display.show(Sentence.progress($0)) }, operation: body)
    }

    func call<Answer>(
        _ operation: KeyPath<API, LocalAPI.Operation<NoInput, Answer>>, id: String = "",
        needs need: ServiceConnection.Need = .localOnly
    ) async throws -> Answer {
        try await call(operation, id: id, NoInput(), needs: need)
    }

    /// Calls `body` with the agent: the running one, or one opened in this process for as long.
    func withService<Value: Sendable>(
        _ need: ServiceConnection.Need = .localOnly,
        _ body: (any AgentService) async throws -> Value
    ) async throws -> Value {
        let connection = try await ServiceConnection.open(home: home(), needs: need)
        return try await connection.use(body)
    }
}
