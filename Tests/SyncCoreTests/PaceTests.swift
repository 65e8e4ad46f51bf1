import SyncCore
import TestKit
import Testing

/// Somebody without the right to write sends more than a device takes at once.
@Suite struct PaceTests {
    private static let cleo = 2
    private static let count: UInt64 = 160
    private static let bytes = 40_000
    /// So many commits of those are 4 MiB.
    private static let room: ClosedRange<UInt64> = 100...104
    private static let hour: UInt64 = 3_600_000

    /// The founder, Ben and Cleo, who wrote much that nobody has yet.
    private func world(seed: UInt64) -> (EngineWorld, SpaceID) {
        var world = EngineWorld((0..<3).map { TestDevice($0 + 1, person: $0 + 1) }, seed: seed)
        for node in world.nodes.indices { world.nodes[node].pageLength = 6 }
        let space = world.found(0)
        for node in 1..<3 {
            world.grant(space, by: 0, to: node, .all)
            world.post(.spaceAccepted(space), to: node)
        }
        let links = [world.connect(0, 1), world.connect(0, Self.cleo)]
        world.pass(2_000)
        for link in links { world.cut(link) }
        let words = String(repeating: "x", count: Self.bytes)
        for number in 0..<Self.count {
            world.write(Self.cleo, space, note(100 + number, words))
        }
        return (world, space)
    }

    private func taken(_ node: Int, _ space: SpaceID, in world: EngineWorld) -> UInt64 {
        world.watermark(node, space).sequence(of: world.nodes[Self.cleo].log)
    }

    @Test(
        "is taken piece by piece, and the rest is not sent over and over",
        arguments: TestSeeds.some(3))
    func later(seed: UInt64) {
        // given that her rights were taken
        var (world, space) = world(seed: seed)
        world.connect(0, 1)
        world.revoke(space, by: 0, of: Self.cleo)
        world.pass(2_000)

        // when she comes back
        let before = world.sent
        world.connect(0, Self.cleo)
        world.pass(60_000)

        // then so much is taken, once, and the rest is known to come later
        #expect(Self.room.contains(taken(0, space, in: world)))
        #expect(taken(1, space, in: world) == taken(0, space, in: world))
        let sent = (world.sent["commits"] ?? 0) - (before["commits"] ?? 0)
        #expect(sent < 350)
        let person = world.nodes[Self.cleo].device.person
        let ledger = world.nodes[0].stores[space]?.ledger
        #expect(ledger?.pacedPeople(at: Instant(world.now).wall) == [person])

        // and what others write goes on
        world.write(1, space, note(1, "by Ben"))
        world.write(0, space, note(2, "by the founder"))
        world.pass(5_000)
        #expect(world.records(0, space).count == 2 && world.records(1, space).count == 2)

        // and each hour brings a further piece, until all is there
        world.pass(Self.hour + 600_000)
        let later = taken(0, space, in: world)
        #expect((126...156).contains(later))
        world.pass(2 * Self.hour)
        #expect(taken(0, space, in: world) == Self.count)
        #expect(world.watermark(0, space) == world.watermark(1, space))
        let atLast = world.nodes[0].stores[space]?.ledger
        #expect(atLast?.pacedPeople(at: Instant(world.now).wall) == [])
        #expect(world.violations.isEmpty, "\(world.violations.prefix(3))")
    }

    @Test("is taken where a member had seen it whose work counts")
    func needed() {
        // given that Ben had all of it when her rights were taken, and wrote
        var (world, space) = world(seed: 1)
        let link = world.connect(1, Self.cleo)
        world.pass(60_000)
        world.cut(link)
        world.write(1, space, note(1, "by Ben"))
        #expect(taken(1, space, in: world) == Self.count)
        world.revoke(space, by: 0, of: Self.cleo)

        // when the founder and Ben meet
        world.connect(0, 1)
        world.pass(60_000)

        // then nothing of what he wrote lacks
        #expect(world.records(0, space)[RecordID(1)] != nil)
        #expect(world.watermark(0, space) == world.watermark(1, space))
        #expect(world.violations.isEmpty, "\(world.violations.prefix(3))")
    }

    @Test("is accepted all at once from a member who may write again")
    func again() {
        var (world, space) = world(seed: 2)
        world.revoke(space, by: 0, of: Self.cleo)
        world.pass(2_000)
        world.connect(0, Self.cleo)
        world.pass(60_000)
        #expect(Self.room.contains(taken(0, space, in: world)))

        // when she gets her rights back
        world.grant(space, by: 0, to: Self.cleo, .all)
        world.pass(60_000)

        // then nothing is left for later
        #expect(world.watermark(0, space) == world.watermark(Self.cleo, space))
        #expect(world.violations.isEmpty, "\(world.violations.prefix(3))")
    }
}
