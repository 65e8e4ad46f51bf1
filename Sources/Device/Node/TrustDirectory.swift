package import SyncCore
internal import Synchronization

/// With which devices this one talks: paired ones, its own person's, and members of common spaces.
/// Asked for every handshake, so it answers from memory.
package final class TrustDirectory: Sendable {
    private struct State {
        var keys: Set<Bytes32> = []
        var isPairingOpen = false
    }

    private let state = Mutex(State())

    /// Replaces the set of trusted signing keys; returns whether any left it.
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
