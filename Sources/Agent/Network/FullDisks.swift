import SyncCore
internal import Synchronization

/// Whose disk is full: this device's, so that others are told, and others', as they said last.
final class FullDisks: Sendable {
    private struct State {
        var isFullHere = false
        var elsewhere: Set<DeviceID> = []
    }

    private let state = Mutex(State())

    var isFullHere: Bool { state.withLock { $0.isFullHere } }
    var elsewhere: Set<DeviceID> { state.withLock { $0.elsewhere } }

    /// Returns whether that is news.
    func setHere(_ isFull: Bool) -> Bool {
        state.withLock { state in
            defer { state.isFullHere = isFull }
            return state.isFullHere != isFull
        }
    }

    /// A session began: a peer whose disk is still full says so again.
    func opened(_ device: DeviceID) {
        state.withLock { _ = $0.elsewhere.remove(device) }
    }

    func note(_ device: DeviceID, _ condition: Condition) {
        state.withLock { state in
            if condition.isDiskFull {
                state.elsewhere.insert(device)
            } else {
                state.elsewhere.remove(device)
            }
        }
    }
}
