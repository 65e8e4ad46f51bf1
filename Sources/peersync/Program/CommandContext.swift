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

    /// Calls `body` with the agent: the running one, or one opened in this process for as long.
    func withService<Value: Sendable>(
        _ need: ServiceConnection.Need = .localOnly,
        _ body: (any AgentService) async throws -> Value
    ) async throws -> Value {
        let connection = try await ServiceConnection.open(home: home(), needs: need)
        return try await connection.use(body)
    }
}
