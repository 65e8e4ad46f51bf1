import Node
import SyncCore
internal import TestKit
import VirtualDisk

/// The end of a run: the network is whole, all replicas are there, and everything must be repaired
/// within bounded virtual time.
extension World {
    /// Most repairs are immediate; a lost message is sent again after a while.
    private static let longestHealing = 6 * Limits.keepAliveMilliseconds
    /// Far more than needed.
    private static let mostMessages = 40_000
    private static let looks: ClosedRange<UInt64> = 200...5_000

    func heal() {
        random = SeededGenerator(seed: schedule.seed ^ 0x6865_616C)
        trace.note("heal", text: "at \(now)")
        network = NetworkState()
        for replica in replicas { makeWhole(replica) }
        let start = now
        let messages = counts.messages
        let problems = passUntilCalm {
            checkFilesAtHand()
            checkHolders()
            checkGaps()
            let problems = unfinished()
            if counts.messages - messages > Self.mostMessages {
                fail("progress", "no end of talking: \(problems.first ?? "of nothing")")
            }
            return problems
        }
        if !isHopeless { problems.prefix(6).forEach { fail("progress", $0) } }
        counts.healingMilliseconds = max(counts.healingMilliseconds, now - start)
    }

    /// Lets time pass until nothing is left to do twice in a row, as pending work may bring new offers. Returns the
    /// work that is left after the longest time that healing may take.
    func passUntilCalm(_ unfinished: () -> [String]) -> [String] {
        let start = now
        var problems: [String] = []
        var calm = 0
        var look = Self.looks.lowerBound
        while calm < 2, !isHopeless, now - start <= Self.longestHealing {
            pass(look)
            look = min(look + look / 2, Self.looks.upperBound)
            problems = unfinished()
            calm = problems.isEmpty ? calm + 1 : 0
        }
        return problems
    }

    /// A disk that has not failed yet does so no more; a full one gets room.
    func makeWhole(_ replica: Replica) {
        replica.disk.mend()
        replica.disk.setCapacity(bytes: nil)
        replica.trouble = nil
        if !replica.isUp { start(replica) }
        post([.roomReturned], to: replica)
        tell(.roomReturned, replica)
        calls.networkReturned(replica)
    }

    /// What must hold at the end besides that all are the same. The dearest check is made in some
    /// runs only.
    func checkEnd() {
        checkSurvival()
        checkSpaces()
        checkPermissions()
        checkReferences()
        checkRecovered()
        checkVaults()
        checkFreed()
        LossTrial(world: self).check()
        if schedule.seed.isMultiple(of: 8) { checkStores() }
    }

    func tearDown() {
        for replica in replicas {
            replica.forgetMemory()
        }
    }
}
