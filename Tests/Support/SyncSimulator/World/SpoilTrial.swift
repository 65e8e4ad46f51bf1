import Store
import SyncCore
internal import TestKit
import VirtualDisk

/// A database with changed bytes, or a missing one: no loss stays unreported, and data on another
/// device is fetched again.
struct SpoilTrial {
    let world: World
    let replica: Replica

    private enum Kind: CaseIterable {
        case bits, pages, cut, gone, withoutWAL, older, mark
    }

    private struct Damage {
        let kind: Kind
        /// What an older database is restored from.
        var copy: Replica.Copy?
    }

    /// Time for others to send what they have of a loss.
    private static let healingMilliseconds: UInt64 = 3_500

    /// Facts that must still be known afterwards, whatever happened to the database. Where a call of its disk may
    /// have failed, the files beside the database may be older: nothing is expected of them then.
    private struct Known {
        /// On a full disk those of accepted spaces: a transaction that says so needs room for the mark.
        let standings: [SpaceID: SpaceStanding]
        let paired: Set<DeviceID>
        /// What it had of each space; nothing on a full disk, which may not have taken the ends of logs.
        let watermarks: [SpaceID: Watermark]
    }

    /// In half of the trials with a loss the same happens once more, after the person dismissed the loss: others sent
    /// what they have of it, or something was written that can be lost as well.
    func run() {
        if !replica.isUp { world.machines.start(replica) }
        dismissAll()
        let damage = damage()
        // Drawn apart: what follows stays as it was.
        let random = world.random
        defer { world.random = random }
        guard let damage, world.random.chance(50), dismissAll() else { return }
        if world.random.chance(50) {
            world.pass(SpoilTrial.healingMilliseconds)
        } else if replica.isUp {
            world.journaling.write(replica)
        }
        _ = self.damage(damage)
    }

    /// Does this damage, or draws one; nil where the store is closed. The files beside the database reach the disk a
    /// while later: another trial covers power cuts.
    private func damage(_ former: Damage? = nil) -> Damage? {
        if !replica.isUp { world.machines.start(replica) }
        guard let known = known() else { return nil }
        world.machines.stop(replica, cutsPower: false)
        var damage = former ?? Damage(kind: world.random.pick(Kind.allCases) ?? .bits)
        world.report.trace.note(
            "spoil", UInt64(replica.index), text: "\(replica.index) \(damage.kind)")
        world.report.counts.deeds.insert(.spoiled)
        spoil(&damage)
        replica.seen.isSpoiled = damage.kind != .mark
        world.machines.start(replica)
        replica.seen.isSpoiled = false
        check(known)
        return damage
    }

    /// Dismisses what is lost: a later loss is reported all the same. Returns whether there was any.
    @discardableResult
    private func dismissAll() -> Bool {
        guard let store = replica.store else { return false }
        do {
            let (lost, emptied) = (try store.stranded.lostChanges(), store.spaces.emptied)
            guard !lost.isEmpty || !emptied.isEmpty else { return false }
            try store.stranded.dismiss(lost, emptied: emptied)
            return true
        } catch {
            // On a full or failing disk it is reported on.
            return false
        }
    }

    private func known() -> Known? {
        guard let store = replica.store, let devices = try? store.devices.all() else { return nil }
        let all = world.observer.spaces.map { ($0, store.spaces.standing(of: $0)) }
        let standings = Dictionary(uniqueKeysWithValues: all).compactMapValues { $0 }
        let paired = Set(devices.filter(\.isPaired).map(\.device))
        switch replica.storage.trouble {
        case nil:
            return Known(
                standings: standings, paired: paired,
                watermarks: store.ledgers.mapValues(\.watermark))
        case .full:
            return Known(
                standings: standings.filter { $0.value == .active }, paired: paired,
                watermarks: [:])
        case .failure, .powerLoss:
            return Known(standings: [:], paired: [], watermarks: [:])
        }
    }

