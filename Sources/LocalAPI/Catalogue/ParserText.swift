/// Texts of the library that parses arguments, in the current language.
package enum ParserText {
    private static let headings: [Message] = [
        tr("OVERVIEW:"), tr("USAGE:"), tr("ARGUMENTS:"), tr("OPTIONS:"), tr("SUBCOMMANDS:"),
    ]
    private static let words: [Message] = [
        tr("Show the version."), tr("Show help information."), tr("(default:"), tr("(values:"),
    ]
    /// Where a help begins to say what an option means.
    private static let meaningColumn = 26

    /// A help: its headings, its placeholders for values, and the two options that the library adds.
    package static func help(_ text: String) -> String {
        guard Language.current != .english else { return text }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(line)
        return words.reduce(lines.joined(separator: "\n")) { text, words in
            text.replacing(words.text(in: .english), with: words.text)
        }
    }

    private static func line(_ line: Substring) -> String {
        for heading in headings {
            let english = heading.text(in: .english)
            if line.hasPrefix(english) {
                return heading.text + translated(line.dropFirst(english.count))
            }
        }
        if let match = line.firstMatch(of: /See '(.*)' for detailed help\./) {
            return "  " + tr("See '\(translated(match.1))' for detailed help.")
        }
        let option = line.prefix(meaningColumn)
        guard option.hasPrefix("  "), option.contains("<") || option.contains("(default)"),
            line.count > meaningColumn, option.last == " "
        else { return translated(line.replacing(" SUBCOMMANDS:", with: ":")) }
        // The meaning stays in its column.
        var words = translated(option).replacing("(default)", with: tr("(default)"))
        while words.last == " " { words.removeLast() }
        let meaning = line.dropFirst(meaningColumn)
        let gap = meaningColumn - words.count
        return gap > 0
            ? words + String(repeating: " ", count: gap) + meaning
            : words + "\n" + String(repeating: " ", count: meaningColumn) + meaning
    }

    /// Placeholders for values, such as `<trip>` or `<person|device>`, in the current language.
    private static func translated(_ text: some StringProtocol) -> String {
        let text = String(text)
        guard text.contains("<") else { return text }
        let names = valueNames
        return text.replacing(/<[a-z][a-z0-9=|,.:\[\]]*>/) { match in
            match.output.replacing(/[a-z]+/) { names[String($0.output)] ?? String($0.output) }
        }
    }

    /// What is wrong with the arguments. What is not known here stays as it is.
    package static func sentence(_ message: String) -> String {
        guard Language.current != .english else { return message }
        if let match = message.wholeMatch(of: /Missing expected argument '(.*)'/) {
            return tr("Missing expected argument '\(translated(match.1))'")
        }
        if let match = message.wholeMatch(of: /Unknown option '(.*)'\. Did you mean '(.*)'\?/) {
            return tr("Unknown option '\(match.1)'. Did you mean '\(match.2)'?")
        }
        if let match = message.wholeMatch(of: /Unknown option '(.*)'\.?/) {
            return tr("Unknown option '\(match.1)'")
        }
        if let match = message.wholeMatch(of: /Unexpected argument '(.*)'/) {
            return tr("Unexpected argument '\(match.1)'")
        }
        if let match = message.wholeMatch(of: /(\d+) unexpected arguments: (.*)/) {
            return tr("\(match.1) unexpected arguments: \(match.2)")
        }
        if let match = message.wholeMatch(of: /Missing value for '(.*)'/) {
            return tr("Missing value for '\(translated(match.1))'")
        }
        return value(message) ?? message
    }

    /// An invalid value of an option.
    private static func value(_ message: String) -> String? {
        let choices = /The value '(.*)' is invalid for '(.*?)'\. Please provide one of (.*)\./
        if let match = message.wholeMatch(of: choices) {
            let values = match.3.replacing(" or ", with: tr(" or "))
                .replacing(" and ", with: tr(" and "))
            return tr(
                """
                The value '\(match.1)' is invalid for '\(translated(match.2))'. \
                Please provide one of \(values).
                """
            )
        }
        if let match = message.wholeMatch(of: /The value '(.*)' is invalid for '(.*?)': (.*)/) {
            let option = translated(match.2)
            return tr("The value '\(match.1)' is invalid for '\(option)': \(match.3)")
        }
        if let match = message.wholeMatch(of: /The value '(.*)' is invalid for '(.*?)'/) {
            return tr("The value '\(match.1)' is invalid for '\(translated(match.2))'")
        }
        return nil
    }
}
