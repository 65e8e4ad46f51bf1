import SyncCore
internal import Synchronization
import Transport

/// With which devices this one talks: paired ones, its own person's, and members of common spaces.
/// Asked for every handshake, so it answers from memory.
final class TrustDirectory: TrustPolicy {
    private struct State {
        var keys: Set<Bytes32> = []
        var isPairingOpen = false
    }

    private let state = Mutex(State())

    func admits(_ key: Bytes32, _ application: ApplicationProtocol) -> Bool {
        state.withLock { state in
            switch application {
            case .session: state.keys.contains(key)
            case .pairing: state.isPairingOpen
            }
        }
    }

    /// Replaces the set of trusted signing keys; returns whether any left it.
    func replace(with keys: Set<Bytes32>) -> Bool {
        state.withLock { state in
            defer { state.keys = keys }
            return !state.keys.isSubset(of: keys)
        }
    }

    var keys: Set<Bytes32> { state.withLock { $0.keys } }

    func setPairing(open: Bool) {
        state.withLock { $0.isPairingOpen = open }
    }
}
