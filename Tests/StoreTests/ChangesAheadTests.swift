import Store
import SyncCore
import TestKit
import Testing

@Suite("Changes dated in the future")
struct ChangesAheadTests {
    private let testLog = TestLog()

    /// Compares what is counted with every commit. Returns how many changes are ahead.
    @discardableResult
    private func expectAll(
        ofThem store: SyncStore, in space: SpaceID, at now: Milliseconds
    ) throws -> Int {
        let limit = now.value + Limits.clockSkewMilliseconds
        let logs = store.ledger(of: space)?.watermark.heads.keys
        var ahead: [DeviceID: Int] = [:]
        for device in Set(logs?.map(\.device) ?? []) {
            let count = try store.log.datedCommits(of: device, in: space)
                .count { $0.clock.milliseconds > limit }
            if count > 0 { ahead[device] = count }
        }
        let counted = try store.log.changesAhead(in: space, now: now).mapValues(\.count)
        #expect(counted == ahead, "at \(now.value)")
        return ahead.values.reduce(0, +)
    }

    @Test("however clocks are wrong and set right, all are counted", arguments: 1...6)
    func wrongClocks(seed: UInt64) throws {
        // given
        var random = SeededGenerator(seed: seed)
        let home = TestPeer.newHome()
        let ann = try TestPeer(testLog, seed: 1)
        var ben = try TestPeer(testLog, seed: 2, home: home)
        let space = try ann.found()
        try ann.grant(.editor, to: ben, in: space)
        try ben.pull(space, from: ann)
        let errors: [UInt64] = [0, 0, 2_000, 100_000, 1_000_000, 200_000_000]
        var (time, found) = (ann.now.value, 0)
        for _ in 0..<40 {
            time += 10_000
            for peer in [ann, ben] {
                let error = errors.randomElement(using: &random) ?? 0
                let isFast = Bool.random(using: &random)
                peer.now = Milliseconds(isFast ? time + error : time - error)
                if Bool.random(using: &random) { peer.settle() }
            }
            // when
            switch Int.random(in: 0..<5, using: &random) {
            case 0: try ann.write([titled("Ann's", 1)], to: space)
            case 1: try ben.write([titled("Ben's", 1)], to: space)
            case 2: try ann.pull(space, from: ben)
            case 3: try ben.pull(space, from: ann)
            default:
                try ben.store.close()
                ben = try TestPeer(testLog, seed: 2, home: home)
            }
            // then
            for peer in [ann, ben] {
                for now in [time - 200_000_000, time - 300_000, time, time + 1_000_000] {
                    found += try expectAll(ofThem: peer.store, in: space, at: Milliseconds(now))
                }
            }
        }
        #expect(found > 0)
    }

    @Test("only commits that were dated after they came stand in the index by time")
    func index() throws {
        // given
        let ann = try TestPeer(testLog, seed: 1)
        let ben = try TestPeer(testLog, seed: 2)
        let space = try ann.found()
        try ann.grant(.editor, to: ben, in: space)
        for number in 0..<9 as Range<UInt64> { try ann.write([titled("now", number)], to: space) }
        let right = ann.now
        // when
        ann.now = Milliseconds(right.value + 3_600_000)
        try ann.write([titled("ahead", 9)], to: space)
        ben.now = Milliseconds(right.value + 2)
        try ben.pull(space, from: ann)
        // then
        let condition = "(clock >> 16 & 281474976710655) > received_at + 60000"
        for (peer, count) in [(ann, 0), (ben, 1)] {
            #expect(try expectAll(ofThem: peer.store, in: space, at: ben.now) == 1)
            try peer.store.close()
            let output = try GoldenStore.sqlite([
                peer.home + "/store.sqlite",
                """
                SELECT COUNT(*), (SELECT COUNT(*) FROM sqlite_schema WHERE name = 'commits_by_clock')
                FROM commits INDEXED BY commits_ahead WHERE effective = 1 AND \(condition)
                """,
            ])
            #expect(output == "\(count)|0\n")
        }
    }

    @Test("a store of format 18 knows which of its commits came before its clock was set back")
    func eighteenthFormat() throws {
        // given
        let home = try GoldenStore.home(of: 18)
        let day: UInt64 = 86_400_000
        try execute(
            """
            UPDATE commits SET received_at = received_at - \(day)
            WHERE id = (SELECT MAX(id) FROM commits)
            """, in: home)
        // when
        let store = try GoldenStore.open(StoreLock(home: home))
        // then
        let last = try #require(try store.log.history(of: GoldenStore.space, limit: 1).first)
        #expect(try expectAll(ofThem: store, in: GoldenStore.space, at: last.receivedAt) > 0)
        let later = Milliseconds(last.receivedAt.value + 2 * day)
        #expect(try expectAll(ofThem: store, in: GoldenStore.space, at: later) == 0)
    }
}
