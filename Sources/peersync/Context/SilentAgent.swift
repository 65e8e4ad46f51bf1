internal import Foundation
internal import LocalAPI

/// Detects a running agent that accepts requests and answers none.
struct SilentAgent {
    let client: LocalClient

    /// The answer, which must come within a time. Throws otherwise.
    func answer<Answer: Sendable>(
        within limit: Duration, _ request: @escaping @Sendable () async throws -> Answer
    ) async throws -> Answer {
        guard let answer = try await client.answer(within: limit, request) else { throw failure }
        return answer
    }

    private var failure: APIError {
        let process = client.agentProcess
        return agentSilent(
            process: process, isStopped: process.map { Self.isStopped($0) } ?? false)
    }

    /// Reports it once, two seconds after a command began.
    func watch(for output: Output) async throws {
        try await Task.sleep(for: .seconds(1))
        guard await !client.isResponding(within: .seconds(1)), !Task.isCancelled else { return }
        let failure = failure
        output.fleeting("")
        output.remark([failure.sentence, failure.hint].compactMap(\.self).joined(separator: "\n"))
    }

    /// Whether a process is stopped, as by Ctrl-Z: proc_pid_stat(5) has the state after the name in
    /// brackets.
    private static func isStopped(_ process: Int32) -> Bool {
        let bytes = FileManager.default.contents(atPath: "/proc/\(process)/stat") ?? Data()
        let text = String(decoding: bytes, as: UTF8.self)
        guard let end = text.lastIndex(of: ")") else { return false }
        return text[end...].dropFirst(2).first.map { "Tt".contains($0) } ?? false
    }
}

/// It accepts connections, but does not answer. `isStopped`: by Ctrl-Z or `kill -STOP`.
private func agentSilent(process: Int32?, isStopped: Bool) -> APIError {
    let number = process.map { String($0) } ?? "PID"
    let which = process.map { tr(" (process \($0))") } ?? ""
    return APIError(
        code: .noAgent,
        sentence: isStopped
            ? "The agent is stopped\(which): it holds the data and does not answer."
            : "The agent does not answer\(which): it is very busy, or it hangs.",
        hint: isStopped
            ? "Let it go on: kill -CONT \(number)"
            : """
            Wait a little. If that does not help, end it with 'kill \(number)' and start it \
            again.
            """)
}
