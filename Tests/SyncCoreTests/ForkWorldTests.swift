import SyncCore
import TestKit
import Testing

/// A device that was put back to an older state goes on writing: its log forks, and nobody else
/// loses anything.
@Suite struct ForkWorldTests {
    /// Four people; the second one's device will be put back.
    private func world(seed: UInt64) -> (EngineWorld, SpaceID) {
        var (world, space) = EngineWorld.fourPeople(seed: seed)
        world.connect(0, 1)
        world.connect(0, 2)
        world.connect(0, 3)
        world.pass(1_000)
        return (world, space)
    }

    private func cutAll(_ world: inout EngineWorld) {
        for link in world.links.indices { world.cut(link) }
        world.settle()
    }

    /// Lets the device write on in two lives, each seen by another one: `lengths` commits each.
    private func fork(_ world: inout EngineWorld, _ space: SpaceID, lengths: (Int, Int)) {
        let before = world.nodes[1]
        cutAll(&world)
        world.connect(1, 0)
        for number in 0..<lengths.0 { world.write(1, space, note(1, "first life \(number)")) }
        world.pass(1_000)
        world.write(0, space, note(2, "saw the first life"))
        world.pass(1_000)
        world.rollBack(1, to: before)
        cutAll(&world)
        world.connect(1, 2)
        for number in 0..<lengths.1 { world.write(1, space, note(1, "second life \(number)")) }
        world.pass(1_000)
        world.write(2, space, note(3, "saw the second life"))
        world.pass(1_000)
        cutAll(&world)
    }

