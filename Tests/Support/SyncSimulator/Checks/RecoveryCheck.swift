import Node
import Store
import SyncCore
internal import TestKit

/// Forked logs: commits at the fork and beyond count for no replica, are kept by all, and are
/// recovered when one member requests it, with all other commits without effect.
final class RecoveryCheck {
    private unowned let world: World
    /// Writes recovered after a fork, and the replicas that did it.
    private(set) var recovered: [(space: SpaceID, commit: CommitID, by: Int)] = []

    init(world: World) { self.world = world }

    /// Lets one member of each group recover commits without effect, and the others receive the
    /// result.
    func recoverForked() {
        guard world.observer.histories.values.contains(where: { !$0.forks.isEmpty }) else { return }
        world.random = SeededGenerator(seed: world.schedule.seed ^ 0x7265_7363)
        world.report.trace.note("recover", text: "at \(world.timeline.now)")
        for space in world.observer.spaces {
            guard let history = world.observer.histories[space], !history.forks.isEmpty else {
                continue
            }
            for group in world.convergence.groups(of: space) {
                do {
                    try checkSetAside(in: space, history, group)
                } catch {
                    world.report.fail("fork", "a store does not answer: \(error)")
                }
                let writers = group.filter {
                    let flags = $0.ledger(of: space)?.membership.permissions(of: $0.device)
                    return flags?.contains(.write) == true
                }
                if let writer = world.random.pick(writers) { recover(space, by: writer) }
            }
        }
        world.healing.heal()
    }

    private func checkSetAside(
        in space: SpaceID, _ history: SpaceHistory, _ group: [Replica]
    ) throws {
        for replica in group {
            guard let store = replica.store, let forks = store.ledger(of: space)?.forks else {
                continue
            }
            let effective = try world.convergence.effectiveCommits(of: space, store)
            for (number, entry) in history.entries.enumerated() where history.isBranch(number) {
                let header = entry.commit.header
                let isHere = try store.log.commit(entry.commit.id) != nil
                let isCut = forks[header.log].map { header.sequence >= $0.sequence } ?? false
                if isCut, effective.contains(entry.commit.id) {
                    world.report.fail(
                        "fork", "\(replica.index) lets \(entry.commit.summary) of a branch count")
                }
                if !isCut, isHere, try isTwinKept(of: number, in: history, group) {
                    world.report.fail(
                        "fork", "\(replica.index) does not know that \(header.log.summary) forked")
                }
            }
        }
    }

    /// Whether a replica keeps another commit at the same position.
    private func isTwinKept(
        of number: Int, in history: SpaceHistory, _ group: [Replica]
    ) throws -> Bool {
        let commit = history.entries[number].commit
        for other in history.entries
        where other.commit.id != commit.id && other.commit.header.log == commit.header.log
            && other.commit.header.sequence == commit.header.sequence
        {
            for replica in group where try replica.store?.log.commit(other.commit.id) != nil {
                return true
            }
        }
        return false
    }

    private func recover(_ space: SpaceID, by replica: Replica) {
        guard let store = replica.store, let work = replica.work else { return }
        do {
            let orphans = try store.orphans.all(in: space)
            for orphan in orphans.waiting {
                do {
                    world.encrypting.readyEpoch(of: space, replica)
                    let done = try work.recover(
                        orphan, of: orphans, naming: SealedFiles(), in: space)
                    world.engines.finish(done, replica, isLate: true)
                    recovered.append((space, orphan.id, replica.index))
                } catch StoreError.permissionRefused {
                    // It may write and not delete, for example: the rest continues.
                    continue
                } catch StoreError.epochMissing {
                    // Nobody here can make a key: any device that could has done so before.
                    continue
                }
            }
        } catch {
            world.report.fail("fork", "\(replica.index) does not recover: \(error)")
        }
    }

    /// Everything recovered is in an effective commit that it had not seen: its new author's, or
    /// another author's who recovered it before.
    func checkRecovered() {
        for (space, commit, index) in recovered {
            guard let history = world.observer.histories[space],
                let number = history.numbers[commit],
                let store = world.replicas[index].store,
                let effective = try? world.convergence.effectiveCommits(of: space, store)
            else { continue }
            // With the current names, as it is written again.
            let schema = store.spaces.schema(of: space)
            var anew: Set<PlacedValue> = []
            for (other, entry) in history.entries.enumerated()
            where effective.contains(entry.commit.id) && !history.precedes(other, number) {
                anew.formUnion(entry.commit.placedValues(under: schema))
            }
            let missing = history.entries[number].commit.placedValues(under: schema).filter {
                !anew.contains($0)
            }
            if !missing.isEmpty {
                world.report.fail(
                    "fork",
                    "\(index) recovered \(history.entries[number].commit.summary), and "
                        + "\(missing.count) values of it are missing")
            }
            // No replica for which the same commits count still reports it.
            for replica in world.replicas {
                guard let store = replica.store, (try? waits(commit, in: space, store)) == true,
                    let own = try? world.convergence.effectiveCommits(of: space, store),
                    own == effective
                else { continue }
                let summary = history.entries[number].commit.summary
                world.report.fail(
                    "fork", "\(index) recovered \(summary), and \(replica.index) reports it")
            }
        }
    }
}

private struct PlacedValue: Hashable {
    let key: RecordKey
    let field: String
    let element: Value?
    let value: Value
}

/// Whether a commit is reported as an orphan whose content can be read.
private func waits(_ commit: CommitID, in space: SpaceID, _ store: SyncStore) throws -> Bool {
    guard let orphan = try store.orphans.all(in: space).waiting.first(where: { $0.id == commit })
    else {
        return false
    }
    return try !store.orphans.content(of: orphan).commit.operations.isEmpty
}

extension UnverifiedCommit {
    fileprivate func placedValues(under schema: Schema?) -> [PlacedValue] {
        operations.flatMap { operation in
            let operation = schema?.current(operation) ?? operation
            let key = RecordKey(operation)
            return operation.writes.map {
                PlacedValue(key: key, field: $0.field, element: $0.element, value: $0.value)
            }
        }
    }
}
