import SyncCore
import TestKit
import Testing

/// Who brings what to whom when several devices are connected with each other.
@Suite struct SpreadingTests {
    private func world(_ count: UInt64, seed: UInt64 = 1) -> EngineWorld {
        EngineWorld((0..<count).map { TestDevice($0 + 1, person: $0 + 1) }, seed: seed)
    }

    private func note(_ text: String) -> TestDraft {
        TestDraft(operations: [RecordOperation(1, [title(text)])])
    }

    /// A space that all have, with these connections.
    private func share(_ world: inout EngineWorld, _ pairs: [(Int, Int)]) -> SpaceID {
        let space = world.found(0)
        for node in world.nodes.indices.dropFirst() {
            world.grant(space, by: 0, to: node, .all)
            world.post(.spaceAccepted(space), to: node)
        }
        world.settle()
        for pair in pairs { world.connect(pair.0, pair.1) }
        world.pass(Limits.pullIntervalMilliseconds + 5_000)
        return space
    }

    private func mesh(_ count: Int) -> [(Int, Int)] {
        (0..<count).flatMap { one in ((one + 1)..<count).map { (one, $0) } }
    }

    private func count(_ kind: String, in world: EngineWorld, since before: [String: Int]) -> Int {
        (world.sent[kind] ?? 0) - (before[kind] ?? 0)
    }

    @Test("Where all are connected each gets a commit once, and one ack of each")
    func once() {
        // given
        var world = world(6)
        let space = share(&world, mesh(6))
        let before = world.sent
        // when
        world.write(2, space, note("a"))
        world.pass(20_000)
        // then
        for node in 0..<6 {
            #expect(world.watermark(node, space) == world.watermark(2, space))
        }
        #expect(count("live", in: world, since: before) == 5)
        #expect(count("ack", in: world, since: before) == 25)
        for kind in ["commits", "watermark", "spaces", "heard", "comparison"] {
            #expect(count(kind, in: world, since: before) == 0, "\(kind)")
        }
    }

    @Test("A commit that gets lost is brought by another, also right after one that arrived")
    func afterOneThatArrived() {
        // given three that are connected, the author's cable being pulled out between two commits
        var world = world(3)
        let space = share(&world, [(1, 2)])
        let link = world.connect(0, 2)
        world.connect(0, 1)
        world.pass(Limits.pullIntervalMilliseconds + 5_000)
        world.write(0, space, note("a"))
        world.settle()
        world.silence(link)
        // when
        world.write(0, space, note("b"))
        world.pass(2 * Limits.lateCheckMilliseconds + Limits.relayStepMilliseconds)
        // then
        #expect(world.watermark(2, space) == world.watermark(0, space))
    }

    @Test("A device that accepts a space while all are connected is reached", arguments: 1...10)
    func takenWhileConnected(seed: UInt64) {
        // given four devices that are connected before there is anything to share
        var world = world(4, seed: seed)
        for pair in mesh(4) { world.connect(pair.0, pair.1) }
        world.pass(1_000)
        let space = world.found(0)
        for node in 1..<4 {
            world.grant(space, by: 0, to: node, .all)
            world.pass(100)
            world.post(.spaceAccepted(space), to: node)
        }
        world.pass(15_000)
        let before = world.sent
        // when
        for node in 0..<4 {
            world.write(node, space, note("\(node)"))
            world.pass(1_000)
        }
        // then
        #expect(count("live", in: world, since: before) == 12, "seed \(seed)")
        #expect(count("ack", in: world, since: before) == 36, "seed \(seed)")
    }

    @Test("All who write at once get each commit once", arguments: TestSeeds.some(10))
    func together(seed: UInt64) {
        var world = world(6, seed: seed)
        let space = share(&world, mesh(6))
        let before = world.sent
        for node in 0..<6 { world.write(node, space, note("\(node)")) }
        world.pass(1_000)
        for node in 1..<6 {
            #expect(world.watermark(node, space) == world.watermark(0, space), "seed \(seed)")
        }
        #expect(count("live", in: world, since: before) == 30, "seed \(seed)")
        #expect(count("commits", in: world, since: before) == 0, "seed \(seed)")
    }

    @Test("What its author could not push comes from another neighbour", arguments: 1...5)
    func late(seed: UInt64) {
        // given a connection that died without a word
        var world = world(4, seed: seed)
        let space = share(&world, [(0, 2), (1, 2), (0, 3), (1, 3), (2, 3)])
        let dead = world.connect(0, 1)
        world.pass(1_000)
        world.silence(dead)
        let before = world.sent
        // when
        world.write(0, space, note("a"))
        world.pass(Limits.lateCheckMilliseconds - 100)
        // then its author is given time to, and nobody brings it sooner than that
        #expect(world.watermark(1, space) != world.watermark(0, space), "seed \(seed)")
        world.pass(2 * Limits.relayStepMilliseconds + 100)
        #expect(world.watermark(1, space) == world.watermark(0, space), "seed \(seed)")
        let copies =
            count("live", in: world, since: before) + count("commits", in: world, since: before)
        #expect(copies <= 5, "seed \(seed)")
    }

