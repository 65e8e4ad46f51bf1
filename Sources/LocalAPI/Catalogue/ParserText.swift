/// What the library that reads arguments says by itself, in the language of now.
package enum ParserText {
    private static let headings: [Message] = [
        tr("OVERVIEW:"), tr("USAGE:"), tr("ARGUMENTS:"), tr("OPTIONS:"), tr("SUBCOMMANDS:"),
    ]
    private static let words: [Message] = [
        tr("Show the version."), tr("Show help information."), tr("(default: "), tr("(values: "),
        tr("for detailed help."),
    ]

    /// A help: its headings and the two options that the library adds.
    package static func help(_ text: String) -> String {
        guard Language.current != .english else { return text }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            for heading in headings {
                let english = heading.text(in: .english)
                if line.hasPrefix(english) { return heading.text + line.dropFirst(english.count) }
            }
            return String(line.replacing(" SUBCOMMANDS:", with: ":"))
        }
        return words.reduce(lines.joined(separator: "\n")) { text, words in
            text.replacing(words.text(in: .english), with: words.text)
        }
    }

    /// What is wrong with the arguments. What is not known here stays as it is.
    package static func sentence(_ message: String) -> String {
        guard Language.current != .english else { return message }
        if let match = message.wholeMatch(of: /Missing expected argument '(.*)'/) {
            return tr("Missing expected argument '\(match.1)'")
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
            return tr("Missing value for '\(match.1)'")
        }
        return value(message) ?? message
    }

    /// A value that an option does not take.
    private static func value(_ message: String) -> String? {
        let choices = /The value '(.*)' is invalid for '(.*?)'\. Please provide one of (.*)\./
        if let match = message.wholeMatch(of: choices) {
            let values = match.3.replacing(" or ", with: tr(" or "))
            return tr(
                "The value '\(match.1)' is invalid for '\(match.2)'. Please provide one of \(values)."
            )
        }
        if let match = message.wholeMatch(of: /The value '(.*)' is invalid for '(.*?)': (.*)/) {
            return tr("The value '\(match.1)' is invalid for '\(match.2)': \(match.3)")
        }
        if let match = message.wholeMatch(of: /The value '(.*)' is invalid for '(.*?)'/) {
            return tr("The value '\(match.1)' is invalid for '\(match.2)'")
        }
        return nil
    }
}
