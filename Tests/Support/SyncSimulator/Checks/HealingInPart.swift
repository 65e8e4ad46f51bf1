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
        world.trace.note("part", text: "\(chosen.sorted()) at \(world.now)")
        world.counts.deeds.insert(.healingInPart)
        for replica in world.replicas where !chosen.contains(replica.index) { worsen(replica) }
        join()
        for problem in world.passUntilCalm({ world.unfinished(among: chosen) }).prefix(6) {
            world.fail("liveness", "only \(chosen.sorted()) are well: \(problem)")
        }
        if world.violations.isEmpty { world.checkConvergence(among: chosen) }
        release()
    }

    /// Somebody who is not to come right.
    private func worsen(_ replica: Replica) {
        let kind = world.random.below(5)
        // One that is down stays so, too.
        guard replica.isUp else { return replica.boot += 1 }
        switch kind {
        case 0: world.network.silent.insert(replica.index)
        case 1:
            for other in world.replicas where other.index != replica.index {
                world.network.blocked.insert(NetworkState.Pair(replica.index, other.index))
                world.links(between: replica.index, other.index).forEach { world.cut($0) }
            }
        case 2:
            guard replica.trouble == nil else { return }
            replica.trouble = .full
            replica.disk.setCapacity(bytes: replica.disk.usedBytes)
        case 3: world.stop(replica, cutsPower: true)
        default: break
        }
    }

    private func join() {
        for one in chosen {
            for other in chosen where other > one {
                let pair = NetworkState.Pair(one, other)
                world.network.blocked.remove(pair)
                world.network.slow[pair] = nil
            }
        }
        for index in chosen.sorted() { world.makeWhole(world.replicas[index]) }
    }

    /// The messages of silent devices got lost, so their connections end.
    private func release() {
        let silent = world.network.silent
        world.network.silent = []
        for (number, link) in world.links.sorted(by: { $0.key < $1.key })
        where link.ends.contains(where: { silent.contains($0.replica) }) {
            world.cut(number)
        }
    }
}

extension Schedule {
    /// Whether some devices alone come right first: in some.
    static func healsInPart(_ seed: UInt64) -> Bool {
        var random = SeededGenerator(seed: seed ^ 0x7061_7274_7300)
        return random.chance(30)
    }
}
