import SyncCore
internal import TestKit
import VirtualDisk

/// Liveness: in some runs a few healthy devices that reach each other come right among themselves within
/// bounded virtual time, while the others stay as they are, broken, silent or lying, or get worse.
struct HealingInPart {
    private let world: World
    private let chosen: Set<Int>

    /// Nil where nobody is left out, or nobody is left.
    init?(_ world: World) {
        guard world.schedule.healsInPart else { return nil }
        world.random = SeededGenerator(seed: world.schedule.seed ^ 0x7061_7274)
        let honest = world.replicas.filter(\.isHonest)
        guard let first = world.random.pick(honest) else { return nil }
        var others = honest.map(\.index).filter { first.paired.contains($0) }
        var chosen: Set = [first.index]
        let most = min(others.count, world.replicas.count - 2)
        guard most > 0 else { return nil }
        for _ in 0...world.random.index(below: most) {
            chosen.insert(others.remove(at: world.random.index(below: others.count)))
        }
        (self.world, self.chosen) = (world, chosen)
    }

    func run() {
        world.report.trace.note("part", text: "\(chosen.sorted()) at \(world.timeline.now)")
        world.report.counts.deeds.insert(.healingInPart)
        for replica in world.replicas where !chosen.contains(replica.index) { worsen(replica) }
        join()
        for problem in world.healing.passUntilCalm({ world.convergence.unfinished(among: chosen) })
            .prefix(6)
        {
            world.report.fail("liveness", "only \(chosen.sorted()) are well: \(problem)")
        }
        if world.report.violations.isEmpty { world.convergence.checkConvergence(among: chosen) }
        world.network.endSilence()
    }

    /// Somebody who is not to come right.
    private func worsen(_ replica: Replica) {
        let kind = world.random.below(5)
        // One that is down stays so, too.
        guard replica.isUp else { return replica.boot += 1 }
        switch kind {
        case 0: world.network.silence(replica)
        case 1: world.network.isolate(replica)
        case 2:
            guard replica.storage.trouble == nil else { return }
            replica.storage.trouble = .full
            replica.disk.setCapacity(bytes: replica.disk.usedBytes)
        case 3: world.machines.stop(replica, cutsPower: true)
        default: break
        }
    }

    private func join() {
        world.network.join(chosen)
        for index in chosen.sorted() { world.machines.makeWhole(world.replicas[index]) }
    }
}

extension Schedule {
    /// Whether some devices alone come right first: in some.
    static func healsInPart(_ seed: UInt64) -> Bool {
        var random = SeededGenerator(seed: seed ^ 0x7061_7274_7300)
        return random.chance(30)
    }
}
