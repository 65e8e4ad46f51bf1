internal import Foundation
internal import LocalAPI

/// Notices that a running agent takes requests and answers none.
struct SilentAgent {
    let client: LocalClient

    /// Nil when it answers.
    func failure(after limit: Duration) async -> APIError? {
        guard await !client.isResponding(within: limit) else { return nil }
        let process = client.agentProcess
        return .agentSilent(
            process: process, isStopped: process.map { Self.isStopped($0) } ?? false)
    }

    /// Says it once, two seconds after a command began.
    func watch(for output: Output) async throws {
        try await Task.sleep(for: .seconds(1))
        guard let failure = await failure(after: .seconds(1)), !Task.isCancelled else { return }
        output.fleeting("")
        output.remark([failure.sentence, failure.hint].compactMap(\.self).joined(separator: "\n"))
    }

    /// As by Ctrl-Z: proc_pid_stat(5) gives the state behind the name in brackets.
    private static func isStopped(_ process: Int32) -> Bool {
        let bytes = FileManager.default.contents(atPath: "/proc/\(process)/stat") ?? Data()
        let text = String(decoding: bytes, as: UTF8.self)
        guard let end = text.lastIndex(of: ")") else { return false }
        return text[end...].dropFirst(2).first.map { "Tt".contains($0) } ?? false
    }
}
