package import SyncCore
internal import Synchronization

/// The devices that this one talks to: paired ones, its own person's, and members of common spaces.
/// Every handshake asks it, so it answers from memory.
package final class TrustDirectory: Sendable {
    private struct State {
        var keys: Set<Bytes32> = []
        var isPairingOpen = false
    }

    private let state = Mutex(State())

    /// Replaces the set of trusted signing keys; returns whether any was removed.
    func replace(with keys: Set<Bytes32>) -> Bool {
        state.withLock { state in
            defer { state.keys = keys }
            return !state.keys.isSubset(of: keys)
        }
    }

    package var keys: Set<Bytes32> { state.withLock { $0.keys } }

    /// Whether strangers may pair.
    package var isPairingOpen: Bool { state.withLock { $0.isPairingOpen } }

    package func setPairing(open: Bool) {
        state.withLock { $0.isPairingOpen = open }
    }
}
