internal import Synchronization

/// A value that tasks can wait for: a waiting task looks at it again after every change, and only
/// then.
package final class Observable<Value: Sendable>: Sendable {
    private struct State {
        var value: Value
        var revision: UInt64 = 0
        var lastTicket: UInt64 = 0
        /// The tasks that wait for the next change.
        var waiting: [UInt64: CheckedContinuation<Void, Never>] = [:]
    }

    private let state: Mutex<State>

    package init(_ value: Value) {
        state = Mutex(State(value: value))
    }

    package var value: Value { state.withLock { $0.value } }

    /// Changes the value and wakes all waiting tasks; not if the body throws.
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

    /// The result of `look` on the value, now or after one of the next changes; nil if it found
    /// nothing in this time. Throws `CancellationError` if the task is cancelled.
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

    /// Returns once the revision differs. Throws `CancellationError`.
    private func change(after revision: UInt64) async throws {
        let ticket = state.withLock { state in
            state.lastTicket += 1
            return state.lastTicket
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let mustWait = state.withLock { state in
                    // Nothing would wake a task that is already cancelled.
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
