import Store
import SyncCore
import Testing

/// Groups of commits in a store: written together, shown together.
@Suite struct CommitGroupStoreTests {
    private let testLog = TestLog()
    private let anna: TestPeer
    private let space: SpaceID

    init() throws {
        anna = try TestPeer(testLog, seed: 1)
        space = try anna.found()
    }

    private static let parts = [
        [titled("eins", 1), titled("zwei", 2)], [titled("drei", 3)], [tagged("Meer", 1)],
    ]

    private func isSound(_ peer: TestPeer) throws {
        #expect(try peer.store.examination.verifyLogs().faults == 0)
        #expect(try peer.store.examination.compareShown().faults == [])
    }

    @Test("a group is shown when its last commit came, also by a store that was opened between")
    func arriving() throws {
        // given
        let home = TestPeer.newHome()
        var ben = try TestPeer(testLog, seed: 2, home: home)
        try anna.grant(.editor, to: ben, in: space)
        try ben.pull(space, from: anna)
        let written = try anna.write(group: CommitGroupStoreTests.parts, to: space)
        #expect(written.stored.count == 3)
        let coming = try anna.commits(
            of: space, beyond: ben.store.ledger(of: space)?.watermark ?? Watermark())
        for (index, commit) in coming.enumerated() {
            // when
            let outcome = try ben.store.log.apply([commit], to: space, now: ben.now)
            try ben.store.close()
            ben = try TestPeer(testLog, seed: 2, home: home)
            // then
            let isWhole = index == 2
            #expect(outcome.refusal == nil && outcome.effective == (isWhole ? 1 : 0))
            #expect(try ben.store.records.counts(of: space) == (isWhole ? ["memory": 3] : [:]))
            #expect((ben.store.ledger(of: space)?.openGroups.isEmpty == true) == isWhole)
            #expect(
                try ben.store.orphans.counts(in: space).map(\.reason)
                    == (isWhole ? [] : [.incomplete]))
            try isSound(ben)
        }
        #expect(try ben.digest(space) == anna.digest(space))
        #expect(try ben.states(space) == anna.states(space))
    }

    @Test("a record that others changed before the group came is found by all that wrote to it")
    func among() throws {
        // given
        let ben = try TestPeer(testLog, seed: 2)
        try anna.write([titled("alt", 1)], to: space)
        try anna.grant(.editor, to: ben, in: space)
        try ben.pull(space, from: anna)
        try anna.write(group: CommitGroupStoreTests.parts, to: space)
        let coming = try anna.commits(
            of: space, beyond: ben.store.ledger(of: space)?.watermark ?? Watermark())
        _ = try ben.store.log.apply(Array(coming.prefix(2)), to: space, now: ben.now)
        // when
        try ben.write([titled("Bens", 1), titled("Bens", 3)], to: space)
        _ = try ben.store.log.apply(Array(coming.suffix(1)), to: space, now: ben.now)
        try anna.pull(space, from: ben)
        // then
        #expect(try ben.titles(space, 1) == [.text("Bens"), .text("eins")])
        #expect(try ben.titles(space, 3) == [.text("Bens"), .text("drei")])
        #expect(try ben.digest(space) == anna.digest(space))
        try isSound(ben)
        let states = try ben.states(space)
        try ben.store.records.rebuild(space)
        #expect(try ben.states(space) == states)
    }

    @Test("all of a group is news once it is shown, also what came before the reader looked")
    func news() throws {
        // given
        let ben = try TestPeer(testLog, seed: 2)
        try anna.grant(.editor, to: ben, in: space)
        try ben.pull(space, from: anna)
        try anna.write(group: CommitGroupStoreTests.parts, to: space)
        let coming = try anna.commits(
            of: space, beyond: ben.store.ledger(of: space)?.watermark ?? Watermark())
        _ = try ben.store.log.apply(Array(coming.prefix(2)), to: space, now: ben.now)
        func news(after place: Int64) throws -> [StoredCommit] {
            try ben.store.log.storedCommits(
                of: space, after: place, before: nil, exceptOf: ben.device, limit: 9)
        }
        // when
        let looked = try ben.store.log.lastPlace()
        #expect(try news(after: looked).isEmpty)
        _ = try ben.store.log.apply(Array(coming.suffix(1)), to: space, now: ben.now)
        // then
        let last = try ben.store.log.lastPlace()
        #expect(try news(after: looked).map(\.commit.id) == coming.map(\.id).reversed())
        #expect(try news(after: looked).allSatisfy { $0.shownFrom == last })
        #expect(try news(after: last).isEmpty)
    }

    @Test("a commit of a group arrived when its last one did, and counts from there on")
    func arrival() throws {
        // given
        let ben = try TestPeer(testLog, seed: 2)
        try anna.grant(.editor, to: ben, in: space)
        try ben.pull(space, from: anna)
        try anna.write(group: CommitGroupStoreTests.parts, to: space)
        let coming = try anna.commits(
            of: space, beyond: ben.store.ledger(of: space)?.watermark ?? Watermark())
        let first = coming[0]
        _ = try ben.store.log.apply(Array(coming.prefix(2)), to: space, now: ben.now)
        #expect(try ben.store.log.arrival(of: first.id)?.receivedAt == ben.now)
        // when
        let later = Milliseconds(ben.now.value + 31 * 86_400_000)
        _ = try ben.store.log.apply(Array(coming.suffix(1)), to: space, now: later)
        // then
        for commit in coming {
            let arrival = try #require(try ben.store.log.arrival(of: commit.id))
            #expect(arrival.receivedAt == later)
            #expect(arrival.sequence == coming[2].header.sequence)
        }
        let places = try coming.map { try ben.store.log.arrival(of: $0.id)?.place ?? 0 }
        #expect(places == places.sorted() && Set(places).count == 3)
    }

    @Test("when one commit of a group cannot be written, none is")
    func none() throws {
        struct Failure: Error {}
        try anna.write([titled("alt", 1)], to: space)
        let before = (anna.store.ledger(of: space)?.watermark, try anna.digest(space))
        #expect(throws: Failure.self) {
            try anna.write(group: CommitGroupStoreTests.parts, to: space) { header, draft in
                guard header.following > 0 else { throw Failure() }
                return anna.sealed(header, draft)
            }
        }
        #expect(anna.store.ledger(of: space)?.watermark == before.0)
        #expect(try anna.digest(space) == before.1)
        try anna.write(group: CommitGroupStoreTests.parts, to: space)
        #expect(try anna.store.records.counts(of: space) == ["memory": 3])
    }

    @Test("what came of a group that never becomes whole can be brought back")
    func recovered() throws {
        // given
        let ben = try TestPeer(testLog, seed: 2)
        try anna.grant(.editor, to: ben, in: space)
        try ben.pull(space, from: anna)
        try anna.write(group: CommitGroupStoreTests.parts, to: space)
        let coming = try anna.commits(
            of: space, beyond: ben.store.ledger(of: space)?.watermark ?? Watermark())
        _ = try ben.store.log.apply(Array(coming.prefix(1)), to: space, now: ben.now)
        // when
        #expect(try ben.recoverAll(in: space) == 1)
        // then
        #expect(try ben.titles(space, 1) == [.text("eins")])
        #expect(try ben.store.orphans.all(in: space).waiting == [])
        // when the rest comes after all
        _ = try ben.store.log.apply(Array(coming.suffix(2)), to: space, now: ben.now)
        try anna.pull(space, from: ben)
        #expect(try ben.digest(space) == anna.digest(space))
        #expect(try ben.titles(space, 1) == [.text("eins")])
    }

    @Test("a group counts without its last commit when that alone is not allowed")
    func withoutItsLast() throws {
        // given
        let ben = try TestPeer(testLog, seed: 2)
        let cleo = try TestPeer(testLog, seed: 3)
        try anna.write([titled("alt", 1), titled("alt", 2)], to: space)
        let grant = try anna.grant(.editor, to: ben, in: space)
        for peer in [ben, cleo] { try peer.pull(space, from: anna) }
        let cut = try #require(ben.store.ledger(of: space)?.watermark)
        // when nobody but Ben has it as he loses the right to delete
        try ben.write(group: [[titled("neu", 1)], [titled("neu", 3)], [deleted(2)]], to: space)
        try cleo.pull(space, from: ben)
        let less = Revocation(
            grant: grant, remaining: .contributor, cut: cut, scope: .device, cascade: .none)
        try anna.write([], clear: ClearPart(facts: [.revocation(less)]), to: space)
        try anna.pull(space, from: ben)
        for peer in [ben, cleo] { try peer.pull(space, from: anna) }
        // then
        for peer in [anna, ben, cleo] {
            #expect(try peer.titles(space, 1) == [.text("neu")])
            #expect(try peer.titles(space, 3) == [.text("neu")])
            #expect(try peer.shown(2, in: space)?.isDeleted == false)
            #expect(try peer.digest(space) == anna.digest(space))
            #expect(try peer.states(space) == anna.states(space))
            try isSound(peer)
        }
    }

    @Test("what had seen a part of a group is merged alike before the rest came and after")
    func seenInPart() throws {
        // given
        let ben = try TestPeer(testLog, seed: 2)
        let cleo = try TestPeer(testLog, seed: 3)
        let grant = try anna.grant(.editor, to: cleo, in: space)
        for peer in [ben, cleo] { try peer.pull(space, from: anna) }
        try anna.write(group: CommitGroupStoreTests.parts, to: space)
        let coming = try anna.commits(
            of: space, beyond: ben.store.ledger(of: space)?.watermark ?? Watermark())
        for peer in [ben, cleo] {
            _ = try peer.store.log.apply([coming[0]], to: space, now: peer.now)
        }
        // when Cleo's own program writes over what is not shown yet
        var header = try cleo.nextHeader(in: space, under: grant)
        header.seen = [
            LogPosition(
                log: anna.log,
                head: LogHead(sequence: coming[0].header.sequence, commit: coming[0].id))
        ]
        let over = testLog.commit(header, ClearPart(), [titled("Cleos", 1)])
        #expect(try ben.store.log.apply([over], to: space, now: ben.now).refusal == nil)
        _ = try ben.store.log.apply(Array(coming.suffix(2)), to: space, now: ben.now)
        _ = try anna.store.log.apply([over], to: space, now: anna.now)
        // then
        for peer in [anna, ben] {
            #expect(try peer.titles(space, 1) == [.text("Cleos")])
            #expect(try peer.titles(space, 3) == [.text("drei")])
            #expect(try peer.states(space) == anna.states(space))
            try isSound(peer)
        }
    }

    @Test("a group comes to count in a log of which a fork behind it is known already")
    func forkedLater() throws {
        // given a device that lives twice, and a friend with a part of a group
        let home = TestPeer.newHome()
        var ben = try TestPeer(testLog, seed: 2, home: home)
        let second = try TestPeer(testLog, seed: 1)
        second.log = anna.log
        try anna.grant(.editor, to: ben, in: space)
        try ben.pull(space, from: anna)
        let before = ben.store.ledger(of: space)?.watermark ?? Watermark()
        try anna.write(group: CommitGroupStoreTests.parts, to: space)
        try second.pull(space, from: anna)
        try anna.write([titled("erstes Leben", 8)], to: space)
        try second.write([titled("zweites Leben", 9)], to: space)
        try anna.receive(space, from: second)
        let coming = try anna.commits(of: space, beyond: before)
        _ = try ben.store.log.apply(Array(coming.prefix(2)), to: space, now: ben.now)
        // when
        let page = try anna.store.log.forks(
            of: space, for: ForkQuestion(listed: []), byteLimit: 1 << 20)
        for proof in page.proofs {
            _ = try ben.store.log.apply(VerifiedFork(verified: proof), to: space)
        }
        #expect(ben.store.ledger(of: space)?.forks[anna.log] != nil)
        try ben.store.close()
        ben = try TestPeer(testLog, seed: 2, home: home)
        _ = try ben.store.log.apply(Array(coming.dropFirst(2)), to: space, now: ben.now)
        // then
        #expect(coming.count == 3)
        #expect(try ben.store.records.counts(of: space) == ["memory": 3])
        #expect(try ben.digest(space) == anna.digest(space))
        try isSound(ben)
    }

    @Test("what comes whole belatedly is held to the same rules as what came whole at once")
    func completed() throws {
        // given a member's commit of a group that pins a schema, the pin kept back from Ben
        let ben = try TestPeer(testLog, seed: 2)
        let cleo = try TestPeer(testLog, seed: 3)
        let grant = try anna.grant(.all, to: cleo, in: space)
        for peer in [ben, cleo] { try peer.pull(space, from: anna) }
        var header = try cleo.nextHeader(in: space, under: grant)
        header.following = 1
        let pin = SchemaPin(schema: SchemaID(sha256([43])), version: 2)
        let whole = testLog.commit(header, ClearPart(schema: pin), [titled("x", 1)])
        let bytes = whole.encoded
        let left = VerifiedCommit(
            verified: UnverifiedCommit(
                id: whole.id, header: whole.header, clear: ClearPart(), operations: [],
                contents: .withheld,
                encoded: EncodedCommit(
                    header: bytes.header, signature: bytes.signature, clear: [], operations: [])),
            facts: [])
        (header.sequence, header.previous) = (header.sequence + 1, whole.id)
        (header.clock, header.seen, header.following) = (cleo.tick(), [], 0)
        let end = testLog.commit(header, ClearPart(), [titled("y", 2)])
        #expect(try ben.store.log.apply([left, end], to: space, now: ben.now).refusal == nil)
        // when
        let late = try ben.store.log.apply([whole], to: space, now: ben.now)
        let atOnce = try anna.store.log.apply([whole], to: space, now: anna.now)
        // then
        #expect(atOnce.refusal?.reason == .misbehaved(.brokenGroup))
        #expect(late.refusal == nil && !late.schemaChanged)
        #expect(ben.store.ledger(of: space)?.schema == anna.store.ledger(of: space)?.schema)
    }
}
