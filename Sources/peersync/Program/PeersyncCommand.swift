internal import ArgumentParser
internal import LocalAPI

/// A command that does something: it has the global options and works in a context made from them.
protocol PeersyncCommand: AsyncParsableCommand {
    var global: GlobalOptions { get }
    /// True for a command whose work ends on SIGINT and SIGTERM by itself.
    static var endsOnSignals: Bool { get }
    func run(in context: CommandContext) async throws
}

extension PeersyncCommand {
    static var endsOnSignals: Bool { false }

    package func run() async throws {
        try await run(in: CommandContext(global))
    }
}

/// A command that only groups others; typed alone, it shows its help.
protocol CommandFamily: AsyncParsableCommand {}

extension CommandFamily {
    func run() async throws {
        throw CleanExit.helpRequest(self)
    }
}

extension CommandConfiguration {
    /// A command with its help from the catalogue.
    init(
        _ name: String, _ help: CommandHelp, subcommands: [any ParsableCommand.Type] = [],
        groups: [CommandGroup] = [], aliases: [String] = []
    ) {
        self.init(
            commandName: name, abstract: help.abstract, discussion: help.discussion,
            version: name == "peersync" ? "peersync \(ProgramVersion.text)" : "",
            subcommands: subcommands,
            groupedSubcommands: groups, aliases: aliases)
    }
}
