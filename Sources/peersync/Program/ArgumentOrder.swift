internal import ArgumentParser

/// Global options may stand before the subcommand, `peersync --home DIR status`: they are moved
/// behind it, where the parser of every subcommand knows them.
///
/// Right behind the words that name the command, and before its own arguments, so that neither a
/// `--` nor an option that takes all that follows can swallow them.
package enum ArgumentOrder {
    package static func normalised(_ arguments: [String]) -> [String] {
        let parts = split(arguments)
        return parts.words + parts.moved + parts.rest
    }

    /// The words that name the command.
    static func commandWords(_ arguments: [String]) -> [String] {
        split(arguments).words
    }

    /// The command those words name.
    static func command(_ arguments: [String]) -> any ParsableCommand.Type {
        split(arguments).command
    }

    private struct Parts {
        let command: any ParsableCommand.Type
        let words: [String]
        let moved: [String]
        let rest: [String]
    }

    private static func split(_ arguments: [String]) -> Parts {
        var words: [String] = []
        var moved: [String] = []
        var rest = arguments[...]
        var command: any ParsableCommand.Type = Peersync.self
        while let argument = rest.first {
            if let length = lengthOfGlobalOption(rest) {
                moved += rest.prefix(length)
                rest = rest.dropFirst(length)
            } else if let next = subcommand(of: command, named: argument) {
                words.append(argument)
                rest = rest.dropFirst()
                command = next
            } else {
                break
            }
        }
        return Parts(command: command, words: words, moved: moved, rest: Array(rest))
    }

    /// How many arguments the global option at the start takes; `nil` when there is none.
    private static func lengthOfGlobalOption(_ arguments: ArraySlice<String>) -> Int? {
        switch arguments.first {
        case "--json", "--yes": 1
        case "--home": arguments.count >= 2 ? 2 : nil
        case .some(let argument): argument.hasPrefix("--home=") ? 1 : nil
        case nil: nil
        }
    }

    private static func subcommand(
        of command: any ParsableCommand.Type, named name: String
    ) -> (any ParsableCommand.Type)? {
        command.configuration.subcommands.first { $0.configuration.commandName == name }
    }
}