    private func spoil(_ damage: inout Damage) {
        let (disk, store) = (replica.disk, VirtualDisk.store)
        switch damage.kind {
        case .bits:
            disk.spoil(store) { bytes in
                for _ in 0...world.random.index(below: 8) {
                    bytes[world.random.index(below: bytes.count)] ^=
                        1 << UInt8(world.random.below(8))
                }
            }
        case .pages:
            disk.spoil(store) { bytes in
                for page in 0..<bytes.count / PageSeal.pageBytes where world.random.chance(40) {
                    let start = page * PageSeal.pageBytes
                    for place in start..<start + PageSeal.pageBytes { bytes[place] = 0 }
                }
            }
        case .cut: disk.spoil(store) { $0.removeLast(world.random.index(below: $0.count + 1)) }
        case .gone: remove(["", "-wal"])
        case .withoutWAL: remove(["-wal"])
        case .older: putBack(&damage)
        case .mark:
            for name in ["store.mark", "store.heads"] {
                disk.spoil(name) { $0[world.random.index(below: $0.count)] ^= 1 }
            }
        }
    }

    private func remove(_ suffixes: [String]) {
        for suffix in suffixes { replica.disk.spoil(VirtualDisk.store + suffix) { $0 = [] } }
    }

    /// The database is restored from a copy; the files beside it are not.
    private func putBack(_ damage: inout Damage) {
        guard let copy = damage.copy ?? world.random.pick(replica.storage.copies) else {
            return remove(["-wal"])
        }
        damage.copy = copy
        replica.disk.putBack([VirtualDisk.store, VirtualDisk.store + "-wal"], of: copy.disk)
    }

    private func check(_ known: Known) {
        guard let store = replica.store else { return }
        if !store.spaces.emptied.isEmpty { world.report.counts.deeds.insert(.emptied) }
        for (space, standing) in known.standings {
            // Decisions made while it was down may follow at the start.
            let now = store.spaces.standing(of: space)
            guard now == nil || (now == .offered && standing != .offered) else { continue }
            world.report.fail(
                "told", "\(replica.index) forgot that \(short(space)) is \(standing) for it")
        }
        let paired = (try? store.devices.all().filter(\.isPaired).map(\.device)) ?? []
        if !known.paired.isSubset(of: paired) {
            world.report.fail("told", "\(replica.index) forgot a device that it is paired with")
        }
        do {
            try checkLosses(known, store)
        } catch {
            world.report.fail("told", "\(replica.index) does not tell what it lost: \(error)")
        }
    }

    /// Changes of others that are missing are told of like own ones.
    private func checkLosses(_ known: Known, _ store: SyncStore) throws {
        for (space, before) in known.watermarks.sorted(by: { $0.key < $1.key })
        where store.spaces.standing(of: space) == .active {
            guard try !SpoilTrial.isTold(space, by: store) else { continue }
            let forks = store.ledger(of: space)?.forks ?? [:]
            // What waits for a lost change of another log is listed with the orphans.
            let waiting = try store.orphans.counts(in: space).filter { $0.reason == .gap }
            let isMissing = try before.heads.contains { log, head in
                try forks[log] == nil && !waiting.contains { $0.device == log.device }
                    && store.log.commit(head.commit) == nil
            }
            guard isMissing else { continue }
            world.report.fail(
                "told", "\(replica.index) lost changes of \(short(space)) without a word")
        }
    }

    /// Whether a loss in a space is reported, which nobody dismissed. None is where the space was left and nothing of
    /// it is here.
    static func isTold(_ space: SpaceID, by store: SyncStore) throws -> Bool {
        if store.spaces.standing(of: space) == .left, store.ledger(of: space) == nil {
            return true
        }
        let reported = try store.stranded.damage().reported
        return reported.spaces.contains(space)
            || reported.changes.contains { $0.space == space }
    }
}
