internal import Foundation
internal import Logging

/// How much the agent logs.
package enum LogLevel: String, CaseIterable, Comparable, Sendable {
    case verbose
    case debug
    case info
    case warning
    case error

    /// Finds a level by its name; swift-log's own names are accepted, too.
    package init?(name: String) {
        if let level = LogLevel(rawValue: name.lowercased()) {
            self = level
        } else if let level = Logger.Level(rawValue: name.lowercased()) {
            self = LogLevel(level)
        } else {
            return nil
        }
    }

    /// The level that the environment sets.
    static var ofEnvironment: LogLevel? {
        ProcessInfo.processInfo.environment["PEERSYNC_LOG"].flatMap(LogLevel.init(name:))
    }

    init(_ level: Logger.Level) {
        switch level {
        case .trace: self = .verbose
        case .debug: self = .debug
        case .info, .notice: self = .info
        case .warning: self = .warning
        case .error, .critical: self = .error
        }
    }

    var loggerLevel: Logger.Level {
        switch self {
        case .verbose: .trace
        case .debug: .debug
        case .info: .info
        case .warning: .warning
        case .error: .error
        }
    }

    /// The priority number that systemd reads before a line (sd-daemon(3)).
    var priority: Int {
        switch self {
        case .error: 3
        case .warning: 4
        case .info: 6
        case .debug, .verbose: 7
        }
    }

    package static func < (left: LogLevel, right: LogLevel) -> Bool {
        left.loggerLevel < right.loggerLevel
    }
}

/// The format of log lines.
package enum LogFormat: String, CaseIterable, Sendable {
    /// For people, or for the journal if it is the reader.
    case text
    /// One object per line, for programs.
    case json
}

/// A program's options for the log; nil takes the default for its output.
package struct LogOptions: Sendable {
    package var level: LogLevel?
    package var format: LogFormat?

    package init(level: LogLevel? = nil, format: LogFormat? = nil) {
        (self.level, self.format) = (level, format)
    }
}
