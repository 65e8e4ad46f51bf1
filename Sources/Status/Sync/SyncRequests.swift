package import Device
package import SyncCore
internal import Synchronization

/// Commands that wait until a sync is done.
package final class SyncRequests: Sendable {
    private struct State {
        var last: UInt64 = 0
        var isClosed = false
        var waiting: [SyncRequestID: CheckedContinuation<Bool, Never>] = [:]
    }

    private let state = Mutex(State())

    package init() {}

    /// Asks the engine for a sync and waits until nothing is left to exchange with the connected
    /// devices; false if the network went away before, or the task was cancelled.
    package func run(on loop: EngineLoop) async -> Bool {
        let request = state.withLock { state in
            state.last += 1
            return SyncRequestID(state.last)
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOpen = state.withLock { state in
                    let isOpen = !state.isClosed && !Task.isCancelled
                    if isOpen { state.waiting[request] = continuation }
                    return isOpen
                }
                guard isOpen else { return continuation.resume(returning: false) }
                loop.post(.syncRequested(request))
            }
        } onCancel: {
            answer(request, false)
        }
    }

    /// Answers all waiting commands: the network is going away.
    package func close() {
        let waiting = state.withLock { state in
            state.isClosed = true
            return Array(state.waiting.keys)
        }
        for request in waiting { answer(request, false) }
    }

    package func finish(_ request: SyncRequestID) {
        answer(request, true)
    }

    private func answer(_ request: SyncRequestID, _ done: Bool) {
        let waiting = state.withLock { $0.waiting.removeValue(forKey: request) }
        waiting?.resume(returning: done)
    }
}
