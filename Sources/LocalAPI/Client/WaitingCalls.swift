internal import Synchronization

/// The calls that wait for an agent: where it gives no sign of life, they end together.
final class WaitingCalls: Sendable {
    private struct Call {
        let socket: LocalSocket
        let since: ContinuousClock.Instant
    }

    private struct State {
        var calls: [Int: Call] = [:]
        var begun = 0
        /// When bytes of the agent came last.
        var heard: ContinuousClock.Instant?
        /// Why calls were ended.
        var failures: [Int: APIError] = [:]
    }

    private let state = Mutex(State())

    /// Returns the number of the call.
    func begin(_ socket: LocalSocket) -> Int {
        state.withLock { state in
            state.begun += 1
            state.calls[state.begun] = Call(socket: socket, since: .now)
            return state.begun
        }
    }

    /// Returns why it was ended, when it was.
    @discardableResult
    func end(_ call: Int) -> APIError? {
        state.withLock { state in
            state.calls[call] = nil
            return state.failures.removeValue(forKey: call)
        }
    }

    func heard() { state.withLock { $0.heard = .now } }

    /// Since when a call waits and nothing came; nil while none waits.
    var silentSince: ContinuousClock.Instant? {
        state.withLock { state in
            guard let oldest = state.calls.values.map(\.since).min() else { return nil }
            return max(oldest, state.heard ?? oldest)
        }
    }

    /// The process that one of them waits for; nil while none waits.
    var listener: Int32? { state.withLock { $0.calls.values.first?.socket.listener } }

    /// Ends all that wait, with this error.
    func endAll(with error: APIError) {
        let sockets = state.withLock { state in
            for call in state.calls.keys { state.failures[call] = error }
            return state.calls.values.map(\.socket)
        }
        for socket in sockets { socket.end() }
    }
}
