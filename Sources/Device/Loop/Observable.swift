internal import Synchronization

/// A value that can be waited for: whoever waits looks at it again after every change, and not in
/// between.
package final class Observable<Value: Sendable>: Sendable {
    private struct State {
        var value: Value
        var revision: UInt64 = 0
        var lastTicket: UInt64 = 0
        /// Who waits for the next change.
        var waiting: [UInt64: CheckedContinuation<Void, Never>] = [:]
    }

    private let state: Mutex<State>

    package init(_ value: Value) {
        state = Mutex(State(value: value))
    }

    package var value: Value { state.withLock { $0.value } }

    /// Changes the value and wakes everybody who waits; not when the body throws.
    package func update<Result: Sendable>(
        _ change: @Sendable (inout Value) throws -> Result
    ) rethrows -> Result {
        let (result, woken) = try state.withLock { state in
            let result = try change(&state.value)
            state.revision += 1
            defer { state.waiting = [:] }
            return (result, Array(state.waiting.values))
        }
        for continuation in woken { continuation.resume() }
        return result
    }

    /// What `look` finds in the value, now or after one of the next changes; nil when it found
    /// nothing in this time. Throws `CancellationError` when the task is cancelled.
    package func first<Found: Sendable>(
        within limit: Duration, _ look: @escaping @Sendable (Value) -> Found?
    ) async throws -> Found? {
        if let found = look(value) { return found }
        try Task.checkCancellation()
        guard limit > .zero else { return nil }
        let deadline = ContinuousClock.now + limit
        return try await withThrowingTaskGroup(of: Found?.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await self.first(look) }
            group.addTask {
                try await Task.sleep(until: deadline, clock: .continuous)
                return nil
            }
            return try await group.next() ?? nil
        }
    }

    private func first<Found>(_ look: (Value) -> Found?) async throws -> Found {
        while true {
            let (value, revision) = state.withLock { ($0.value, $0.revision) }
            if let found = look(value) { return found }
            try await change(after: revision)
        }
    }

    /// Returns once the revision is another one. Throws `CancellationError`.
    private func change(after revision: UInt64) async throws {
        let ticket = state.withLock { state in
            state.lastTicket += 1
            return state.lastTicket
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let mustWait = state.withLock { state in
                    // A task that is cancelled already has nobody left to wake it.
                    guard state.revision == revision, !Task.isCancelled else { return false }
                    state.waiting[ticket] = continuation
                    return true
                }
                if !mustWait { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: ticket) }?.resume()
        }
        try Task.checkCancellation()
    }
}
