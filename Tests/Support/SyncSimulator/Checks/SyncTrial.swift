import Records
import Store
import SyncCore

/// In the end a sync that somebody waits for comes to its end, on every device.
struct SyncTrial {
    let world: World

    /// Far more than a person waits.
    private static let longest: UInt64 = 60_000
    private static let look: UInt64 = 500
    private static let request = SyncRequestID(.max)

    func run() {
        // A hostile device may leave questions open; a trespasser answers like others.
        guard
            world.replicas.allSatisfy({ $0.isUp && ($0.isHonest || $0.conduct.role == .trespasser) }
            )
        else { return }
        for replica in world.replicas {
            world.engines.post([.syncRequested(Self.request)], to: replica)
        }
        let start = world.timeline.now
        var waiting = world.replicas
        while !waiting.isEmpty, world.timeline.now - start < Self.longest {
            world.pass(Self.look)
            waiting.removeAll { isDone($0) }
        }
        for replica in waiting {
            world.report.fail(
                "sync",
                "\(replica.index) is asked to sync, and never says it did: "
                    + "\(exchange(of: replica).peers.values.map { "\($0)" })")
        }
    }

    private func isDone(_ replica: Replica) -> Bool {
        replica.loop.finishedSyncs.contains(Self.request)
            && exchange(of: replica).peers.allSatisfy { device, peer in
                peer.toSend.count == 0
                    || peer.lacking.contains { space, lacking in
                        !hasHeard(replica, of: device, in: space)
                            || lacking.unlisted > 0 && isSilent(device, lacking, on: space, replica)
                    }
            }
    }

    /// Whether a device does not say which files it lacks: one that left says nothing any more, and beside a vault
    /// no reader lists files that are not encrypted. Then it seems to wait for one that is lost.
    private func isSilent(
        _ device: DeviceID, _ lacking: Exchange.Lacking, on space: SpaceID, _ replica: Replica
    ) -> Bool {
        !lacking.isVault && replica.ledger(of: space)?.membership.carriers.isEmpty == false
            || world.replica(of: device)?.store?.spaces.standing(of: space) != .active
    }

    /// Whether the last word of a device on its files is known: one that a failing disk lost comes with the next
    /// comparison.
    private func hasHeard(_ replica: Replica, of device: DeviceID, in space: SpaceID) -> Bool {
        func said(_ store: SyncStore?) -> UInt64? {
            try? store?.statements.holdings(of: space, by: device).first?.said.counter
        }
        return said(replica.store) == said(world.replica(of: device)?.store)
    }

    private func exchange(of replica: Replica) -> Exchange {
        var exchange = replica.loop.engine.exchange
        guard let served = ServedReplica(world, replica) else { return exchange }
        exchange.leaveOut { space, lacking in
            (try? served.sync.unneeded(in: lacking, of: space, here: FilesSeenHere())) ?? ([], 0)
        }
        return exchange
    }
}
