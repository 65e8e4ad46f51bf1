internal import Glibc
internal import Synchronization

/// Lines of standard input, read without blocking a thread: the agent in this process needs the
/// threads, and Ctrl-C must end a question.
final class StandardInput: Sendable {
    static let shared = StandardInput()

    /// The longest accepted line, in bytes.
    private static let longestLine = 64 * 1024

    private struct State {
        var bytes: [UInt8] = []
        var ended = false
    }

    private let state = Mutex(State())

    /// The next line without its end; `nil` at the end of the input. Throws `CancellationError`.
    func line() async throws -> String? {
        while true {
            if let line = consumeLine() { return line }
            if state.withLock({ $0.ended }) { return nil }
            try Task.checkCancellation()
            if isReadable { fill() } else { try await Task.sleep(for: .milliseconds(30)) }
        }
    }

    /// Drops the text typed so far, so that it does not answer a later question. Only for a
    /// terminal: the input of a program waits.
    func discardTyped() {
        guard isatty(STDIN_FILENO) == 1 else { return }
        state.withLock { state in
            state.bytes = []
            // This fails only if standard input is not a terminal.
            _ = tcflush(STDIN_FILENO, TCIFLUSH)
        }
    }

    /// All text until the end of the input.
    func all() async throws -> String {
        var lines: [String] = []
        while let line = try await line() { lines.append(line) }
        return lines.joined(separator: "\n")
    }

    /// All bytes until the end of the input; nil if there are more than the limit.
    func bytes(upTo limit: Int) async throws -> [UInt8]? {
        while !state.withLock({ $0.ended }) {
            try Task.checkCancellation()
            if isReadable { fill() } else { try await Task.sleep(for: .milliseconds(30)) }
            guard state.withLock({ $0.bytes.count }) <= limit else { return nil }
        }
        return state.withLock { state in
            defer { state.bytes = [] }
            return state.bytes
        }
    }

    private func consumeLine() -> String? {
        state.withLock { state in
            let end = state.bytes.firstIndex(of: UInt8(ascii: "\n"))
            let full = state.ended || state.bytes.count > Self.longestLine
            guard end != nil || (full && !state.bytes.isEmpty) else { return nil }
            var line = state.bytes[..<(end ?? state.bytes.endIndex)]
            state.bytes.removeSubrange(..<(end.map { $0 + 1 } ?? state.bytes.endIndex))
            if line.last == UInt8(ascii: "\r") { line.removeLast() }
            return String(decoding: line, as: UTF8.self)
        }
    }

    private var isReadable: Bool {
        var entry = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&entry, 1, 0) > 0
    }

    private func fill() {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = unsafe read(STDIN_FILENO, &buffer, buffer.count)
        if count < 0, errno == EINTR || errno == EAGAIN { return }
        state.withLock { state in
            if count > 0 { state.bytes += buffer[..<count] } else { state.ended = true }
        }
    }
}
