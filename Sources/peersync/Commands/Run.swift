internal import Agent
internal import ArgumentParser
internal import LocalAPI

/// Runs the agent until Ctrl-C.
struct Run: PeersyncCommand {
    static let configuration = CommandConfiguration("run", .run)
    static let endsOnSignals = true

    @Option(help: ArgumentHelp(OptionHelp.port, valueName: "port")) var port: UInt16?

    @OptionGroup(title: OptionHelp.globalTitle) var global: GlobalOptions

    func run(in context: CommandContext) async throws {
        let home = try context.home()
        guard home.isInitialised else { throw APIError.notInitialised }
        guard await ServiceConnection.running(home) == nil else { throw APIError.agentAlreadyRuns }
        context.output.remark(Sentence.Setup.starting)
        try await AgentLink.run(home, port: port)
    }
}
