internal import LocalAPI
internal import Synchronization

/// Shows the progress of an operation that takes long: on a terminal in one line that is redrawn,
/// elsewhere as a line every few seconds; nothing with `--json`.
final class ProgressDisplay: Sendable {
    private struct State {
        /// The earliest time of the next line.
        var next: ContinuousClock.Instant
        var hasLine = false
        var hasEnded = false
    }

    private let output: Output
    private let state: Mutex<State>

    init(_ output: Output) {
        self.output = output
        let wait = output.terminal.errorIsTerminal ? Self.moment : Self.pause
        state = Mutex(State(next: .now + wait))
    }

    func show(_ line: String) {
        let now = ContinuousClock.now
        let isTerminal = output.terminal.errorIsTerminal
        state.withLock { state in
            guard !state.hasEnded, now >= state.next else { return }
            guard isTerminal else {
                output.remark(line)
                state.next = now + Self.pause
                return
            }
            output.fleeting(TextWidth.fitted(line, to: output.terminal.columns - 1))
            state.hasLine = true
        }
    }

    /// Clears the line; call it before anything else is written.
    func end() {
        state.withLock { state in
            if state.hasLine { output.fleeting("") }
            state.hasLine = false
            state.hasEnded = true
        }
    }

    /// The wait before a line appears on a terminal: shorter operations need none.
    private static let moment = Duration.milliseconds(400)
    /// The wait between lines that stay.
    private static let pause = Duration.seconds(3)
}
