import LocalAPI
import Records
import Store
import SyncCore
internal import TestKit

/// A device frees files of deleted records: nobody needs them, and everybody who reads them had
/// heard of it. Restored, they are wanted again.
struct FreeTrial {
    /// A freed file, and what deleted it in one space.
    private struct Freed: Sendable {
        let blob: BlobID
        let space: SpaceID
        let deletions: Set<CommitID>
        /// The devices whose acknowledgements it waited for.
        let others: Set<DeviceID>
    }

    private static let day: UInt64 = 86_400_000

    let world: World
    let replica: Replica

    func run() {
        let deleted = world.random.chance(75) ? deletePicture() : []
        // In half of the cases the others have time to acknowledge it.
        if world.random.chance(50) { world.pass(world.random.below(6_000)) }
        guard replica.isUp, let freed = free(), !freed.isEmpty else { return }
        world.report.counts.deeds.insert(.freeing)
        guard replica.isUp, world.random.chance(40), let place = deleted.first else { return }
        world.pass(world.random.below(500))
        guard replica.isUp else { return }
        let bin = BinTrial(world: world, replica: replica)
        if bin.restore(place.key.record.description, in: place.space.description) {
            FreedCheck(world: world).run(on: replica)
        }
    }

    /// Deletes every record of a space that names one picture.
    private func deletePicture() -> [Shown.Place] {
        guard let store = replica.store, let shown = world.services.shown(by: replica) else {
            return []
        }
        let named = shown.states.filter { shown.values[$0.key] != nil && !$0.value.blobs.isEmpty }
        guard let one = world.random.pick(named.keys.sorted()),
            let blob = named[one]?.blobs.min(), store.spaces.schema(of: one.space) != nil
        else { return [] }
        let bin = BinTrial(world: world, replica: replica)
        return named.filter { $0.key.space == one.space && $0.value.blobs.contains(blob) }
            .keys.sorted().filter { replica.isUp && bin.delete($0) }
    }

    /// The freed files; nil if nothing could be freed. Some are not removed before the device stops.
    private func free() -> Set<BlobID>? {
        let ahead: UInt64 =
            world.random.pick([Self.day / 12, 3 * Self.day, 40 * Self.day]) ?? 0
        let days = world.random.pick([0, 0, 0, 2, 30]) ?? 0
        let isHasty = world.schedule.canary == .freesUnheard
        let freed = world.services.serve(replica, "free files") { served -> [Freed] in
            served.ahead = ahead
            let plan = try FreeingPlan.make(for: served, in: nil, days: days)
            var files = plan.files
            var isNoted =
                try !files.isEmpty && plan.note(in: served.store, now: served.now)
            if isHasty {
                let unheard = try Self.unheard(served, days: days)
                files += unheard
                let version = served.store.version
                isNoted = try served.store.freedFiles.free(
                    unheard, decidedAt: version, now: served.now)
            }
            return isNoted ? try Self.facts(of: files, served) : []
        }
        guard let freed else { return nil }
        for file in freed { check(file) }
        let files = Set(freed.map(\.blob))
        FreedCheck(world: world).run(on: replica)
        world.engines.post([.filesFreed(in: Set(freed.map(\.space)))], to: replica)
        for file in files.sorted() {
            world.report.trace.note(
                "free", UInt64(replica.index), text: "\(replica.index) \(short(file))")
            guard world.random.chance(90) else {
                world.machines.stop(replica, cutsPower: world.random.chance(50))
                world.machines.scheduleRestart(replica, within: 2_000)
                break
            }
            replica.storage.shelf.remove(file)
        }
        return files
    }

    /// Files that wait only for acknowledgements.
    private static func unheard(_ served: ServedReplica, days: Int) throws -> [BlobID] {
        let freeable = FreeableFiles(served)
        let files = try served.store.ledgers.keys.sorted().flatMap { try freeable.all(in: $0) }
        return Set(
            files.filter { file in
                let verdict = file.release.verdict(days: days, at: served.now)
                return if case .waits = verdict { true } else { false }
            }.map(\.blob)
        ).sorted()
    }

    private static func facts(of files: [BlobID], _ served: ServedReplica) throws -> [Freed] {
        try files.flatMap { blob in
            try served.store.files.spaces(naming: blob).map { space in
                let file = try served.store.files.deleted(of: space)[blob]
                return Freed(
                    blob: blob, space: space,
                    deletions: Set((file?.deletions ?? []).map(\.id.commit)),
                    others: try served.sync.state(of: space).others)
            }
        }
    }

    // MARK: Laws

    /// Every device that was waited for has what deleted the file, and this one has everything that
    /// was written before that was known there.
    private func check(_ file: Freed) {
        let name = "\(short(file.blob)) of \(short(file.space))"
        guard let history = world.observer.histories[file.space], !file.deletions.isEmpty else {
            return fail("frees \(name), which nothing deletes")
        }
        let deletions = file.deletions.compactMap { history.numbers[$0] }.sorted()
        let held = replica.seen.held[file.space] ?? CommitSet()
        for other in world.replicas where file.others.contains(other.device) && isSteady(other) {
            let there = other.seen.held[file.space] ?? CommitSet()
            guard deletions.allSatisfy({ there.contains($0) }) else {
                fail("frees \(name), and \(other.index) does not know of its deletion")
                continue
            }
            for (number, entry) in history.entries.enumerated()
            where entry.author == other.index && !held.contains(number)
                && !history.isBranch(number)
                && !deletions.allSatisfy({ entry.past.contains($0) })
            {
                fail("frees \(name), and does not know \(entry.commit.summary)")
            }
        }
    }

    /// Whether it never forgot what it had.
    private func isSteady(_ other: Replica) -> Bool {
        let backwards: [Step.Kind] = [.restore, .rollBack, .putBack, .spoil]
        return other.isHonest
            && !world.schedule.steps.contains {
                $0.actor == other.index && backwards.contains($0.kind)
            }
    }

    private func fail(_ text: String) { world.report.fail("bin files", "\(replica.index) \(text)") }
}
