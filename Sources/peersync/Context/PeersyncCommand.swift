package import ArgumentParser
internal import LocalAPI

/// The arguments and the work of a command; it runs in a context made from the global options.
package protocol PeersyncCommand: ParsableArguments {
    static var configuration: CommandConfiguration { get }
    func run(in context: CommandContext) async throws
}

extension PeersyncCommand {
    /// The form that the parser knows.
    static var command: any ParsableCommand.Type { Command<Self>.self }
}

/// A command with the options that every command understands.
package struct Command<Body: PeersyncCommand>: AsyncParsableCommand {
    package static var configuration: CommandConfiguration {
        var configuration = Body.configuration
        // Only the root is asked for completion scripts: looking for that would take a command that
        // is parsed alone longer than parsing its own arguments.
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
    /// A command: its name, its purpose in one line, examples to type, and remarks.
    init(
        _ name: String, _ abstract: Message, examples: [String] = [], remarks: Message? = nil,
        subcommands: [any ParsableCommand.Type] = [],
        otherwise: (any ParsableCommand.Type)? = nil, aliases: [String] = []
    ) {
        let title = examples.count == 1 ? tr("Example:") : tr("Examples:")
        let typed =
            examples.isEmpty ? "" : ([title] + examples.map { "  " + $0 }).joined(separator: "\n")
        self.init(
            commandName: name, abstract: abstract.text,
            discussion: [remarks?.text ?? "", typed].filter { !$0.isEmpty }
                .joined(separator: "\n\n"),
            version: name == "peersync" ? BuildVersion.text : "", subcommands: subcommands,
            defaultSubcommand: otherwise, aliases: aliases)
    }
}

extension ArgumentHelp {
    /// The help text of an option or argument.
    static func tr(_ text: Message, valueName: String? = nil) -> ArgumentHelp {
        ArgumentHelp(text.text, valueName: valueName)
    }
}
