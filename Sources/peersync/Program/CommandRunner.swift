internal import ArgumentParser
internal import LocalAPI

/// Parses the arguments, runs the command, and returns its exit code.
struct CommandRunner {
    private let arguments: [String]
    private let order: ArgumentOrder

    init(_ arguments: [String]) {
        self.arguments = arguments
        order = ArgumentOrder(arguments)
    }

    /// 0 done, 1 failed, 3 some devices unreachable, 64 wrong usage; 128 plus the signal's number
    /// if a signal ended it, as in shells.
    func run() async -> Int32 {
        if usage.answersAtOnce() { return 0 }
        if let code = usage.refusesBytes(of: arguments) { return code }
        let work = Task { await parseAndRun() }
        // The agent handles signals itself.
        let isAgent = order.command == Run.command
        let watch = isAgent ? nil : InterruptWatch { work.cancel() }
        defer { watch?.stop() }
        let code = await work.value
        if code == 0, let failure = Output.failure { return report(failure) }
        // A command that finished despite the signal did not fail.
        return code == 1 ? watch?.exitCode ?? code : code
    }

    @concurrent private func parseAndRun() async -> Int32 {
        if let request = CompletionRequest(arguments) {
            await request.answer()
            return 0
        }
        do {
            var command = try order.parsed()
            do {
                if var asynchronous = command as? any AsyncParsableCommand {
                    try await asynchronous.run()
                } else {
                    try command.run()
                }
                return 0
            } catch {
                return report(error)
            }
        } catch {
            return usage.report(error, Peersync.exitCode(for: error))
        }
    }

    private var json: Bool { arguments.contains("--json") }
    private var usage: UsageReport { UsageReport(order, json: json) }

    private func report(_ error: any Error) -> Int32 {
        let failure: APIError
        switch error {
        case let code as ExitCode: return code.rawValue
        case let error as APIError: failure = error
        case is CancellationError: failure = .stopped
        default:
            // The parser throws requested help as an error, too.
            let code = Peersync.exitCode(for: error)
            guard code == .failure else { return usage.report(error, code) }
            failure = .unexpected(error)
        }
        ErrorReport(json: json, terminal: .current).show(failure)
        return 1
    }
}
