import Device
import Node
internal import Synchronization

/// Ends an agent so that another one opens the store.
final class Restart: Sendable {
    private struct State {
        /// Nil if nothing would start another agent.
        var ending: (@Sendable () async -> Void)?
        var policy = RestartPolicy()
        var isAsked = false
        /// What was asked for before there was an ending.
        var early: RestartPolicy.Reason?
        var reason: RestartPolicy.Reason?
    }

    private let state = Mutex(State())

    /// Sets the function that ends this agent, and what decides whether it may be called.
    func setEnding(_ policy: RestartPolicy, _ end: @escaping @Sendable () async -> Void) {
        let early = state.withLock { state in
            (state.ending, state.policy) = (end, policy)
            return state.early
        }
        if let early { begin(for: early) }
    }

    /// No other agent is to start, as somebody ends this one; nothing happens if it ends for another one.
    func forbid() {
        state.withLock { if $0.reason == nil { $0.ending = nil } }
    }

    /// Ends this agent for good.
    func end() async {
        let end = state.withLock { $0.ending }
        forbid()
        await end?()
    }

    /// Why this agent ends so that another one starts; nil if it does not.
    var reason: RestartPolicy.Reason? { state.withLock { $0.reason } }

    /// Ends this agent; false if no other one would start.
    @discardableResult
    func begin(for reason: RestartPolicy.Reason, after delay: Duration = .zero) -> Bool {
        let (hasEnding, least) = state.withLock { state in
            if state.ending == nil { state.early = reason }
            return (state.ending != nil, state.policy.delay(for: reason, at: Self.now))
        }
        guard hasEnding, let least else { return false }
        let isFirst = state.withLock { state in
            defer { state.isAsked = true }
            return !state.isAsked
        }
        guard isFirst else { return true }
        Task.after(max(least, delay)) { [self] in
            // Only now: a person who ends the agent before wants no other one.
            let end = state.withLock { state in
                if state.ending != nil { state.reason = reason }
                return state.ending
            }
            await end?()
        }
        return true
    }

    /// Time since this program first asked.
    static var now: Duration { origin.duration(to: .now) }
    private static let origin = ContinuousClock.now
}
