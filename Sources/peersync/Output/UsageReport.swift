internal import ArgumentParser
internal import LocalAPI

/// What the parser of the arguments has to say: help and version, or what is wrong with them.
struct UsageReport {
    private let order: ArgumentOrder
    private let json: Bool

    init(_ order: ArgumentOrder, json: Bool) {
        (self.order, self.json) = (order, json)
    }

    /// Shows help or the version where only that is asked for: parsing would take longer than all else.
    func answersAtOnce() -> Bool {
        switch order.onlyArgument {
        case "--version" where order.words.isEmpty: show(BuildVersion.text)
        case "--help" where order.words.isEmpty, "-h" where order.words.isEmpty:
            // The tree of all commands is needed only for their names.
            show(Peersync.helpMessage(includeHidden: false))
        case "--help", "-h": show(Peersync.helpMessage(for: order.command))
        default: return false
        }
        return true
    }

    /// Help and version go to standard output with exit code 0; wrong usage to standard error, 64. `code`
    /// is what the parser takes the error for.
    func report(_ error: any Error, _ code: ExitCode) -> Int32 {
        guard code.rawValue != 0 else {
            show(Peersync.fullMessage(for: error))
            return 0
        }
        let failure = APIError(
            code: .badInput, sentence: Self.sentence(Peersync.message(for: error)),
            hint: OptionHelp.seeHelp(command))
        ErrorReport(json: json, terminal: .current).show(failure)
        return ExitCode.validationFailure.rawValue
    }

    private func show(_ text: String) {
        Output(json: false, terminal: .current).say(text)
    }

    /// The parser's message, as one sentence that ends like one.
    private static func sentence(_ message: String) -> String {
        guard let last = message.last, !".!?:".contains(last), !message.contains("\n") else {
            return message
        }
        return message + "."
    }

    /// The words that name the command, as typed.
    private var command: String {
        (["peersync"] + order.words).joined(separator: " ")
    }
}
