internal import Foundation

/// What the kernel tells of the agent's process: proc_pid_stat(5).
package struct AgentProcess: Sendable, Equatable {
    /// By Ctrl-Z or `kill -STOP`.
    package let isStopped: Bool
    /// Whether one of its threads runs or waits for a disk.
    package let isBusy: Bool
    /// The time that it has run, in ticks of the kernel's clock.
    package let ticks: UInt64

    package init(isStopped: Bool, isBusy: Bool, ticks: UInt64) {
        (self.isStopped, self.isBusy, self.ticks) = (isStopped, isBusy, ticks)
    }

    /// Nil when there is none, or the kernel does not tell.
    init?(_ number: Int32) {
        guard let text = Self.text(of: "/proc/\(number)/stat") else { return nil }
        let tasks = "/proc/\(number)/task"
        // Threads come and go meanwhile.
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []
        self.init(
            stat: text, threads: threads.compactMap { Self.text(of: "\(tasks)/\($0)/stat") })
    }

    /// Of the kernel's lines about the process and about its threads; nil for other text.
    package init?(stat: String, threads: [String]) {
        guard let fields = Self.fields(stat), fields.count > 12, let user = UInt64(fields[11]),
            let system = UInt64(fields[12])
        else { return nil }
        isStopped = ["T", "t"].contains(fields[0])
        isBusy = threads.contains { thread in
            Self.fields(thread).flatMap(\.first).map { ["D", "R"].contains($0) } ?? false
        }
        ticks = user &+ system
    }

    /// Those after the name, which stands in brackets: the first is the state.
    private static func fields(_ stat: String) -> [Substring]? {
        stat.lastIndex(of: ")").map { stat[$0...].dropFirst(2).split(separator: " ") }
    }

    private static func text(of path: String) -> String? {
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
    }
}
