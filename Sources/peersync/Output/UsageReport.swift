internal import ArgumentParser
internal import LocalAPI

/// What the parser of the arguments has to say: help and version, or what is wrong with them.
struct UsageReport {
    let arguments: [String]

    /// Help and version go to standard output with exit code 0; wrong usage to standard error, 64.
    func report(_ error: any Error) -> Int32 {
        let code = Peersync.exitCode(for: error)
        let json = arguments.contains("--json")
        guard code.rawValue != 0 else {
            Output(json: false, terminal: .current).say(Peersync.fullMessage(for: error))
            return 0
        }
        let failure = APIError(
            code: .badInput, sentence: Self.sentence(Peersync.message(for: error)),
            hint: OptionHelp.seeHelp(command))
        ErrorReport(json: json, terminal: .current).show(failure)
        return ExitCode.validationFailure.rawValue
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
        (["peersync"] + ArgumentOrder.commandWords(arguments)).joined(separator: " ")
    }
}
