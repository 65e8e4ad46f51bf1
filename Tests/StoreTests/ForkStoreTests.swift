import Store
import SyncCore
import Testing

/// What a store makes of a log that has two commits at one position.
@Suite struct ForkStoreTests {
    private let testLog = TestLog()

    @Test("a commit that does not fit leaves the other logs of its batch alone")
    func goesOn() throws {
        // given two members and a forked commit of one of them
        let anna = try TestPeer(testLog, seed: 1)
        let ben = try TestPeer(testLog, seed: 2)
        let cleo = try TestPeer(testLog, seed: 3)
        let space = try anna.found()
        try anna.grant(.editor, to: cleo, in: space)
        for peer in [ben, cleo] { try peer.pull(space, from: anna) }
        let founder = FactReference(commit: CommitID(space.value), index: 0)
        let header = try anna.nextHeader(in: space, under: founder)
        let one = testLog.commit(header, ClearPart(), [titled("links", 1)])
        let other = testLog.commit(header, ClearPart(), [titled("rechts", 1)])
        _ = try ben.store.apply([one], to: space, now: ben.now)
        let before = try #require(cleo.store.ledger(of: space)?.watermark)
        try cleo.write([titled("drittes", 2)], to: space)
        let third = try cleo.commits(of: space, beyond: before)

        // when both come in one batch
        let outcome = try ben.store.apply([other] + third, to: space, now: ben.now)

        // then the third party's is stored and shown
        #expect(outcome.stored == third.map(\.id))
        #expect(try ben.store.search("drittes").count == 1)
    }
}
