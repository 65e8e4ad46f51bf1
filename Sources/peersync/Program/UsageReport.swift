internal import ArgumentParser
internal import LocalAPI

/// The messages of the argument parser: help and version, or the error in the arguments.
struct UsageReport {
    private let order: ArgumentOrder
    private let json: Bool

    init(_ order: ArgumentOrder, json: Bool) {
        (self.order, self.json) = (order, json)
    }

    /// Shows help or the version if nothing else is asked for: parsing would take longer than
    /// everything else.
    func answersAtOnce() -> Bool {
        switch order.onlyArgument {
        case "--version" where order.words.isEmpty: show(BuildVersion.text)
        case "--help" where order.words.isEmpty, "-h" where order.words.isEmpty:
            // The tree of all commands is needed for their names only.
            show(ParserText.help(Peersync.helpMessage(includeHidden: false)))
        case "--help", "-h": show(ParserText.help(Peersync.helpMessage(for: order.command)))
        default: return false
        }
        return true
    }

    /// Help and version go to standard output with exit code 0; wrong usage goes to standard error
    /// with 64. `code` is the parser's exit code for the error.
    func report(_ error: any Error, _ code: ExitCode) -> Int32 {
        let isWrong = code.rawValue != 0 || order.asksForHelp
        if isWrong, let (word, known) = order.unknownCommand {
            return refuse(
                tr("There is no command \(Sentence.name(word))."),
                hint: OptionHelp.seeHelp(
                    command, similar: SimilarNames.commands(word, among: known)))
        }
        guard code.rawValue != 0 else {
            show(ParserText.help(Peersync.fullMessage(for: error)))
            return 0
        }
        return refuse(
            sentence(Peersync.message(for: error)), hint: OptionHelp.seeHelp(command))
    }

    /// Refuses arguments that are not UTF-8: the system replaces their bytes by other characters,
    /// and once stored nobody would know the original ones. Nil for valid arguments, with which the
    /// program continues.
    func refusesBytes(of arguments: [String]) -> Int32? {
        let broken = arguments.first { $0.unicodeScalars.contains("\u{FFFD}") }
        return broken.map {
            refuse(
                tr("\(Sentence.name($0)) has bytes that are not UTF-8; nothing was changed."),
                hint: tr(
                    """
                    There is no file of that name; for a text, use a terminal that is set to UTF-8.
                    """))
        }
    }

    private func refuse(_ sentence: String, hint: String) -> Int32 {
        ErrorReport(json: json, terminal: .current).show(
            APIError(
                code: .badInput, sentence: Message(verbatim: sentence),
                hint: Message(verbatim: hint)))
        return ExitCode.validationFailure.rawValue
    }

    private func show(_ text: String) {
        Output(json: false, terminal: .current).say(text)
    }

    /// The parser's message as one complete sentence.
    private func sentence(_ message: String) -> String {
        let message = ParserText.sentence(withoutFarGuess(message))
        guard let last = message.last, !".!?:".contains(last), !message.contains("\n") else {
            return message
        }
        return message + "."
    }

    /// The parser suggests an option for every unknown one, even a very different one.
    private func withoutFarGuess(_ message: String) -> String {
        var parts = message.split(separator: "'", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 5, parts[2].hasSuffix("Did you mean ") else { return message }
        let help = Peersync.helpMessage(for: order.command)
        guard let meant = SimilarNames.option(parts[1], guess: parts[3], help: help) else {
            return "\(parts[0])'\(parts[1])'."
        }
        parts[3] = meant
        return parts.joined(separator: "'")
    }

    /// The words that name the command, as typed.
    private var command: String {
        (["peersync"] + order.words).joined(separator: " ")
    }
}
