internal import LocalAPI
internal import Synchronization

/// Shows how far something is that takes longer than a moment: on a terminal in one line that is
/// redrawn, elsewhere as a line every few seconds; nothing with `--json`.
final class ProgressDisplay: Sendable {
    private struct State {
        /// When a line may be written next.
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

    /// Takes the line away; to be called before anything else is written.
    func end() {
        state.withLock { state in
            if state.hasLine { output.fleeting("") }
            state.hasLine = false
            state.hasEnded = true
        }
    }

    /// Before a line appears on a terminal: what is done by then needs none.
    private static let moment = Duration.milliseconds(400)
    /// Between lines that stay.
    private static let pause = Duration.seconds(3)
}
