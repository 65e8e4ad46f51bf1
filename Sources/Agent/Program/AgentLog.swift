import Foundation
internal import Logging

/// The agent's log: to standard error, so that the service manager's journal has it.
enum AgentLog {
    /// Warnings and worse; PEERSYNC_LOG=info (or debug, trace) shows more.
    static func make() -> Logger {
        var logger = Logger(label: "peersync") { StreamLogHandler.standardError(label: $0) }
        let wanted = ProcessInfo.processInfo.environment["PEERSYNC_LOG"]
        logger.logLevel = wanted.flatMap(Logger.Level.init(rawValue:)) ?? .warning
        return logger
    }
}
