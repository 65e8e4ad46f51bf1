import SyncCore
import TestKit
import Testing

/// Members who make forks up: they lose their session, and nobody else loses anything.
@Suite struct ForkLiarTests {
    private static let liar = 3

    /// Four people in a row around the founder; the last one lies.
    private func world(seed: UInt64) -> (EngineWorld, SpaceID) {
        var (world, space) = EngineWorld.fourPeople(seed: seed)
        for node in 1..<4 { world.connect(0, node) }
        world.pass(1_000)
        for number in 0..<5 as Range<UInt64> {
            world.write(1, space, note(number, "honest"))
            world.write(0, space, note(number + 5, "honest"))
        }
        world.pass(1_000)
        return (world, space)
    }

    /// Sends a message to the founder as the liar, on a new connection when the last one was ended.
    private func lie(_ message: PeerMessage, in world: inout EngineWorld) {
        let open = world.links.indices.last { link in
            world.links[link].isOpen && world.links[link].ends[1].node == Self.liar
        }
        let link = open ?? world.connect(0, Self.liar)
        if open == nil { world.pass(500) }
        world.links[link].ends[0].arriving.append(.message(message))
        world.pass(1_000)
    }

    /// What the honest ones write afterwards reaches all of them, and the liar was shut out.
    private func check(_ world: inout EngineWorld, _ space: SpaceID, _ seed: Comment) {
        #expect((world.closed[.misbehaved] ?? 0) > 0, seed)
        for node in 0..<3 {
            let hasWritten = world.write(node, space, note(UInt64(20 + node), "after"))
            #expect(hasWritten, seed)
        }
        world.pass(Limits.pullIntervalMilliseconds + 5_000)
        for node in 0..<3 {
            #expect(world.forks(node, space).isEmpty, seed)
            #expect(world.watermark(node, space) == world.watermark(0, space), seed)
            #expect(world.records(node, space) == world.records(0, space), seed)
            #expect(world.records(node, space).count == 13, seed)
            #expect(node == 0 || world.openLinks(0, node) == 1, seed)
        }
        #expect(world.violations.isEmpty, "\(seed) \(world.violations.prefix(3))")
    }

    @Test(
        "A proof with an unsigned header ends the session that brings it",
        arguments: TestSeeds.some(10))
    func falseProof(seed: UInt64) throws {
        var (world, space) = world(seed: seed)
        let log = world.nodes[1].log
        let real = try #require(
            world.nodes[0].stores[space]?.commits.last { $0.header.log == log })
        var header = real.header
        header.clock = HybridTime(raw: 99)
        let invented = TestCommit.sealed(header, ClearPart(), [], facts: [])
        let proof = UnverifiedFork(
            first: .init(real.encoded, real.header), second: .init(invented.encoded, header))
        lie(.fork(space, proof), in: &world)
        check(&world, space, "seed \(seed)")
    }

    @Test(
        "A watermark with heads that nobody wrote costs its sender the session",
        arguments: TestSeeds.some(10))
    func falseHeads(seed: UInt64) throws {
        var (world, space) = world(seed: seed)
        let log = world.nodes[1].log
        var claimed = world.watermark(0, space)
        let sequence = claimed.sequence(of: log)
        claimed.cut(log, to: LogHead(sequence: sequence, commit: CommitID(number: 5)))
        for _ in 0..<3 { lie(.watermark(space, claimed, answer: true), in: &world) }
        check(&world, space, "seed \(seed)")
    }

    @Test(
        "A commit that has seen what nobody wrote is stored by nobody, and costs the session",
        arguments: TestSeeds.some(10))
    func falseSeen(seed: UInt64) throws {
        var (world, space) = world(seed: seed)
        let log = world.nodes[1].log
        let store = try #require(world.nodes[Self.liar].stores[space])
        let ledger = try #require(store.ledger)
        let device = world.nodes[Self.liar].device
        let grant = try #require(ledger.membership.writingGrant(of: device.id))
        var header = TestCommit.next(
            in: device.log, of: ledger, under: grant, clock: 50, note(1, "lie")
        ).header
        let sequence = ledger.watermark.sequence(of: log)
        header.seen = [
            LogPosition(
                log: log, head: LogHead(sequence: sequence, commit: CommitID(number: 5)))
        ]
        let commit = TestCommit.sealed(
            header, ClearPart(), [RecordOperation(1, [title("lie")])], facts: [])
        world.facts[commit.id] = []
        for _ in 0..<3 { lie(.commits(space, [commit.commit], live: false), in: &world) }
        check(&world, space, "seed \(seed)")
        #expect(world.watermark(0, space).sequence(of: device.log) == 0, "seed \(seed)")
    }

    @Test(
        "Forks and branches that are claimed and never come cost nobody anything",
        arguments: TestSeeds.some(10))
    func claimedForks(seed: UInt64) throws {
        var (world, space) = world(seed: seed)
        let log = world.nodes[1].log
        let claim = ForkReport(points: [
            ForkPoint(log: log, sequence: 2, tips: [CommitID(number: 5)])
        ])
        let before = world.sent["watermark"] ?? 0
        for _ in 0..<5 {
            lie(
                .watermark(space, world.watermark(0, space), forks: claim, answer: true),
                in: &world)
        }
        // It is asked once for each claim at most, not for ever.
        #expect((world.sent["watermark"] ?? 0) - before < 30, "seed \(seed)")
        world.closed[.misbehaved, default: 0] += 1
        check(&world, space, "seed \(seed)")
    }
}
