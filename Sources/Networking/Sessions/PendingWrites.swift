internal import Synchronization

/// Chunks that came over one connection and are not written yet.
///
/// The next chunk is not taken before the last is written: so at most one is lost when the program is
/// killed, and a disk that is slower than the network slows the sender down. Meanwhile the next one
/// comes into the connection's own buffers.
final class PendingWrites: Sendable {
    private struct State {
        var count = 0
        /// Only the connection's reader waits.
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    func began() {
        state.withLock { $0.count += 1 }
    }

    func ended() {
        let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
            state.count -= 1
            guard state.count == 0 else { return nil }
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume()
    }

    /// Returns once everything that began has ended.
    func drained() async {
        await withCheckedContinuation { continuation in
            let isSettled = state.withLock { state in
                guard state.count > 0 else { return true }
                state.waiter = continuation
                return false
            }
            if isSettled { continuation.resume() }
        }
    }
}
