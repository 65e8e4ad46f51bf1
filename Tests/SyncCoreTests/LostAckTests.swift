import SyncCore
import TestKit
import Testing

/// The others know in the end what a device holds, even after its session changed.
@Suite("Acks that were to go over another session")
struct LostAckTests {
    @Test("An ack that is signed while the session changes is told on the new one")
    func signedMeanwhile() throws {
        // given a device that stored what a friend wrote, and signs that
        var bench = Bench()
        bench.handle(.ackSigned(bench.ack(bench.store.watermark, by: bench.own, counter: 3)))
        bench.meet()
        let commit = try bench.friendWrites()
        bench.receive(.commits(bench.space, [commit.commit], live: true))
        #expect(bench.apply([commit]).acknowledges == 1)
        // when the session is another one before that is signed
        bench.handle(.sessionClosed(SessionID(1)))
        bench.open(2, with: bench.friend)
        let begun = bench.receive(
            .spaces([bench.summary(of: bench.friendStore)], answer: true), on: 2)
        #expect(counters(begun) == [3])
        var later = bench.handle(
            .ackSigned(bench.ack(bench.store.watermark, by: bench.own, counter: 4)))
        bench.now += Limits.ackMilliseconds
        later += bench.handle(.tick)
        // then
        #expect(counters(later) == [4])
    }

    @Test("Acks are compared with a peer that has not taken what it is offered")
    func besideAnOffer() throws {
        // given a second space that the friend may have and does not list
        var bench = Bench()
        var other = MemoryStore()
        let genesis = TestCommit.genesis(bench.own, nonce: 7)
        _ = other.apply([genesis])
        let root = FactReference(commit: genesis.id, index: 0)
        let grant = MembershipFact.grant(bench.friend.grant(from: root, .all))
        _ = other.append(in: bench.own.log, clock: 9, TestDraft(facts: [grant]))
        let ledger = try #require(other.ledger)
        bench.handle(
            .spaceOpened(
                SpaceView(
                    space: genesis.space, role: .shared, watermark: other.watermark,
                    membership: ledger.membership)))
        bench.meet()
        // when nothing was said for long
        bench.now += Limits.keepAliveMilliseconds
        let asked = bench.handle(.tick)
        // then
        #expect(asked.comparisons().count == 1)
        let lists = asked.messages().filter { if case .spaces = $0 { true } else { false } }
        #expect(lists.count == 1)
    }

    /// Those of the acks that were sent on the second session.
    private func counters(_ actions: [EngineAction]) -> [UInt64] {
        actions.messages(on: 2).compactMap { message in
            switch message {
            case .ack(let ack): ack.said.counter
            case .ackDifference(let difference): difference.counter
            default: nil
            }
        }
    }
}
