internal import Synchronization

/// The tasks of one service, by name: the service ends them in its order. A task that has ended is forgotten.
package final class ServiceTasks<Name: Hashable & Sendable>: Sendable {
    private struct State {
        var tasks: [Name: (number: UInt64, task: Task<Void, Never>)] = [:]
        var lastNumber: UInt64 = 0
    }

    private let state = Mutex(State())

    package init() {}

    /// The names of those that run.
    package var running: Set<Name> { state.withLock { Set($0.tasks.keys) } }

    /// Runs `work` until it returns; no other one of this name may run.
    package func run(_ name: Name, _ work: @escaping @Sendable () async -> Void) {
        state.withLock { state in
            precondition(state.tasks[name] == nil, "\(name) runs already")
            state.lastNumber += 1
            let number = state.lastNumber
            let task = Task { [weak self] in
                await work()
                self?.forget(name, number)
            }
            state.tasks[name] = (number, task)
        }
    }

    private func forget(_ name: Name, _ number: UInt64) {
        state.withLock { if $0.tasks[name]?.number == number { $0.tasks[name] = nil } }
    }

    package func cancel(_ name: Name) {
        state.withLock { $0.tasks[name]?.task }?.cancel()
    }

    /// Returns once it has ended.
    package func ended(_ name: Name) async {
        await state.withLock { $0.tasks[name]?.task }?.value
    }

    /// Cancels all. The answer waits for all of them to end.
    package func cancelAll() -> @Sendable () async -> Void {
        let tasks = state.withLock { $0.tasks.values.map(\.task) }
        for task in tasks { task.cancel() }
        return { for task in tasks { await task.value } }
    }
}
