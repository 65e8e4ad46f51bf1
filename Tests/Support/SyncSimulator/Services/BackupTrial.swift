import Archive
import Store
import SyncCore
internal import TestKit
import VirtualDisk

/// A device is backed up while all others continue, and continues from a backup itself after its
/// disk is lost.
struct BackupTrial {
    let world: World
    let replica: Replica

    func backUp() {
        let backup = SimulatedBackup(world, replica)
        let lacking = world.services.serve(replica, "back up") { _ in
            try await BackupRun(backup, backup).run(copyStore: backup.copyStore) { _, _ in true }
        }
        // An unfinished backup leaves nothing.
        guard lacking != nil else { return }
        world.report.counts.deeds.insert(.backup)
        world.report.trace.note("backup", UInt64(replica.index), text: "\(replica.index)")
        let disk =
            world.schedule.canary == .restoresInPlace
            ? replica.disk.snapshot() : backup.disk.snapshot()
        var shelf = SimulatedBlobs()
        for file in backup.files { replica.storage.backedUp[file].map { shelf.put($0, as: file) } }
        for file in replica.storage.shelf.lost where !backup.files.contains(file) {
            shelf.lose(file)
        }
        replica.storage.backups.append((disk, shelf, backup.held))
        check(backup)
    }

    func putBack() {
        guard let backup = world.random.pick(replica.storage.backups) else { return }
        world.report.counts.deeds.insert(.putBack)
        restore(backup)
        // Some people restore once more to be safe.
        guard world.random.chance(30) else { return }
        world.pass(world.random.below(3_000))
        restore(backup)
    }

    private func restore(_ backup: Replica.Copy) {
        var backup = backup
        // Other devices have to supply a damaged file.
        if world.random.chance(20), let file = world.random.pick(backup.shelf.files.keys.sorted()) {
            backup.shelf.lose(file)
        }
        let isInPlace = world.schedule.canary == .restoresInPlace
        world.machines.restore(replica, to: backup, as: isInPlace ? .sameFiles : .copies)
        world.machines.start(replica)
        // It writes before it learns of its own commits after the backup.
        guard replica.isUp, world.random.chance(60) else { return }
        world.journaling.write(replica)
        if replica.isUp { world.workshops.edit(replica) }
    }

    // MARK: Laws

    /// Everything answered before a backup is in it, each log from its first commit on, and so is
    /// each file that its database lists.
    private func check(_ backup: SimulatedBackup) {
        do {
            let disk = VirtualDisk(copying: backup.disk.snapshot(), seed: 1)
            let store = try OpenedAgent(
                replica.member, on: disk,
                KnownSchemas(shelf: world.schemas, isOutdated: replica.conduct.isOutdated),
                clock: replica.clock, random: SharedRandom(seed: 1), world.signatures
            ).store
            for space in world.observer.spaces { try check(backup, space, store) }
            let lost = replica.storage.shelf.lost
            let lacking = try store.files.present().map(\.blob).filter {
                !backup.files.contains($0) && !lost.contains($0)
            }
            if let file = lacking.min() { fail("has no \(short(file)), which its database names") }
        } catch {
            fail("cannot be opened: \(error)")
        }
    }

    private func check(_ backup: SimulatedBackup, _ space: SpaceID, _ store: SyncStore) throws {
        guard let history = world.observer.histories[space] else { return }
        let isKnown = store.ledger(of: space) != nil
        let stored = isKnown ? try store.log.history(of: space, limit: .max) : []
        var there = CommitSet()
        var lengths: [LogID: (count: UInt64, last: UInt64)] = [:]
        for commit in stored {
            guard let number = history.numbers[commit.id] else { continue }
            there.insert(number)
            let header = history.entries[number].commit.header
            let length = lengths[header.log] ?? (0, 0)
            lengths[header.log] = (length.count + 1, max(length.last, header.sequence))
        }
        for number in backup.held[space]?.members ?? [] where !there.contains(number) {
            let commit = history.entries[number].commit
            let isAside = try history.isBranch(number) && store.log.commit(commit.id) != nil
            if !isAside { fail("lacks \(commit.summary), which was answered for before") }
        }
        for (log, length) in lengths where length.count != length.last {
            fail("has \(length.count) of \(length.last) commits of \(short(log.device))")
        }
    }

    private func fail(_ text: String) {
        world.report.fail("backup", "the backup of \(replica.index) \(text)")
    }
}
