import SyncCore
import TestKit
import Testing

/// Several engines with stores in memory and a network that delays, reorders and loses.
@Suite struct WorldTests {
    /// How two nodes are connected: who with whom.
    private static let shapes: [(count: Int, links: [(Int, Int)])] = [
        (2, [(0, 1)]),
        (3, [(0, 1), (1, 2)]),
        (3, [(0, 1), (1, 2), (2, 0)]),
        (4, [(0, 1), (1, 2), (2, 3)]),
        (4, [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]),
    ]

    /// Seeds that found something once.
    private static let failed: [UInt64] = [3_745_621_773]

    private func devices(_ count: Int) -> [TestDevice] {
        // Two of one person, then one each.
        (0..<UInt64(count)).map { TestDevice($0 + 1, person: $0 < 2 ? 1 : $0) }
    }

    private func note(_ text: String) -> TestDraft {
        TestDraft(operations: [RecordOperation(UInt64(text.utf8.count % 3), [title(text)])])
    }

    @Test(
        "After any losses, orders and writes everybody holds and shows the same",
        arguments: Self.failed + Array(TestSeeds.some(300)))
    func convergence(seed: UInt64) throws {
        let shape = Self.shapes[Int(seed) % Self.shapes.count]
        var world = EngineWorld(devices(shape.count), seed: seed)
        let space = world.found(0)
        for node in 1..<shape.count {
            world.grant(space, by: 0, to: node, .all, sibling: node == 1 ? 1 : 0)
        }
        for node in 2..<shape.count { world.post(.spaceAccepted(space), to: node) }
        for round in 0..<60 { disturb(&world, shape.links, space, round) }
        heal(&world, shape.links)
        try check(&world, shape.count, space, "seed \(seed)")
    }

    private func disturb(
        _ world: inout EngineWorld, _ pairs: [(Int, Int)], _ space: SpaceID, _ round: Int
    ) {
        var random = world.random
        let node = Int.random(in: world.nodes.indices, using: &random)
        let pair = pairs.randomElement(using: &random) ?? (0, 1)
        let choice = Int.random(in: 0..<12, using: &random)
        let steps = Int.random(in: 0..<30, using: &random)
        let back = Bool.random(using: &random)
        world.random = random
        switch choice {
        case 0..<6: world.write(node, space, note("\(round)"))
        case 6, 7:
            if back { world.connect(pair.1, pair.0) } else { world.connect(pair.0, pair.1) }
        case 8: if !world.links.isEmpty { world.cut(steps % world.links.count) }
        case 9: world.advance(UInt64(steps) * 20)
        case 10: _ = world.requestSync(node)
        default: world.advance(31_000)
        }
        for _ in 0..<steps where !world.step() { break }
    }

    private func heal(_ world: inout EngineWorld, _ pairs: [(Int, Int)]) {
        world.settle()
        for pair in pairs where world.openLinks(pair.0, pair.1) == 0 {
            world.connect(pair.0, pair.1)
        }
        // Less than the time until the safety net.
        world.pass(10_000)
    }

    private func check(
        _ world: inout EngineWorld, _ count: Int, _ space: SpaceID, _ seed: Comment
    ) throws {
        try #require(world.violations.isEmpty, "\(seed) \(world.violations.prefix(3))")
        let records = world.records(0, space)
        for node in 1..<count {
            #expect(world.watermark(node, space) == world.watermark(0, space), seed)
            #expect(world.records(node, space) == records, seed)
        }
        checkNothingWaits(world, seed)
        // A pull with nothing new: asked by everybody, and it ends.
        let before = world.sent
        let requests = (0..<count).map { world.requestSync($0) }
        world.settle()
        for node in 0..<count {
            #expect(world.hasSynced(node, requests[node]), seed)
        }
        #expect(world.sent["commits"] == before["commits"], seed)
        #expect(world.sent["ack"] == before["ack"], seed)
        #expect(world.closed[.misbehaved] == nil, seed)
    }

    /// No session waits for anything.
    private func checkNothingWaits(_ world: EngineWorld, _ seed: Comment) {
        for node in world.nodes {
            for session in node.engine.sessions.all {
                for shared in session.spaces.values {
                    #expect(shared.receiving.unapplied == 0, seed)
                    #expect(shared.sending.inFlight.isEmpty, seed)
                    #expect(!shared.sending.hasMore && !shared.sending.isReading, seed)
                    #expect(!shared.asking.awaitsAnswer && shared.asking.reasons.isEmpty, seed)
                }
            }
        }
    }
}
