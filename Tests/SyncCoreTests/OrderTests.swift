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
        let expected = Outcome(history.reference)
        try #require(reference.count > 5, "seed \(seed)")
        for _ in 0..<4 {
            let order = history.shuffled()
            #expect(order.commits.count == reference.count, "seed \(seed)")
            var store = MemoryStore()
            _ = store.apply(Array(order.commits.prefix(1)))
            if order.hasProofsFirst { store.learn(history.forks, []) }
            _ = store.apply(order.commits)
            let outcome = Outcome(store)
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
            let outcome = Outcome(history.reference)
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

    private struct Outcome {
        let standings: [String]
        let effective: Set<CommitID>
        let records: [RecordID: RecordState]
        let watermark: Watermark
        let branches: Set<CommitID>
        let restrictionCount: Int

        init(_ store: MemoryStore) {
            branches = Set(store.branches.map(\.id))
            let membership = store.ledger?.membership ?? Membership()
            let logs = store.watermark.heads
            standings = membership.standings.map { id, standing in
                let permissions = logs.keys.sorted().flatMap { log in
                    (1...(logs[log]?.sequence ?? 1)).map { sequence in
                        membership.permissions(under: id, at: log, sequence).rawValue
                    }
                }
                return "\(id) \(standing.order) \(standing.current.rawValue) \(permissions)"
            }.sorted()
            effective = Set(
                store.commits.filter { store.ledger?.isEffective($0) == true }.map(\.id))
            records = store.records
            watermark = store.watermark
            restrictionCount = membership.standings.values.reduce(0) {
                $0 + $1.restrictions.count
            }
        }
    }
}
