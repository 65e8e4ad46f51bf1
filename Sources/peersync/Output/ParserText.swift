internal import LocalAPI

/// What the library that reads arguments says by itself, in the language of now.
enum ParserText {
    /// A help: its headings and the two options that the library adds.
    static func help(_ text: String) -> String {
        guard Language.current != .english else { return text }
        let headings = [
            ("OVERVIEW:", tr("OVERVIEW:")), ("USAGE:", tr("USAGE:")),
            ("ARGUMENTS:", tr("ARGUMENTS:")),
            ("OPTIONS:", tr("OPTIONS:")), ("SUBCOMMANDS:", tr("SUBCOMMANDS:")),
        ]
        let whole = [
            ("Show the version.", tr("Show the version.")),
            ("Show help information.", tr("Show help information.")),
            ("(default: ", tr("(default: ")), ("(values: ", tr("(values: ")),
            ("for detailed help.", tr("for detailed help.")),
        ]
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            for (english, translated) in headings where line.hasPrefix(english) {
                return translated + line.dropFirst(english.count)
            }
            return String(line.replacing(" SUBCOMMANDS:", with: ":"))
        }
        return whole.reduce(lines.joined(separator: "\n")) { text, words in
            text.replacing(words.0, with: words.1)
        }
    }

    /// What is wrong with the arguments. What is not known here stays as it is.
    static func sentence(_ message: String) -> String {
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