    @Test("Of many neighbours who all think a device lacks a commit only three send it soon")
    func early() {
        // given six that reach both its author and a device of which they hear nothing any more
        var world = world(8)
        let near = 1...6
        let space = share(&world, near.map { (0, $0) })
        let links = near.map { world.connect($0, 7) }
        world.pass(1_000)
        for link in links { world.silence(link) }
        let before = world.sent
        func copies() -> Int {
            count("live", in: world, since: before) + count("commits", in: world, since: before)
                - near.count
        }
        // when
        world.write(0, space, note("a"))
        world.pass(Limits.laterRelayMilliseconds)
        // then
        #expect(copies() == Limits.earlyRelayers)
        world.pass(UInt64(near.count) * Limits.relayStepMilliseconds)
        #expect(copies() == near.count)
    }

    @Test("At the ends of a long chain each knows what the other holds", arguments: 1...5)
    func chain(seed: UInt64) {
        var world = world(7, seed: seed)
        let space = share(&world, (0..<6).map { ($0, $0 + 1) })
        let before = world.sent
        world.write(0, space, note("a"))
        world.pass(6_000)
        let (first, last) = (world.nodes[0], world.nodes[6])
        let known = first.acks[space]?[last.device.id]?.said.watermark
        #expect(known == world.watermark(0, space), "seed \(seed)")
        let copies =
            count("live", in: world, since: before) + count("commits", in: world, since: before)
        #expect(copies == 6, "seed \(seed)")
    }

    @Test("A device that joins a crowd hears from one neighbour what all others said")
    func joining() {
        var world = world(9)
        let space = share(&world, mesh(8))
        world.write(3, space, note("a"))
        world.pass(5_000)
        let before = world.sent
        for node in 0..<6 { world.connect(8, node) }
        world.pass(10_000)
        let known = world.nodes[8].acks[space]?.filter { $0.key != world.nodes[8].device.id }
        // The founder never got anything from others.
        #expect(known?.count == 8)
        // Each of the others tells its own, one all.
        #expect(count("heard", in: world, since: before) <= 40)
    }

    @Test("Of a group that is too much for a message the rest is read from the log")
    func largeGroup() {
        // given
        var bench = Bench()
        bench.meet()
        let text = String(repeating: "x", count: Limits.commitBatchBytes / 2)
        var parts: [VerifiedCommit] = []
        for index in 0..<6 as Range<UInt32> {
            var draft = note(text)
            draft.following = 5 - index
            let clock = 100 + UInt64(index)
            parts += bench.store.append(in: bench.own.log, clock: clock, draft).map { [$0] } ?? []
        }
        // when
        let actions = bench.handle(.applied(bench.report(stored: parts), from: nil))
        // then
        #expect(parts.count == 6)
        #expect(actions.commits().map(\.id) == parts.prefix(1).map(\.id))
        #expect(actions.loads.count == 1)
    }

    // MARK: Differences

    @Test("An ack that comes as a difference is put together")
    func difference() throws {
        // given a friend that acknowledged
        var bench = Bench()
        bench.meet()
        let first = bench.ack(bench.store.watermark, by: bench.friend, counter: 4)
        bench.receive(.ack(first))
        bench.handle(.ackStored(first, from: SessionID(1)))
        _ = bench.write()
        let head = try #require(bench.store.watermark.heads[bench.own.log])
        let place = bench.friendStore.watermark.positions.firstIndex { $0.log == bench.own.log }
        // when it says what has changed
        let change = AckDifference.Change(subject: .place(try #require(place)), head: head)
        let said = AckDifference(
            space: bench.space, device: nil, base: 4, counter: 5, changes: [change],
            signature: [1])
        let actions = bench.receive(.ackDifference(said))
        // then
        let rebuilt = actions.compactMap { action in
            if case .verifyAck(let ack, _) = action { ack } else { nil }
        }
        #expect(rebuilt.map(\.said.watermark) == [bench.store.watermark])
        #expect(rebuilt.map(\.said.counter) == [5])
        #expect(rebuilt.map(\.bytes) == [[]])
    }

    @Test("A difference that builds on what is not here, or proves nothing, is asked for whole")
    func wholeWanted() {
        var bench = Bench()
        bench.meet()
        let said = AckDifference(
            space: bench.space, device: nil, base: 4, counter: 5, changes: [], signature: [1])
        let wanted = PeerMessage.ackWanted(bench.space, bench.friend.id)
        #expect(bench.receive(.ackDifference(said)).messages() == [wanted])
        let refused = bench.handle(
            .ackRefused(bench.space, bench.friend.id, from: SessionID(1)))
        #expect(refused.messages() == [wanted])
        // And who is asked for one that it has sends it.
        bench.handle(.ackLoaded(bench.ack(bench.store.watermark, by: bench.own, counter: 9)))
        let answer = bench.receive(.ackWanted(bench.space, bench.own.id)).messages()
        #expect(answer.count == 1)
        #expect(bench.receive(.ackWanted(bench.space, bench.stranger.id)).messages().isEmpty)
    }

    @Test("A stranger is told of no reach, no acks and no sums")
    func stranger() {
        var bench = Bench()
        bench.meet()
        bench.open(2, with: bench.stranger)
        bench.handle(.ackLoaded(bench.ack(bench.store.watermark, by: bench.friend)))
        var actions = bench.receive(.ackWanted(bench.space, bench.friend.id), on: 2)
        actions += bench.receive(.heard(Heard(space: bench.space)), on: 2)
        actions += bench.receive(.reach(added: [bench.own.id], removed: []), on: 2)
        bench.now += Limits.reachMilliseconds
        actions += bench.handle(.tick)
        #expect(actions.messages(on: 2).isEmpty)
    }
}
