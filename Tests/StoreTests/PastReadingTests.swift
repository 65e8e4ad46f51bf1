import Foundation
import Store
import SyncCore
import TestKit
import Testing

@Suite("The past of records") struct PastReadingTests {
    private let testLog = TestLog()

    /// What the log says, read from its first commit to its last.
    private func whole(
        _ keys: [RecordKey], in space: SpaceID, of peer: TestPeer
    ) throws -> [CommitID] {
        let records = Set(keys.map(\.record))
        return try peer.commits(of: space).filter { commit in
            commit.commit.operations.contains { records.contains($0.record) }
        }.map(\.id)
    }

    private func found(
        _ keys: [RecordKey], in space: SpaceID, of peer: TestPeer
    ) throws -> [CommitID] {
        try peer.store.past.commits(writingTo: keys, in: space)
            .map(\.stored.commit.id)
    }

    private func keys(_ numbers: some Sequence<UInt64>) -> [RecordKey] {
        numbers.map { RecordKey(collection: "memory", record: record($0)) }
    }

    private func expectAll(in space: SpaceID, of peer: TestPeer, _ comment: Comment) throws {
        for wanted in [keys([1]), keys([2]), keys([3]), keys([1, 3]), keys(1...20)] {
            let whole = try whole(wanted, in: space, of: peer)
            #expect(try found(wanted, in: space, of: peer) == whole, comment)
            #expect(!whole.isEmpty, comment)
        }
        #expect(try peer.store.examination.compareShown().faults == [], comment)
    }

    @Test(
        "each commit that writes to a record is found, also one without effect",
        arguments: TestSeeds.some(12))
    func past(seed: UInt64) throws {
        // given
        var random = SeededGenerator(seed: seed)
        let home = TestPeer.newHome()
        let anna = try TestPeer(testLog, seed: 1, home: home)
        let ben = try TestPeer(testLog, seed: 2)
        let space = try anna.found()
        func writeSome(_ peer: TestPeer, _ count: Int) throws {
            for number in 0..<count {
                let targets = Set((0..<3).map { _ in UInt64.random(in: 1...20, using: &random) })
                try peer.write(targets.sorted().map { titled("\(number)", $0) }, to: space)
            }
        }
        try anna.write((1...20).map { titled("first", $0) }, to: space)
        try writeSome(anna, 10)
        _ = try ben.beCutOff(from: space, of: anna) {
            try writeSome(ben, 5)
            try ben.write([titled("late", 3)], to: space)
        }
        try writeSome(anna, 10)
        // then
        try expectAll(in: space, of: anna, "seed \(seed), as it came")
        try anna.recoverAll(in: space, of: ben.device)
        try expectAll(in: space, of: anna, "seed \(seed), recovered")

        // when it is as an earlier program left it
        try anna.store.close()
        try execute("UPDATE records SET writers = NULL", in: home)
        let again = try TestPeer(testLog, seed: 1, home: home)
        // then
        try expectAll(in: space, of: again, "seed \(seed), not known")
        try writeSome(again, 5)
        try expectAll(in: space, of: again, "seed \(seed), not known of some")
    }

    @Test(
        "a device's commits are found from the newest back, over all its logs",
        arguments: TestSeeds.some(12))
    func ofDevice(seed: UInt64) throws {
        // given
        var random = SeededGenerator(seed: seed)
        let (anna, ben) = (try TestPeer(testLog, seed: 1), try TestPeer(testLog, seed: 2))
        let spaces = try [anna.found(), ben.found()]
        try anna.grant(.editor, to: ben, in: spaces[0])
        try ben.grant(.editor, to: anna, in: spaces[1])
        for number in 0..<40 as Range<UInt64> {
            for space in spaces {
                for (to, from) in [(ben, anna), (anna, ben)]
                where from.store.ledger(of: space) != nil {
                    try to.pull(space, from: from)
                }
            }
            let writer = Bool.random(using: &random) ? anna : ben
            try writer.write(
                [titled("\(number)", number)], to: spaces[Int.random(in: 0...1, using: &random)])
        }
        let all = try anna.store.log.storedCommits(
            of: nil, after: 0, before: nil, exceptOf: nil, limit: .max)
        for device in [anna.device, ben.device] {
            let own = all.filter { $0.commit.header.log.device == device }.map(\.place)
            #expect(own.count > 2, "seed \(seed)")
            for _ in 0..<20 {
                let ends = (0..<2).map { _ in
                    Int64.random(in: 0...(all[0].place + 1), using: &random)
                }
                let (after, before) = (ends.min() ?? 0, ends.max() ?? 0)
                let limit = Int.random(in: 1...own.count, using: &random)
                // when
                let found = try anna.store.past.commits(
                    by: device, after: after, before: before, limit: limit)
                // then
                let wanted = own.filter { $0 > after && $0 < before }.prefix(limit)
                #expect(found.map(\.place) == Array(wanted), "seed \(seed)")
            }
            #expect(
                try anna.store.past.commits(by: device, limit: own.count + 1).map(\.place) == own,
                "seed \(seed)")
        }
    }

    @Test("what is written very often is found, and its row does not grow with it")
    func often() throws {
        // given
        let home = TestPeer.newHome()
        let peer = try TestPeer(testLog, seed: 1, home: home)
        let space = try peer.found()
        let key = keys([1])
        for number in 0..<(Limits.keptWriters + 20) {
            try peer.write([titled("\(number)", 1), titled("\(number)", 2)], to: space)
        }
        // then
        #expect(try found(key, in: space, of: peer).count == Limits.keptWriters + 20)
        #expect(try peer.store.examination.compareShown().faults == [])
        try peer.store.close()
        let lengths = try GoldenStore.sqlite([
            home + "/store.sqlite",
            "SELECT DISTINCT ifnull(length(writers), -1) FROM records WHERE collection = 'memory'",
        ])
        #expect(lengths == "-1\n")
    }

    @Test("who wrote to a record is read without reading the log")
    func cost() throws {
        // given
        let home = TestPeer.newHome()
        let peer = try TestPeer(testLog, seed: 1, home: home)
        let space = try peer.found()
        try peer.write([titled("before", 1)], to: space)
        for number in 2...40 as ClosedRange<UInt64> {
            try peer.write([titled("\(number)", number)], to: space)
        }
        try peer.write([titled("after", 1)], to: space)
        try peer.store.close()
        // when commits of other records cannot be read, and look as if they wrote to this one
        try execute(
            """
            UPDATE commits SET operations = x'ff\(record(1))'
            WHERE sequence > 2 AND id < (SELECT max(id) FROM commits)
            """, in: home)
        // then
        let again = try TestPeer(testLog, seed: 1, home: home)
        #expect(try found(keys([1]), in: space, of: again).count == 2)
    }
}