    private func check(_ world: EngineWorld, _ space: SpaceID, _ seed: Comment) {
        let expected = world.nodes[0].stores[space]
        for node in 1..<4 {
            let store = world.nodes[node].stores[space]
            #expect(store?.watermark == expected?.watermark, seed)
            #expect(store?.forks == expected?.forks, seed)
            #expect(store?.records == expected?.records, seed)
            #expect(
                Set(store?.branches.map(\.id) ?? []) == Set(expected?.branches.map(\.id) ?? []),
                seed)
        }
        #expect(world.closed[.misbehaved] == nil, seed)
        #expect(world.violations.isEmpty, "\(seed) \(world.violations.prefix(3))")
    }

    @Test(
        "Both lives of a forked log count nowhere, and what others wrote counts",
        arguments: TestSeeds.some(60))
    func heals(seed: UInt64) throws {
        // given two lives of one log, each seen by somebody who wrote on
        var (world, space) = world(seed: seed)
        let log = world.nodes[1].log
        let base = world.watermark(1, space).sequence(of: log)
        let lengths = [(1, 1), (3, 5), (5, 3), (1, 90), (100, 2)][Int(seed % 5)]
        fork(&world, space, lengths: lengths)
        // when they meet, in some order
        let shapes = [
            [(0, 2), (2, 3), (1, 3)], [(3, 0), (3, 2), (1, 0)], [(0, 1), (1, 2), (2, 3)],
        ]
        for (one, other) in shapes[Int(seed % 3)] {
            world.connect(one, other)
            if seed.isMultiple(of: 2) { world.pass(500) }
        }
        world.pass(Limits.pullIntervalMilliseconds + 5_000)
        // then
        check(world, space, "seed \(seed)")
        #expect(world.forks(0, space)[log]?.sequence == base + 1, "seed \(seed)")
        #expect(world.forks(0, space)[log]?.count == lengths.0 + lengths.1, "seed \(seed)")
        #expect(world.forks(0, space)[log]?.tips.count == 2, "seed \(seed)")
        let records = world.records(3, space)
        for (record, text) in [(2, "saw the first life"), (3, "saw the second life")] {
            let shown = records[RecordID(UInt64(record))]?.fields["title"]?.latest?.value
            #expect(shown == .text(text), "seed \(seed)")
        }
        #expect(records[RecordID(1)] == nil, "seed \(seed)")
        // and the device goes on in another log
        let hasWritten = world.write(1, space, note(4, "after"))
        #expect(hasWritten, "seed \(seed)")
        world.pass(Limits.pullIntervalMilliseconds + 5_000)
        check(world, space, "seed \(seed)")
        #expect(world.records(2, space)[RecordID(4)] != nil, "seed \(seed)")
    }

    @Test(
        "A member who comes later gets proofs, branches and all that others wrote",
        arguments: TestSeeds.some(20))
    func newcomer(seed: UInt64) throws {
        var world = EngineWorld((0..<4).map { TestDevice($0 + 1, person: $0 + 1) }, seed: seed)
        let space = world.found(0)
        for node in 1..<3 {
            world.grant(space, by: 0, to: node, .all)
            world.post(.spaceAccepted(space), to: node)
        }
        world.connect(0, 1)
        world.connect(0, 2)
        world.pass(1_000)
        fork(&world, space, lengths: (4, 7))
        world.connect(0, 2)
        world.connect(2, 1)
        world.pass(Limits.pullIntervalMilliseconds + 5_000)
        // when
        world.grant(space, by: 0, to: 3, .all)
        world.post(.spaceAccepted(space), to: 3)
        world.connect(3, 2)
        world.pass(Limits.pullIntervalMilliseconds * 2 + 5_000)
        // then
        check(world, space, "seed \(seed)")
        #expect(world.nodes[3].stores[space]?.branches.count == 11, "seed \(seed)")
    }

    @Test(
        "The branch that a removal pinned is taken however many made-up ones came first",
        arguments: TestSeeds.some(12))
    func pinnedAmongMany(seed: UInt64) throws {
        // given an admin who let somebody in and was removed
        var world = EngineWorld((0..<4).map { TestDevice($0 + 1, person: $0 + 1) }, seed: seed)
        let space = world.found(0)
        for node in [1, 3] { world.grant(space, by: 0, to: node, .all) }
        for node in 1..<4 { world.post(.spaceAccepted(space), to: node) }
        world.connect(0, 1)
        world.connect(0, 3)
        world.pass(1_000)
        let before = world.nodes[1]
        cutAll(&world)
        world.connect(0, 1)
        world.grant(space, by: 1, to: 2, .contributor)
        for number in 0..<Int(seed % 5) * 30 { world.write(1, space, note(1, "true \(number)")) }
        world.connect(0, 2)
        world.pass(2_000)
        world.write(2, space, note(2, "by who was let in"))
        world.pass(1_000)
        world.revoke(space, by: 0, of: 1)
        world.pass(1_000)
        // when somebody who was away meets only made-up lives of that admin, and then the others
        for life in 0...Limits.branchTips {
            cutAll(&world)
            world.rollBack(1, to: before)
            world.write(1, space, note(3, "made up \(life)"))
            world.connect(1, 3)
            world.pass(1_000)
        }
        let log = world.nodes[1].log
        #expect((world.forks(3, space)[before.log]?.tips.count ?? 0) >= Limits.branchTips, "\(log)")
        cutAll(&world)
        world.connect(3, seed.isMultiple(of: 2) ? 0 : 2)
        world.settle(limit: 20_000)
        // Who was let in by that admin is nobody yet: alone they bring nothing, over and over.
        if !seed.isMultiple(of: 2) { world.connect(3, 0) }
        world.settle(limit: 20_000)
        world.pass(Limits.pullIntervalMilliseconds + 5_000)
        // then they judge alike
        let membership = try #require(world.nodes[3].stores[space]?.ledger?.membership)
        let expected = try #require(world.nodes[0].stores[space]?.ledger?.membership)
        #expect(membership.standings == expected.standings, "seed \(seed)")
        #expect(membership.pinnedHeads == expected.pinnedHeads, "seed \(seed)")
        #expect(membership.missingPins.isEmpty && !membership.pinnedHeads.isEmpty, "seed \(seed)")
        #expect(world.records(3, space)[RecordID(2)] != nil, "seed \(seed)")
        #expect(world.closed[.misbehaved] == nil && world.violations.isEmpty, "seed \(seed)")
    }

    @Test(
        "A longer branch that turns up once all know of the fork reaches everybody",
        arguments: TestSeeds.some(20))
    func lateBranch(seed: UInt64) throws {
        var (world, space) = world(seed: seed)
        // The third device keeps more of the first life than the others, and stays away.
        let before = world.nodes[1]
        cutAll(&world)
        world.connect(1, 3)
        for number in 0..<9 { world.write(1, space, note(1, "first \(number)")) }
        world.pass(1_000)
        let tip = world.watermark(3, space)
        world.rollBack(1, to: before)
        cutAll(&world)
        for (life, witness) in [("second", 0), ("third", 2)] {
            world.rollBack(1, to: before)
            world.connect(1, witness)
            for number in 0..<3 { world.write(1, space, note(1, "\(life) \(number)")) }
            world.pass(1_000)
            cutAll(&world)
        }
        world.connect(0, 2)
        world.connect(0, 1)
        world.pass(Limits.pullIntervalMilliseconds + 5_000)
        #expect(world.forks(1, space).values.first?.count == 6, "seed \(seed)")
        // when it comes, and meets one of them only
        world.connect(3, 2)
        world.pass(Limits.pullIntervalMilliseconds + 5_000)
        // then
        check(world, space, "seed \(seed)")
        #expect(world.forks(0, space).values.first?.count == 15, "seed \(seed)")
        #expect(!tip.isEmpty)
    }

    @Test("A device that was put back and meets others before it writes forks nothing")
    func noFork() throws {
        var (world, space) = world(seed: 5)
        let before = world.nodes[1]
        for number in 0..<3 { world.write(1, space, note(1, "\(number)")) }
        world.pass(1_000)
        world.rollBack(1, to: before)
        world.connect(1, 0)
        world.pass(1_000)
        let hasWritten = world.write(1, space, note(4, "after"))
        #expect(hasWritten)
        world.pass(1_000)
        #expect(world.forks(0, space).isEmpty)
        #expect(world.records(0, space)[RecordID(4)] != nil)
        check(world, space, "")
    }
}
