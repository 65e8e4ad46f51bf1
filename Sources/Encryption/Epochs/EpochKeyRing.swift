package import SyncCore
internal import Synchronization

/// The secrets of epochs that were wrapped for this device. They are kept in memory only: the log has the
/// wrapped ones, and the device's own key opens them.
package final class EpochKeyRing: EpochKeyHolding {
    private struct Keys {
        var own: (device: DeviceID, identity: AgeIdentity)?
        /// The recipient of each epoch.
        var recipients: [SpaceID: [CommitID: String]] = [:]
        /// By recipient: an age file may hold anything, but a secret shows which recipient it belongs to.
        var secrets: [SpaceID: [String: AgeIdentity]] = [:]
    }

    private let keys = Mutex(Keys())

    package init() {}

    /// Sets the key of this device, which opens secrets from now on.
    package func use(_ device: DeviceID, agreementSecret: Bytes32) {
        let identity = try? AgeIdentity(privateKey: agreementSecret.bytes)
        keys.withLock { $0.own = identity.map { (device, $0) } }
    }

    package func learn(_ facts: [MembershipFact], of commit: CommitID, in space: SpaceID) {
        for case .epoch(let fact) in facts {
            let own = keys.withLock { keys in
                if fact.addedTo.isEmpty, keys.recipients[space]?[commit] == nil {
                    keys.recipients[space, default: [:]][commit] = fact.recipient
                }
                return keys.own
            }
            guard let own, let key = fact.keys.first(where: { $0.device == own.device }) else {
                continue
            }
            let count = max(1, fact.addedTo.count)
            add(
                WrappedSecrets.unwrap(key.ageFile, with: own.identity, atMost: count), in: space)
        }
    }

    /// Adds secrets that were made on this device.
    package func add(_ secrets: [AgeIdentity], in space: SpaceID) {
        guard !secrets.isEmpty else { return }
        keys.withLock { keys in
            for secret in secrets {
                keys.secrets[space, default: [:]][secret.recipient.text] = secret
            }
        }
    }

    /// All that this device has for a space.
    package func secrets(of space: SpaceID) -> EpochSecrets {
        keys.withLock { keys in
            var found = EpochSecrets()
            found.identities = (keys.recipients[space] ?? [:]).compactMapValues {
                keys.secrets[space]?[$0]
            }
            return found
        }
    }

    package func secret(of epoch: CommitID, in space: SpaceID) -> AgeIdentity? {
        keys.withLock { keys in
            keys.recipients[space]?[epoch].flatMap { keys.secrets[space]?[$0] }
        }
    }

    package func holds(_ epoch: CommitID, in space: SpaceID) -> Bool {
        secret(of: epoch, in: space) != nil
    }

    package func open(_ sealed: [UInt8], of header: CommitHeader) -> Unsealed {
        guard let epoch = header.epoch, let secret = secret(of: epoch, in: header.space) else {
            return .closed
        }
        return SealedOperations.open(sealed, with: secret, at: header)
    }
}
