import SyncCore
internal import Synchronization

/// Waits for room on the disk after files did not fit, and tells when the smallest of them would.
///
/// Nothing runs while all files fit.
final class FreeSpaceMonitor: Sendable {
    private struct State {
        /// Bytes of the smallest file that did not fit.
        var smallest: UInt64?
        var watching: Task<Void, Never>?
        var isFinished = false
    }

    private let state = Mutex(State())
    private let hasRoom: @Sendable (UInt64) -> Bool
    private let stillFull: @Sendable () async -> Void
    private let roomReturned: @Sendable () -> Void

    /// `hasRoom` tells whether so many bytes fit now; each check calls one of the other two.
    init(
        hasRoom: @escaping @Sendable (UInt64) -> Bool,
        stillFull: @escaping @Sendable () async -> Void,
        roomReturned: @escaping @Sendable () -> Void
    ) {
        (self.hasRoom, self.stillFull, self.roomReturned) = (hasRoom, stillFull, roomReturned)
    }

    /// Call it when a file of so many bytes did not fit.
    func lacked(_ bytes: UInt64) {
        state.withLock { state in
            guard !state.isFinished else { return }
            state.smallest = min(state.smallest ?? .max, bytes)
            guard state.watching == nil else { return }
            state.watching = Task { [weak self] in
                while await self?.isWaiting() ?? false {}
            }
        }
    }

    func finish() {
        state.withLock { state in
            state.isFinished = true
            state.watching?.cancel()
        }
    }

    /// Checks once, after a pause; false when there is nothing left to wait for.
    private func isWaiting() async -> Bool {
        do {
            try await Task.sleep(for: .milliseconds(Limits.roomLookMilliseconds))
        } catch {
            return false
        }
        let fits = state.withLock { state in
            guard let smallest = state.smallest, !hasRoom(smallest) else {
                state.smallest = nil
                state.watching = nil
                return true
            }
            return false
        }
        if fits { roomReturned() } else { await stillFull() }
        return !fits
    }
}

extension Limits {
    /// How often to look whether a full disk has room again.
    package static let roomLookMilliseconds = 5_000
}
