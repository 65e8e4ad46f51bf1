internal import Foundation

/// How this agent was started.
package struct AgentStart: Sendable {
    /// Whether it is a long-running agent and not a command that opened the store.
    let isLongRunning: Bool
    /// By an option of the command.
    let port: UInt16?
    let level: LogLevel?
    /// Where the log goes; nil for a logger of somebody else.
    let log: LogOutput?

    package init(
        isLongRunning: Bool, port: UInt16? = nil, level: LogLevel? = nil, log: LogOutput? = nil
    ) {
        (self.isLongRunning, self.port) = (isLongRunning, port)
        (self.level, self.log) = (level, log)
    }

    /// By the environment.
    static var levelOfEnvironment: LogLevel? {
        ProcessInfo.processInfo.environment["PEERSYNC_LOG"].flatMap(LogLevel.init(name:))
    }
}
