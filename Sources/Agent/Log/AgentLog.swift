import Foundation
package import Logging

/// The agent's log: a logger, and where its lines go.
package struct AgentLog: Sendable {
    package let logger: Logger
    package let output: LogOutput

    package init(_ output: LogOutput) {
        self.output = output
        logger = Logger(label: "peersync") { _ in AgentLogBackend(output) }
    }

    /// To standard error. The level is the one asked for, else PEERSYNC_LOG's, else info where the
    /// journal reads, which keeps lines for when they are needed, and warning where a person does.
    static func make(_ options: LogOptions = LogOptions()) -> AgentLog {
        let environment = ProcessInfo.processInfo.environment
        let isJournal = StandardError.isJournal(environment)
        let wanted = options.level ?? AgentStart.levelOfEnvironment
        let form: LogOutput.Form = options.format == .json ? .json : isJournal ? .journal : .text
        return AgentLog(LogOutput(level: wanted ?? standardLevel, form: form))
    }

    /// Where nobody says otherwise.
    static var standardLevel: LogLevel {
        StandardError.isJournal(ProcessInfo.processInfo.environment) ? .info : .warning
    }
}
