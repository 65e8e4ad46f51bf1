internal import Identity
package import Store
package import SyncCore
internal import Synchronization

/// What all work on one store remembers between two pieces of it.
package struct WorkMemory: Sendable {
    let pendingKeys = PendingKeys()
    let heard = HeardDevices()
    package let losses: LossBook

    package init(
        _ store: SyncStore, signatures: any SignatureVerifying = Ed25519Verifier()
    ) {
        losses = LossBook(store, signatures)
    }
}

/// Keys of devices whose cards stand in commits that are verified and not stored yet: what follows
/// them on the same connection is verified before they are stored.
package final class PendingKeys: Sendable {
    private let keys = Mutex(KeyDirectory())

    package init() {}

    /// What is stored, and what is on its way there.
    package func added(to stored: KeyDirectory) -> KeyDirectory {
        keys.withLock { keys in
            guard keys.count > 0 else { return stored }
            var all = stored
            all.merge(keys)
            return all
        }
    }

    /// Keeps the keys that verifying learned beyond `stored`. A peer that sends endless cards makes this
    /// forget some, but delays nobody else: a commit that then does not verify is asked for again.
    package func keep(_ learned: KeyDirectory, beyond stored: KeyDirectory) {
        keys.withLock { keys in
            // Two sessions may be verified at a time: what one learned the other does not take back.
            keys.merge(learned)
            let beyond = keys.count - stored.count
            if beyond <= 0 || beyond > Limits.pendingKeys { keys = KeyDirectory() }
        }
    }
}

extension Limits {
    /// Keys of devices remembered between verifying and storing: of all members of many trips.
    package static let pendingKeys = 1024
}
