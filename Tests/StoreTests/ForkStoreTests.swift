import Store
import SyncCore
import Testing

/// What a store makes of a log that has two commits at one position.
@Suite struct ForkStoreTests {
    private let testLog = TestLog()

    /// One device that lives twice: both stores write the same log of a space that Ben and Cleo have.
    private struct Scene {
        let first: TestPeer
        let second: TestPeer
        let ben: TestPeer
        let cleo: TestPeer
        let space: SpaceID

        init(_ testLog: TestLog) throws {
            first = try TestPeer(testLog, seed: 1)
            second = try TestPeer(testLog, seed: 1)
            ben = try TestPeer(testLog, seed: 2)
            cleo = try TestPeer(testLog, seed: 3)
            second.log = first.log
            space = try first.found()
            for peer in [ben, cleo] { try first.grant(.editor, to: peer, in: space) }
            try first.write([titled("both", 9)], to: space)
            for peer in [second, ben, cleo] { try peer.pull(space, from: first) }
        }

        var log: LogID { first.log }
        var members: [TestPeer] { [first, second, ben, cleo] }

        /// Exchanges forks, branches and commits until nothing is new.
        func meet(_ one: TestPeer, _ other: TestPeer) throws {
            for _ in 0..<3 {
                try one.receive(space, from: other)
                try other.receive(space, from: one)
            }
        }

        func forked(_ peer: TestPeer) -> ForkedLog? {
            peer.store.ledger(of: space)?.forks[log]
        }
    }

    @Test("both lives of a log do not count, on everybody alike, and what others wrote counts")
    func bothLives() throws {
        // given two lives, and two people who each wrote on after one of them
        let scene = try Scene(testLog)
        try scene.first.write([titled("erstes Leben", 1)], to: scene.space)
        try scene.first.write([titled("erstes Leben", 9)], to: scene.space)
        try scene.second.write([titled("zweites Leben", 2)], to: scene.space)
        try scene.ben.pull(scene.space, from: scene.first)
        try scene.cleo.pull(scene.space, from: scene.second)
        try scene.ben.write([titled("Ben sah es", 3)], to: scene.space)
        try scene.cleo.write([titled("Cleo sah es", 4)], to: scene.space)

        // when all meet
        try scene.meet(scene.ben, scene.cleo)
        try scene.meet(scene.first, scene.ben)
        try scene.meet(scene.second, scene.cleo)

        // then
        let expected = try scene.ben.states(scene.space)
        for peer in scene.members {
            let store = peer.store
            #expect(try peer.states(scene.space) == expected)
            #expect(scene.forked(peer) == scene.forked(scene.ben))
            #expect(store.ledger(of: scene.space)?.watermark.sequence(of: scene.log) == 4)
            #expect(try store.records.search("Leben").isEmpty)
            #expect(try store.records.search("sah").count == 2)
            #expect(try store.records.search("both").count == 1)
            #expect(try store.orphans.counts(in: scene.space).map(\.waiting) == [3])
            #expect(try store.integrityCheck() == [])
        }
        #expect(scene.forked(scene.ben)?.count == 3)
        #expect(scene.forked(scene.ben)?.tips.count == 2)
    }

    @Test("a store that is opened again knows forks, branches and grants that were made in them")
    func reopened() throws {
        // given a grant in one life, honestly used
        let home = TestPeer.newHome()
        let scene = try Scene(testLog)
        let dora = try TestPeer(testLog, seed: 4)
        try scene.first.grant(.editor, to: dora, in: scene.space)
        try dora.pull(scene.space, from: scene.first)
        try dora.write([titled("Dora", 5)], to: scene.space)
        try scene.second.write([titled("zweites Leben", 2)], to: scene.space)
        var before: ForkedLog?
        do {
            let eva = try TestPeer(testLog, seed: 5, home: home)
            try eva.receive(scene.space, from: scene.second)
            try scene.meet(eva, dora)
            // Stored, and void with the grant.
            #expect(try eva.store.records.search("Dora").isEmpty)
            #expect(eva.store.ledger(of: scene.space)?.watermark.covers(dora.log, 1) == true)
            before = scene.forked(eva)
            try eva.store.close()
        }
        // when
        let eva = try TestPeer(testLog, seed: 5, home: home)
        // then
        #expect(before != nil && scene.forked(eva) == before)
        let membership = try #require(eva.store.ledger(of: scene.space)?.membership)
        #expect(membership.facts.isKnown(dora.device))
        #expect(membership.permissions(of: dora.device).isEmpty)
        #expect(membership.forks[scene.log] == 5)
        #expect(try scene.ben.receive(scene.space, from: eva) == [scene.log])
    }

    @Test("a lower fork that is found later cuts deeper, and nothing of the branches is lost")
    func lowerFork() throws {
        let scene = try Scene(testLog)
        let third = try TestPeer(testLog, seed: 1)
        third.log = scene.log
        try third.pull(scene.space, from: scene.first)
        try third.write([titled("drittes Leben", 7)], to: scene.space)
        for number in 0..<3 as Range<UInt64> {
            try scene.first.write([titled("gemeinsam", number)], to: scene.space)
        }
        try scene.second.pull(scene.space, from: scene.first)
        try scene.first.write([titled("erstes", 4)], to: scene.space)
        try scene.second.write([titled("zweites", 5)], to: scene.space)
        try scene.meet(scene.first, scene.second)
        #expect(scene.forked(scene.first)?.sequence == 8)
        // when the life that parted before turns up
        try scene.meet(scene.first, third)
        try scene.meet(scene.second, scene.first)
        // then
        for peer in [scene.first, scene.second, third] {
            #expect(scene.forked(peer)?.sequence == 5)
            #expect(scene.forked(peer)?.count == 6)
            #expect(scene.forked(peer)?.tips.count == 3)
            #expect(try peer.store.records.search("both").count == 1)
            #expect(try peer.states(scene.space) == scene.first.states(scene.space))
        }
    }
}

extension TestPeer {
    /// What a session brings from another device: proofs, branches, then commits.
    /// Returns the logs that were found to have forked.
    @discardableResult
    func receive(_ space: SpaceID, from other: TestPeer) throws -> Set<LogID> {
        if store.ledger(of: space) == nil { try pull(space, from: other) }
        var found: Set<LogID> = []
        let listed = store.ledger(of: space)?.forks.points ?? []
        let page = try other.store.log.forks(
            of: space, for: ForkQuestion(listed: listed), byteLimit: 1 << 20)
        for proof in page.proofs {
            found.formUnion(
                try store.log.apply(VerifiedFork(verified: proof), to: space).found.newForks)
        }
        let branches = try page.commits.map(verified)
        found.formUnion(try store.log.apply(branches, to: space, now: now).found.newForks)
        // From the start, as one asks who suspects a log.
        let all = try other.commits(of: space)
        found.formUnion(try store.log.apply(all, to: space, now: now).found.newForks)
        return found
    }
}
