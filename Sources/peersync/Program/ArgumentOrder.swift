package import ArgumentParser

/// The parts of a command line: the words that name a command, global options and the command's own
/// arguments.
///
/// Global options may come before the subcommand (`peersync --home DIR status`), but the parser
/// knows them only after it. They are moved to the place after the command's words and before its
/// own arguments, so that neither a `--` nor an option with many values can consume them.
package struct ArgumentOrder: Sendable {
    /// The command that the words name.
    package let command: any ParsableCommand.Type
    let words: [String]
    private let moved: [String]
    private let rest: [String]

    package init(_ arguments: [String]) {
        var command: any ParsableCommand.Type = Peersync.self
        var (words, moved): ([String], [String]) = ([], [])
        var rest = arguments[...]
        while let argument = rest.first {
            if let length = Self.lengthOfGlobalOption(rest) {
                moved += rest.prefix(length)
                rest = rest.dropFirst(length)
            } else if !argument.hasPrefix("-"),
                let next = Self.subcommand(of: command, named: argument)
            {
                words.append(argument)
                rest = rest.dropFirst()
                command = next
            } else {
                break
            }
        }
        (self.command, self.words, self.moved) = (command, words, moved)
        self.rest = Self.joiningNegativeNumbers(Array(rest))
    }

    /// The parser reads `-1` as an option; after the name of an option it is the value.
    private static func joiningNegativeNumbers(_ arguments: [String]) -> [String] {
        var joined: [String] = []
        for (index, argument) in arguments.enumerated() {
            let isNumber = argument.hasPrefix("-") && argument.dropFirst().first?.isNumber == true
            guard isNumber, let option = joined.last, option.hasPrefix("--"), option != "--",
                !option.contains("="), !arguments[..<index].contains("--")
            else {
                joined.append(argument)
                continue
            }
            joined[joined.count - 1] = "\(option)=\(argument)"
        }
        return joined
    }

    /// The word that should name a command but names none, and the possible commands.
    var unknownCommand: (word: String, known: [String])? {
        let asked = asksForHelp ? ArgumentOrder(Array(rest.dropFirst())) : self
        let known = asked.command.configuration.subcommands.compactMap {
            $0.configuration.commandName
        }
        guard !known.isEmpty, let word = asked.rest.first, !word.hasPrefix("-"), word != "help"
        else { return nil }
        return (word, known)
    }

    /// Whether a word asks for help about a command.
    var asksForHelp: Bool { words.isEmpty && rest.first == "help" }

    /// The only argument after the words, if there is nothing else.
    var onlyArgument: String? { moved.isEmpty && rest.count == 1 ? rest[0] : nil }

    /// The command with its arguments. Throws the parser's errors.
    package func parsed() throws -> any ParsableCommand {
        try parsedAlone() ?? Peersync.parseAsRoot(normalised)
    }

    package var normalised: [String] { words + moved + rest }

    /// The command as parsed by its own parser: the tree of all commands takes longer than most
    /// commands run. Nil if the tree must decide, as for help and wrong usage.
    package func parsedAlone() -> (any ParsableCommand)? {
        guard !words.isEmpty, let command = parsing, let arguments = argumentsAlone else {
            return nil
        }
        do {
            let parsed = try command.parseAsRoot(arguments)
            return type(of: parsed) == command ? parsed : nil
        } catch {
            return nil
        }
    }

    /// The command whose arguments follow: of a group the one that needs no word. Nil if the tree must find it, as for
    /// a former name.
    private var parsing: (any ParsableCommand.Type)? {
        let configuration = command.configuration
        guard !configuration.subcommands.isEmpty else { return command }
        guard let meant = configuration.defaultSubcommand,
            meant.configuration.subcommands.isEmpty,
            !configuration.subcommands.contains(where: { command in
                rest.first.map(command.configuration.aliases.contains) ?? false
            })
        else { return nil }
        return meant
    }

    /// The arguments with global options first: the tree accepts them anywhere before a `--`, even
    /// where an option of the command would take them as its value. Nil if the tree would reject
    /// one.
    private var argumentsAlone: [String]? {
        var (first, own): ([String], [String]) = (moved, [])
        var rest = rest[...]
        while let argument = rest.first, argument != "--" {
            let length = Self.lengthOfGlobalOption(rest)
            if length != nil {
                first += rest.prefix(length ?? 1)
            } else {
                let name = argument.prefix { $0 != "=" }
                guard !Self.globalOptions.contains(String(name)) else { return nil }
                own.append(argument)
            }
            rest = rest.dropFirst(length ?? 1)
        }
        return first + own + rest
    }

    private static let globalOptions: Set = ["--json", "--yes", "--home", "--language"]

    /// The number of arguments that the global option at the start takes; nil if there is none.
    private static func lengthOfGlobalOption(_ arguments: ArraySlice<String>) -> Int? {
        switch arguments.first {
        case "--json", "--yes": 1
        case "--home", "--language": arguments.count >= 2 ? 2 : nil
        case .some(let argument):
            argument.hasPrefix("--home=") || argument.hasPrefix("--language=") ? 1 : nil
        case nil: nil
        }
    }

    private static func subcommand(
        of command: any ParsableCommand.Type, named name: String
    ) -> (any ParsableCommand.Type)? {
        command.configuration.subcommands.first { $0.configuration.commandName == name }
    }
}
