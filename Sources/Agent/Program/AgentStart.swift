/// The way in which this agent was started.
package struct AgentStart: Sendable {
    /// Whether it is a long-running agent, not a command that opened the store.
    let isLongRunning: Bool
    /// The port of the command's option.
    let port: UInt16?
    let level: LogLevel?
    /// The log's output; nil for a logger from elsewhere.
    let log: LogOutput?

    package init(
        isLongRunning: Bool, port: UInt16? = nil, level: LogLevel? = nil, log: LogOutput? = nil
    ) {
        (self.isLongRunning, self.port) = (isLongRunning, port)
        (self.level, self.log) = (level, log)
    }
}
