internal import Agent
internal import ArgumentParser
import Device
internal import Foundation
internal import LocalAPI

/// Runs the agent until Ctrl-C.
struct Run: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "run", "Run the agent: find your devices and keep them in sync.",
        examples: ["peersync run", "peersync run --port 4900 --log info"],
        remarks:
            "It runs until Ctrl-C. To keep it running in the background: peersync service install")

    @Option(
        help: .tr("TCP port to listen on; if it is in use, the next free one.", valueName: "port"))
    var port: UInt16?

    @Option(help: .tr("Log level: verbose, debug, info, warning or error.", valueName: "level"))
    var log: LogLevel?

    @Option(
        help: .tr("Log format: text (for people and the journal) or json.", valueName: "format"))
    var logFormat: LogFormat?

    func run(in context: CommandContext) async throws {
        let home = try context.home()
        guard home.isInitialised else { throw APIError.notInitialised }
        guard ServiceConnection.client(of: home) == nil else {
            throw APIError(
                code: .busy, sentence: "An agent already runs on this computer.",
                hint: "See what it does: peersync status")
        }
        let output = context.output
        let isService =
            ServiceNotifier(environment: ProcessInfo.processInfo.environment) != nil
        let clock = ContinuousClock()
        let giveUp = clock.now + .seconds(5)
        while true {
            do {
                return try await AgentProgram.run(
                    home, port: port, log: LogOptions(level: log, format: logFormat),
                    whenReady: {
                        // A service manager is told by another way.
                        if !isService { output.remark(tr("The agent runs. Ctrl-C stops it.")) }
                    },
                    advise: { problems in
                        let lines = problems.flatMap { ProblemText.lines($0) }
                        if !lines.isEmpty { output.remark(lines.joined(separator: "\n")) }
                    })
            } catch let error as APIError where error.code == .busy && clock.now < giveUp {
                // A command without an agent holds the store briefly.
                try await Task.sleep(for: .milliseconds(100))
            }
        }
    }
}

extension LogLevel: ExpressibleByArgument {}
extension LogFormat: ExpressibleByArgument {}
