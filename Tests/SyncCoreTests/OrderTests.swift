import SyncCore
import TestKit
import Testing

/// Arrival order never matters: the same commits in any causal order are the same space.
@Suite struct OrderTests {
    @Test(
        "Members, effective commits and records are the same in any causal order",
        arguments: TestSeeds.some(60))
    func anyOrder(seed: UInt64) throws {
        var history = RandomHistory(seed: seed, rounds: 70)
        let reference = history.commits
        let expected = SpaceOutcome(history.reference)
        try #require(reference.count > 5, "seed \(seed)")
        for _ in 0..<4 {
            let order = history.shuffled()
            #expect(order.commits.count == reference.count, "seed \(seed)")
            var store = MemoryStore()
            _ = store.apply(Array(order.commits.prefix(1)))
            if order.hasProofsFirst { store.learn(history.forks, []) }
            _ = store.apply(order.commits)
            let outcome = SpaceOutcome(store)
            #expect(outcome.standings == expected.standings, "seed \(seed)")
            #expect(outcome.effective == expected.effective, "seed \(seed)")
            #expect(outcome.records == expected.records, "seed \(seed)")
            #expect(outcome.watermark == expected.watermark, "seed \(seed)")
            #expect(outcome.branches == expected.branches, "seed \(seed)")
        }
    }

    @Test("The histories are worth it: members fall, commits lose effect, writes conflict")
    func historiesAreRich() {
        var revoked = 0
        var ineffective = 0
        var conflicts = 0
        var branches = 0
        for seed in 0..<30 as Range<UInt64> {
            let history = RandomHistory(seed: seed, rounds: 70)
            let outcome = SpaceOutcome(history.reference)
            branches += outcome.branches.count
            revoked += outcome.restrictionCount
            ineffective += history.commits.count - outcome.effective.count
            conflicts += outcome.records.values.count { record in
                record.fields.values.contains { $0.isConflicted }
            }
        }
        #expect(revoked > 30)
        #expect(ineffective > 30)
        #expect(conflicts > 10)
        #expect(branches > 10)
    }
}
