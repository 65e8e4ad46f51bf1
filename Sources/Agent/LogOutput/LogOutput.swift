import Device
package import Foundation
import SyncCore
internal import Synchronization

/// The output of one agent's log: standard error, and the latest lines in memory for a diagnostics
/// report.
package final class LogOutput: Sendable {
    /// The format of a line.
    package enum Form: Sendable {
        case text
        case journal
        case json
    }

    private struct State {
        var recent: [LogLine] = []
        /// The lines of each phase since the minute began.
        var counts: [String: Int] = [:]
        var minute: UInt64 = 0
        var leftOut = 0
    }

    /// The index of ``level`` among all levels.
    private let threshold: Atomic<Int>
    private let form: Form
    private let zone: TimeZone
    private let write: @Sendable (String) -> Void
    private let state = Mutex(State())

    package init(
        level: LogLevel, form: Form, zone: TimeZone = .current,
        write: @escaping @Sendable (String) -> Void = StandardError.write
    ) {
        threshold = Atomic(Self.place(of: level))
        (self.form, self.zone, self.write) = (form, zone, write)
    }

    /// The lowest level that is written.
    package var level: LogLevel { LogLevel.allCases[threshold.load(ordering: .relaxed)] }

    package func setLevel(_ level: LogLevel) {
        threshold.store(Self.place(of: level), ordering: .relaxed)
    }

    private static func place(of level: LogLevel) -> Int {
        LogLevel.allCases.firstIndex(of: level) ?? 0
    }

    /// The latest lines of level info and above, oldest first.
    package var recent: [LogLine] { state.withLock { $0.recent } }

    package func append(_ line: LogLine) {
        let isWanted = line.level >= level
        let (mayWrite, leftOut) = state.withLock { state in
            if line.level >= .info {
                if state.recent.count >= Limits.logLinesKept { state.recent.removeFirst() }
                state.recent.append(line)
            }
            return isWanted ? count(line, in: &state) : (false, 0)
        }
        if leftOut > 0 {
            emit(
                LogLine(
                    time: line.time, level: .warning, phase: LogPhase.program.rawValue,
                    action: "log lines left out", details: [("lines", "\(leftOut)")]))
        }
        if mayWrite { emit(line) }
    }

    /// A peer that makes this device log endlessly must not fill its disk: only a limited number of
    /// lines per phase and minute is written, and the number of omitted ones is logged once the
    /// minute is over. At level debug or lower all lines are written.
    private func count(_ line: LogLine, in state: inout State) -> (mayWrite: Bool, leftOut: Int) {
        guard level >= .info else { return (true, 0) }
        let minute = UInt64(max(0, line.time.timeIntervalSince1970)) / 60
        var leftOut = 0
        if minute != state.minute {
            leftOut = state.leftOut
            state.minute = minute
            state.counts = [:]
            state.leftOut = 0
        }
        let count = state.counts[line.phase, default: 0] + 1
        state.counts[line.phase] = count
        if count > Limits.logLinesPerMinute { state.leftOut += 1 }
        return (count <= Limits.logLinesPerMinute, leftOut)
    }

    private func emit(_ line: LogLine) {
        switch form {
        case .text: write(line.text(in: zone))
        case .journal: write(line.journal)
        case .json: write(line.json)
        }
    }
}

extension Limits {
    /// The number of log lines that a diagnostics report can show.
    package static let logLinesKept = 200
    /// Lines of one phase written per minute: more than normal work ever logs, and under 100 MB a
    /// day during an attack.
    package static let logLinesPerMinute = 600
}
