package import ArgumentParser
internal import LocalAPI

/// What a command takes and does; it works in a context made from the global options.
package protocol PeersyncCommand: ParsableArguments {
    static var configuration: CommandConfiguration { get }
    func run(in context: CommandContext) async throws
}

extension PeersyncCommand {
    /// As the parser knows it.
    static var command: any ParsableCommand.Type { Command<Self>.self }
}

/// A command with the options that every command understands.
package struct Command<Body: PeersyncCommand>: AsyncParsableCommand {
    package static var configuration: CommandConfiguration {
        var configuration = Body.configuration
        // Only the root is asked for completion scripts: looking for that would take a command that is
        // parsed alone longer than all of its own arguments.
        configuration._superCommandName = "peersync"
        return configuration
    }

    @OptionGroup package internal(set) var body: Body

    @OptionGroup(title: OptionHelp.globalTitle) package internal(set) var global: GlobalOptions

    package init() {}

    package func run() async throws {
        try await body.run(in: CommandContext(global))
    }
}

extension CommandConfiguration {
    /// A command with its help from the catalogue.
    init(
        _ name: String, _ help: CommandHelp, subcommands: [any ParsableCommand.Type] = [],
        groups: [CommandGroup] = [], otherwise: (any ParsableCommand.Type)? = nil,
        isShown: Bool = true, aliases: [String] = []
    ) {
        self.init(
            commandName: name, abstract: help.abstract, discussion: help.discussion,
            version: name == "peersync" ? BuildVersion.text : "", shouldDisplay: isShown,
            subcommands: subcommands, groupedSubcommands: groups, defaultSubcommand: otherwise,
            aliases: aliases)
    }
}
