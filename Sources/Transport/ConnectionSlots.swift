package import SyncCore
internal import Synchronization

/// A place that a socket holds; its holder releases it once.
package enum Place: Hashable, Sendable {
    /// An accepted socket whose peer is not authenticated, by address.
    case stranger(address: String)
    case pairing(address: String)
    case peer(Bytes32)
}

/// Counts sockets, and decides which peer may open another one.
///
/// Two reservations prevent strangers and greedy peers from locking others out: the last
/// unauthenticated sockets are for addresses from which a trusted device connected before, and the
/// last connections are for peers that have none.
package final class ConnectionSlots: Sendable {
    private struct Taken {
        var strangers = 0
        var strangersByAddress: [String: Int] = [:]
        var pairings = 0
        var pairingsByAddress: [String: Int] = [:]
        var peers = 0
        var peersByKey: [Bytes32: Int] = [:]
        /// Oldest first, at most `Limits.familiarAddresses`.
        var familiar: [String] = []
    }

    private let limits: TransportLimits
    private let taken = Mutex(Taken())

    package init(limits: TransportLimits) { self.limits = limits }

    /// A place for a newly accepted socket, or nil.
    package func reserveForStranger(address: String) -> Place? {
        taken.withLock { taken in
            let kept = taken.familiar.contains(address) ? 0 : limits.unauthenticatedSocketsKept
            let fromAddress = taken.strangersByAddress[address, default: 0]
            guard taken.strangers < limits.unauthenticatedSockets - kept,
                fromAddress < limits.unauthenticatedSocketsPerAddress
            else { return nil }
            taken.strangers += 1
            taken.strangersByAddress[address] = fromAddress + 1
            return .stranger(address: address)
        }
    }

    /// A place for an admitted peer whose handshake is done, or nil.
    package func reserve(for key: Bytes32, _ application: ApplicationProtocol, address: String)
        -> Place?
    {
        taken.withLock { taken in
            switch application {
            case .pairing:
                let fromAddress = taken.pairingsByAddress[address, default: 0]
                guard taken.pairings < Limits.pairingConnections,
                    fromAddress < Limits.pairingConnectionsPerAddress
                else { return nil }
                taken.pairings += 1
                taken.pairingsByAddress[address] = fromAddress + 1
                return .pairing(address: address)
            case .session:
                let own = taken.peersByKey[key, default: 0]
                let kept = own == 0 ? 0 : limits.connectionsKept
                guard taken.peers < limits.connections - kept, own < limits.connectionsPerPeer
                else { return nil }
                taken.peers += 1
                taken.peersByKey[key] = own + 1
                taken.familiar.removeAll { $0 == address }
                taken.familiar.append(address)
                if taken.familiar.count > Limits.familiarAddresses { taken.familiar.removeFirst() }
                return .peer(key)
            }
        }
    }

    package func giveBack(_ place: Place) {
        taken.withLock { taken in
            switch place {
            case .stranger(let address):
                taken.strangers -= 1
                ConnectionSlots.decrement(address, in: &taken.strangersByAddress)
            case .pairing(let address):
                taken.pairings -= 1
                ConnectionSlots.decrement(address, in: &taken.pairingsByAddress)
            case .peer(let key):
                taken.peers -= 1
                ConnectionSlots.decrement(key, in: &taken.peersByKey)
            }
        }
    }

    /// Removes a key whose count reaches zero, so that the table does not grow.
    private static func decrement<Key>(_ key: Key, in counts: inout [Key: Int]) {
        let left = counts[key, default: 0] - 1
        counts[key] = left > 0 ? left : nil
    }
}
