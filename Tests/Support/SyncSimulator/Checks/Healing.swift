import Node
import SyncCore
internal import TestKit
import VirtualDisk

/// The end of a run: the network is whole, all replicas are there, and everything must be repaired
/// within bounded virtual time.
struct Healing {
    let world: World

    /// Most repairs are immediate; a lost message is sent again after a while.
    private static let longestHealing = 6 * Limits.keepAliveMilliseconds
    /// Far more than needed.
    private static let mostMessages = 40_000
    private static let looks: ClosedRange<UInt64> = 200...5_000

    func heal() {
        world.random = SeededGenerator(seed: world.schedule.seed ^ 0x6865_616C)
        world.report.trace.note("heal", text: "at \(world.timeline.now)")
        world.network.mend()
        for replica in world.replicas { world.machines.makeWhole(replica) }
        let start = world.timeline.now
        let messages = world.report.counts.messages
        let problems = passUntilCalm {
            world.fileCheck.checkFilesAtHand()
            world.fileCheck.checkHolders()
            GapCheck(world: world).run()
            let problems = world.convergence.unfinished()
            if world.report.counts.messages - messages > Self.mostMessages {
                world.report.fail(
                    "progress", "no end of talking: \(problems.first ?? "of nothing")")
            }
            return problems
        }
        if !world.report.isHopeless {
            problems.prefix(6).forEach { world.report.fail("progress", $0) }
        }
        world.report.counts.healingMilliseconds = max(
            world.report.counts.healingMilliseconds, world.timeline.now - start)
    }

    /// Lets time pass until nothing is left to do twice in a row, as pending work may bring new offers. Returns the
    /// work that is left after the longest time that healing may take.
    func passUntilCalm(_ unfinished: () -> [String]) -> [String] {
        let start = world.timeline.now
        var problems: [String] = []
        var calm = 0
        var look = Self.looks.lowerBound
        while calm < 2, !world.report.isHopeless, world.timeline.now - start <= Self.longestHealing
        {
            world.pass(look)
            look = min(look + look / 2, Self.looks.upperBound)
            problems = unfinished()
            calm = problems.isEmpty ? calm + 1 : 0
        }
        return problems
    }

    /// What must hold at the end besides that all are the same. The dearest check is made in some
    /// runs only.
    func checkEnd() {
        ViewCheck(world: world).run()
        Survival(world: world).run()
        SchemaChecks(world: world).run()
        PermissionCheck(world: world).run()
        ReferenceCheck(world: world).run()
        world.recovery.checkRecovered()
        world.vaultCheck.checkVaults()
        FreedCheck(world: world).run()
        LossTrial(world: world).check()
        SyncTrial(world: world).run()
        if world.schedule.seed.isMultiple(of: 8) { StoreCheck(world: world).run() }
    }

    func tearDown() {
        for replica in world.replicas {
            replica.forgetMemory()
        }
    }
}

extension World {
    var healing: Healing { Healing(world: self) }
}
