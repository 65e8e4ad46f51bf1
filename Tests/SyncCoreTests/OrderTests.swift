import SyncCore
import Testing

/// Arrival order never matters: the same commits in any causal order are the same space.
@Suite struct OrderTests {
    @Test(
        "Members, effective commits and records are the same in any causal order",
        arguments: 0..<60 as Range<UInt64>)
    func anyOrder(seed: UInt64) throws {
        var history = RandomHistory(seed: seed, rounds: 70)
        let reference = history.commits
        let expected = Outcome(reference)
        try #require(reference.count > 5, "seed \(seed)")
        for _ in 0..<4 {
            let order = history.shuffled()
            #expect(order.count == reference.count, "seed \(seed)")
            let outcome = Outcome(order)
            #expect(outcome.standings == expected.standings, "seed \(seed)")
            #expect(outcome.effective == expected.effective, "seed \(seed)")
            #expect(outcome.records == expected.records, "seed \(seed)")
            #expect(outcome.watermark == expected.watermark, "seed \(seed)")
        }
    }

    @Test("The histories are worth it: members fall, commits lose effect, writes conflict")
    func historiesAreRich() {
        var revoked = 0
        var ineffective = 0
        var conflicts = 0
        for seed in 0..<30 as Range<UInt64> {
            let history = RandomHistory(seed: seed, rounds: 70)
            let outcome = Outcome(history.commits)
            revoked += outcome.restrictionCount
            ineffective += history.commits.count - outcome.effective.count
            conflicts += outcome.records.values.count { record in
                record.fields.values.contains { $0.isConflicted }
            }
        }
        #expect(revoked > 30)
        #expect(ineffective > 30)
        #expect(conflicts > 10)
    }

    private struct Outcome {
        let standings: [String]
        let effective: Set<CommitID>
        let records: [RecordID: RecordState]
        let watermark: Watermark
        let restrictionCount: Int

        init(_ commits: [VerifiedCommit]) {
            var store = MemoryStore()
            _ = store.apply(commits)
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
