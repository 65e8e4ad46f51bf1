import Foundation
package import Logging

/// The agent's log: a logger and its output.
package struct AgentLog: Sendable {
    package let logger: Logger
    package let output: LogOutput

    package init(_ output: LogOutput) {
        self.output = output
        logger = Logger(label: "peersync") { _ in AgentLogBackend(output) }
    }

    /// Logs to standard error. The level is the requested one, else that of PEERSYNC_LOG, else info
    /// for the journal, which keeps lines until they are needed, and warning for a person.
    static func make(_ options: LogOptions = LogOptions()) -> AgentLog {
        let environment = ProcessInfo.processInfo.environment
        let isJournal = StandardError.isJournal(environment)
        let wanted = options.level ?? LogLevel.ofEnvironment
        let form: LogOutput.Form = options.format == .json ? .json : isJournal ? .journal : .text
        return AgentLog(LogOutput(level: wanted ?? standardLevel, form: form))
    }

    /// The level if no option and no variable sets one.
    static var standardLevel: LogLevel {
        StandardError.isJournal(ProcessInfo.processInfo.environment) ? .info : .warning
    }
}
