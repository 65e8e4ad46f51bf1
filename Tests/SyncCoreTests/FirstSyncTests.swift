import SyncCore
import TestKit
import Testing

/// A space comes from a peer for the first time: the question for it, its answer, the lists and the
/// commits cross each other.
@Suite("A first sync")
struct FirstSyncTests {
    /// An engine without the space, and what its peers hold of it.
    private struct Offered {
        var bench = Bench()
        var theirs = MemoryStore()
        var ours = MemoryStore()
        let space: SpaceID

        init() {
            let genesis = TestCommit.genesis(bench.friend, nonce: 7)
            space = genesis.space
            _ = theirs.apply([genesis])
            let root = FactReference(commit: genesis.id, index: 0)
            let facts = [bench.own, bench.stranger].enumerated().map { index, device in
                MembershipFact.grant(device.grant(from: root, .all, sibling: UInt32(index)))
            }
            _ = theirs.append(in: bench.friend.log, clock: 9, TestDraft(facts: facts))
            for number in 0..<3 {
                _ = theirs.append(in: bench.friend.log, clock: 10 + UInt64(number), note(1, "a"))
            }
        }

        /// The peer lists what it holds.
        mutating func list(on number: UInt64 = 1) -> [EngineAction] {
            let summary = SpaceSummary(space: space, digest: theirs.watermark.digest())
            return bench.receive(.spaces([summary], answer: true), on: number)
        }

        /// The peer answers, and then lists what it holds.
        mutating func answerAndList(on number: UInt64 = 1) -> [EngineAction] {
            bench.receive(.watermark(space, theirs.watermark, answer: true), on: number)
                + list(on: number)
        }

        /// A batch comes, and is stored.
        mutating func deliver(
            _ commits: some Sequence<VerifiedCommit>, on number: UInt64 = 1
        ) throws -> [EngineAction] {
            let (session, commits) = (SessionID(number), Array(commits))
            let actions = bench.receive(
                .commits(space, commits.map(\.commit), live: false), on: number)
            return actions + bench.handle(.applied(ours.apply(commits), from: session))
        }
    }

    @Test("A peer that lists what it is sending is asked once all of that is here")
    func listed() throws {
        // given a space that was just accepted
        var offered = Offered()
        offered.bench.open(1, with: offered.bench.friend)
        _ = offered.list()
        let accepted = offered.bench.handle(.spaceAccepted(offered.space))
        #expect(accepted.watermarks() == [Watermark()])
        // when the peer answers, lists the space and sends it in two batches
        let answered = offered.answerAndList()
        let first = try offered.deliver(offered.theirs.commits.prefix(2))
        let again = offered.list()
        let second = try offered.deliver(offered.theirs.commits.dropFirst(2))
        // then
        #expect(answered.watermarks().isEmpty)
        #expect(first.watermarks().isEmpty)
        #expect(again.watermarks().isEmpty)
        #expect(second.watermarks() == [offered.theirs.watermark])
    }

    @Test("A peer that answers and sends nothing is asked again when it had time")
    func nothingSent() {
        // given
        var offered = Offered()
        offered.bench.open(1, with: offered.bench.friend)
        _ = offered.list()
        offered.bench.handle(.spaceAccepted(offered.space))
        #expect(offered.answerAndList().watermarks().isEmpty)
        // when
        offered.bench.now += Limits.answerMilliseconds - 1
        let early = offered.bench.handle(.tick)
        let wait = offered.bench.engine.nextTick(at: Instant(offered.bench.now))
        offered.bench.now += 1
        let late = offered.bench.handle(.tick)
        // then
        #expect(early.watermarks().isEmpty)
        #expect(wait == 1)
        #expect(late.watermarks() == [Watermark()])
    }

    @Test("What one peer sends is asked of no other again, and each is asked when it is here")
    func broughtByAnother() throws {
        // given two peers that answered and listed the same
        var offered = Offered()
        offered.bench.open(1, with: offered.bench.friend)
        offered.bench.open(2, with: offered.bench.stranger)
        for number in [1, 2] as [UInt64] { _ = offered.list(on: number) }
        offered.bench.handle(.spaceAccepted(offered.space))
        for number in [1, 2] as [UInt64] {
            #expect(offered.answerAndList(on: number).watermarks(on: number).isEmpty)
        }
        // when one of them sends it
        let delivered = try offered.deliver(offered.theirs.commits, on: 2)
        // then
        for number in [1, 2] as [UInt64] {
            #expect(delivered.watermarks(on: number) == [offered.theirs.watermark])
        }
    }

    @Test("A space that is declined meanwhile is not asked for")
    func declined() {
        // given
        var offered = Offered()
        offered.bench.open(1, with: offered.bench.friend)
        _ = offered.list()
        offered.bench.handle(.spaceAccepted(offered.space))
        _ = offered.answerAndList()
        // when
        offered.bench.handle(.spaceDeclined(offered.space))
        offered.bench.now += Limits.answerMilliseconds
        let later = offered.bench.handle(.tick)
        // then
        #expect(later.watermarks().isEmpty)
    }

    // MARK: Copies

    @Test("An accepted space is sent once", arguments: TestSeeds.some(20))
    func acceptedOnce(seed: UInt64) {
        // given a space that is offered on an open connection
        var world = EngineWorld(
            [TestDevice(1, person: 1), TestDevice(2, person: 2)], seed: seed)
        let space = writtenSpace(of: &world, sibling: 0)
        world.connect(0, 1)
        world.pass(1_000)
        // when
        world.post(.spaceAccepted(space), to: 1)
        world.pass(1_000)
        // then
        expectOneCopy(of: space, in: world, "seed \(seed)")
    }

    @Test("A device of the same person is sent a space once", arguments: TestSeeds.some(20))
    func ownDeviceOnce(seed: UInt64) {
        // given
        var world = EngineWorld(
            [TestDevice(1, person: 1), TestDevice(2, person: 1)], seed: seed)
        let space = writtenSpace(of: &world, sibling: 1)
        // when
        world.connect(0, 1)
        world.pass(1_000)
        // then
        expectOneCopy(of: space, in: world, "seed \(seed)")
    }

    /// A space of several batches, which the second device may have.
    private func writtenSpace(of world: inout EngineWorld, sibling: UInt32) -> SpaceID {
        let space = world.found(0)
        world.grant(space, by: 0, to: 1, .all, sibling: sibling)
        for number in 0..<20 { world.write(0, space, note(1, "\(number)")) }
        world.settle()
        return space
    }

    private func expectOneCopy(of space: SpaceID, in world: EngineWorld, _ seed: Comment) {
        let copies = (world.sent["commits"] ?? 0) + (world.sent["live"] ?? 0)
        #expect(copies == world.nodes[0].stores[space]?.commits.count, seed)
        #expect(world.watermark(1, space) == world.watermark(0, space), seed)
        #expect(world.violations.isEmpty, seed)
    }
}
