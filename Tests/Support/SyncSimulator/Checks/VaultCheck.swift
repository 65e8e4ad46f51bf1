import Node
import Store
import SyncCore

/// Devices that store spaces and cannot read them.
struct VaultCheck {
    let world: World

    /// Honest devices that are vaults of a space in their own view and in that of all its readers,
    /// that these can reach, and that know of no removal which the removed device has not heard of.
    func vaults(of space: SpaceID, near group: [Replica]) -> [Replica] {
        world.replicas.filter { replica in
            replica.isHonest && replica.store?.spaces.standing(of: space) == .active
                && group.contains { world.network.mayConnect($0, replica) }
                && ([replica] + group).allSatisfy { one in
                    one.ledger(of: space)?.membership.vaults.contains(replica.device) == true
                }
                && !group.contains { world.convergence.shutsOut(replica, $0, of: space) }
        }
    }

    /// Data of a space that a vault may have and lacks.
    func missingOnVaults(in space: SpaceID, _ group: [Replica]) throws -> [String] {
        guard let first = group.first else { return [] }
        var problems: [String] = []
        for vault in vaults(of: space, near: group) {
            if !world.convergence.isSame(vault, first, in: space) {
                problems.append(
                    "\(short(space)): \(first.index) has \(first.watermark(of: space).summary), "
                        + "the vault \(vault.index) \(vault.watermark(of: space).summary)")
                continue
            }
            for need in try vault.store?.files.missing(of: space) ?? [] {
                let holder = try group.first {
                    try $0.store?.files.servedKind(of: need.blob, in: space, isSealed: true) != nil
                }
                if let holder {
                    problems.append(
                        "the vault \(vault.index) lacks the file \(short(need.blob)) that "
                            + "\(holder.index) has")
                }
            }
        }
        return problems
    }

    /// Readers that lack a part of a commit which another one has whole.
    func missingParts(of space: SpaceID, _ group: [Replica]) -> [String] {
        let ledgers = group.compactMap { $0.ledger(of: space) }
        return group.flatMap { replica in
            let withheld = replica.ledger(of: space)?.sealing.withheldFrom ?? [:]
            return withheld.filter { log, first in
                ledgers.contains { other in
                    other.watermark.covers(log, first)
                        && other.sealing.withheldFrom[log].map { $0 > first } ?? true
                }
            }
            .map { log, first in "\(replica.index) lacks parts of \(log):\(first)" }
        }
    }

    /// A device that was never granted read access has only the public parts unsealed.
    func checkVaults() {
        for space in world.observer.spaces {
            guard let history = world.observer.histories[space] else { continue }
            let readers = readersEver(in: history)
            for replica in world.replicas
            where replica.isHonest && !readers.contains(replica.device) {
                do {
                    try checkVault(replica, space, history)
                } catch {
                    world.report.fail("vault", "a store does not answer: \(error)")
                }
            }
        }
    }

    private func checkVault(
        _ replica: Replica, _ space: SpaceID, _ history: SpaceHistory
    ) throws {
        guard let store = replica.store, store.ledger(of: space) != nil else { return }
        // While a thief had taken its grant away it was no vault, and a trespasser could send it words as to anybody.
        let hadThief = world.report.counts.deeds.contains(.theft)
        for (number, entry) in history.entries.enumerated() {
            let whole = entry.commit
            let author = whole.header.log.device
            guard author != replica.device, whole.header.epoch == nil,
                !hadThief || world.replica(of: author)?.isHonest == true,
                !isReplayed(number, in: space), let stored = try store.log.commit(whole.id)
            else { continue }
            if !stored.operations.isEmpty {
                world.report.fail(
                    "vault", "\(replica.index), a vault, has the words of \(whole.summary)")
            }
            if !whole.clear.blobs.isEmpty, !stored.clear.isEmpty, whole.clear.facts.isEmpty,
                history.precedesEpochs(whole.id)
            {
                world.report.fail(
                    "vault", "\(replica.index), a vault, has the names of \(whole.summary)")
            }
        }
    }

    /// Whether a device that says old messages again may have sent this commit to anybody, as whole as it was.
    private func isReplayed(_ number: Int, in space: SpaceID) -> Bool {
        world.replicas.contains {
            $0.conduct.role == .replayer && $0.seen.held[space]?.contains(number) == true
        }
    }

    private func readersEver(in history: SpaceHistory) -> Set<DeviceID> {
        var readers: Set<DeviceID> = [world.replicas[history.founder].device]
        for fact in history.entries.flatMap(\.commit.clear.facts) {
            var grant: UnverifiedGrant?
            switch fact {
            case .grant(let given): grant = given
            case .personStatement(let statement):
                if case .grant(let given) = statement.body { grant = given }
            default: break
            }
            guard let grant, grant.flags.contains(.read),
                let device = grant.card.links.last?.content.device
            else { continue }
            readers.insert(device)
        }
        return readers
    }
}

extension SpaceHistory {
    /// Whether no epoch was made before a commit.
    fileprivate func precedesEpochs(_ id: CommitID) -> Bool {
        guard let number = numbers[id] else { return false }
        return !entries.indices.contains { other in
            precedes(other, number)
                && entries[other].commit.clear.facts.contains { fact in
                    if case .epoch(let epoch) = fact { epoch.addedTo.isEmpty } else { false }
                }
        }
    }
}

extension World {
    var vaultCheck: VaultCheck { VaultCheck(world: self) }
}
