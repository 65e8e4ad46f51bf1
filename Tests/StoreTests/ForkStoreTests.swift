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
                try one.take(space, from: other)
                try other.take(space, from: one)
            }
        }

        func forked(_ peer: TestPeer) -> ForkedLog? {
            peer.store.ledger(of: space)?.forks[log]
        }
    }

    @Test("a commit that does not fit leaves the other logs of its batch alone")
    func goesOn() throws {
        // given a third party's commit that comes behind one that does not fit
        let scene = try Scene(testLog)
        let before = try #require(scene.cleo.store.ledger(of: scene.space)?.watermark)
        try scene.cleo.write([titled("drittes", 2)], to: scene.space)
        let third = try scene.cleo.commits(of: scene.space, beyond: before)
        for number in 0..<2 as Range<UInt64> {
            try scene.first.write([titled("weit", number)], to: scene.space)
        }
        let far = try scene.first.commits(of: scene.space, beyond: before).suffix(1)

        // when both come in one batch
        let outcome = try scene.ben.store.log.apply(
            far + third, to: scene.space, now: scene.ben.now)

        // then the third party's is stored and shown
        #expect(outcome.refusals.map(\.reason) == [.causalPastMissing])
        #expect(outcome.stored.map(\.id) == third.map(\.id))
        #expect(try scene.ben.store.records.search("drittes").count == 1)
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
            try eva.take(scene.space, from: scene.second)
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
        #expect(try scene.ben.take(scene.space, from: eva) == [scene.log])
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

    @Test("branches go over in batches, each commit after the one before it")
    func batches() throws {
        let scene = try Scene(testLog)
        for number in 0..<9 as Range<UInt64> {
            try scene.first.write([titled("erstes", number)], to: scene.space)
        }
        try scene.second.write([titled("zweites", 1)], to: scene.space)
        try scene.first.take(scene.space, from: scene.second)
        // when asked with less and less missing
        var listed: [ForkPoint] = []
        var place: BranchPlace?
        var batches = 0
        while batches < 20 {
            let page = try scene.first.store.log.forks(
                of: scene.space, for: ForkQuestion(listed: listed, after: place), byteLimit: 2_000)
            #expect(page.proofs.count == (batches == 0 ? 1 : 0))
            guard !page.commits.isEmpty || !page.proofs.isEmpty else { break }
            #expect(page.commits.isEmpty == (batches == 0))
            batches += 1
            let commits = try page.commits.map { testLog.verified(try testLog.decode($0)) }
            if let proof = page.proofs.first {
                _ = try scene.ben.store.log.apply(VerifiedFork(verified: proof), to: scene.space)
            }
            let outcome = try scene.ben.store.log.apply(
                commits, to: scene.space, now: scene.ben.now)
            #expect(outcome.refusals.isEmpty && outcome.found.branched == commits.count)
            if let last = commits.last {
                place = BranchPlace(
                    log: scene.log, sequence: last.header.sequence, commit: last.id)
            }
            listed = scene.ben.store.ledger(of: scene.space)?.forks.points ?? []
        }
        // then
        #expect(batches > 2)
        #expect(scene.forked(scene.ben)?.count == 10)
        #expect(scene.forked(scene.ben) == scene.forked(scene.first))
    }

    @Test("nobody fills a store with proofs of logs that are no member's, nor of the genesis")
    func strangersProofs() throws {
        let scene = try Scene(testLog)
        let stranger = try TestPeer(testLog, seed: 8)
        let grant = FactReference(commit: CommitID(scene.space.value), index: 0)
        try stranger.pull(scene.space, from: scene.first)
        func proof(_ change: (inout CommitHeader) -> Void) throws -> VerifiedFork {
            var header = try stranger.nextHeader(in: scene.space, under: grant)
            change(&header)
            let sides = ["a", "b"].map { testLog.commit(header, ClearPart(), [titled($0, 1)]) }
            return VerifiedFork(
                verified: UnverifiedFork(
                    first: .init(sides[0].encoded, sides[0].header),
                    second: .init(sides[1].encoded, sides[1].header)))
        }
        let foreign = try scene.ben.store.log.apply(try proof { _ in }, to: scene.space)
        let genesis = try scene.ben.store.log.apply(
            try proof { header in
                header.log = scene.log
                header.sequence = 1
            }, to: scene.space)
        #expect(foreign.found.newForks.isEmpty && genesis.found.newForks.isEmpty)
        #expect(scene.ben.store.ledger(of: scene.space)?.forks.isEmpty == true)
    }
}

extension TestPeer {
    /// What a session brings from another device: proofs, branches, then commits.
    /// Returns the logs that were found to have forked.
    @discardableResult
    func take(_ space: SpaceID, from other: TestPeer) throws -> Set<LogID> {
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
