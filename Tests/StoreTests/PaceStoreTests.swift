import Store
import SyncCore
import Testing

/// Somebody without the right to write fills a disk.
@Suite struct PaceStoreTests {
    private let testLog = TestLog()
    private static let hour: UInt64 = 3_600_000

    @Test("What a removed member wrote is kept to so many bytes at once, and more of it each hour")
    func bytes() throws {
        // given much that Cleo wrote before she heard that she was removed
        let anna = try TestPeer(testLog, seed: 1)
        let cleo = try TestPeer(testLog, seed: 2)
        let space = try anna.found()
        let grant = try anna.grant(.editor, to: cleo, in: space)
        try cleo.pull(space, from: anna)
        for number in 0..<100 as Range<UInt64> {
            try cleo.write([written(String(repeating: "x", count: 60_000), number)], to: space)
        }
        let person = try #require(cleo.card.links.last?.content.person)
        let cut = try #require(anna.store.ledger(of: space)?.watermark)
        try anna.write(
            [],
            clear: ClearPart(facts: [
                .revocation(
                    Revocation(
                        grant: grant, remaining: [], cut: cut, scope: .device, cascade: .none))
            ]), to: space)

        // when Anna takes what she can
        let outcome = try anna.pull(space, from: cleo)

        // then it is so much, and who sent it did nothing wrong
        #expect(Set(outcome.refusals.map(\.reason)) == [.paced])
        #expect((65..<70).contains(outcome.stored.count))
        #expect(people(at: anna, space) == [person])
        // and no more comes, but with the time
        #expect(try anna.pull(space, from: cleo).stored.isEmpty)
        anna.now = Milliseconds(anna.now.value + Self.hour)
        #expect(people(at: anna, space).isEmpty)
        #expect((16..<19).contains(try anna.pull(space, from: cleo).stored.count))
        // and all of it once she may write again
        try anna.grant(.editor, to: cleo, in: space)
        #expect(try anna.pull(space, from: cleo).refusals.isEmpty)
        let (here, there) = (anna.store.ledger(of: space), cleo.store.ledger(of: space))
        #expect(here?.watermark.sequence(of: cleo.log) == there?.watermark.sequence(of: cleo.log))
    }

    @Test("Nobody who may write waits")
    func writers() throws {
        let anna = try TestPeer(testLog, seed: 1)
        let ben = try TestPeer(testLog, seed: 2)
        let space = try anna.found()
        try anna.grant(.editor, to: ben, in: space)
        try ben.pull(space, from: anna)
        for number in 0..<100 as Range<UInt64> {
            try ben.write([written(String(repeating: "x", count: 60_000), number)], to: space)
        }
        #expect(try anna.pull(space, from: ben).stored.count == 100)
    }

    private func people(at peer: TestPeer, _ space: SpaceID) -> Set<PersonID> {
        peer.store.ledger(of: space)?.pacedPeople(at: peer.now) ?? []
    }
}
