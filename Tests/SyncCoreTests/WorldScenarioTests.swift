import SyncCore
import TestKit
import Testing

/// What people see of two to four devices, without waiting for the safety net.
@Suite struct WorldScenarioTests {
    private func world(_ count: UInt64, seed: UInt64 = 1) -> EngineWorld {
        EngineWorld((0..<count).map { TestDevice($0 + 1, person: $0 + 1) }, seed: seed)
    }

    private func note(_ text: String) -> TestDraft {
        TestDraft(operations: [RecordOperation(1, [title(text)])])
    }

    /// Shares a new space with the others, who accept it.
    private func share(_ world: inout EngineWorld, with others: [Int]) -> SpaceID {
        let space = world.found(0)
        for node in others {
            world.grant(space, by: 0, to: node, .all)
            world.post(.spaceAccepted(space), to: node)
        }
        world.settle()
        return space
    }

    @Test("What one writes is pushed to the other at once, and not sent twice")
    func livePush() {
        var world = world(2)
        let space = share(&world, with: [1])
        world.connect(0, 1)
        world.pass(500)
        let before = world.sent
        for number in 0..<10 {
            world.write(number % 2, space, note("\(number)"))
            world.settle()
        }
        #expect(world.records(0, space) == world.records(1, space))
        #expect(world.watermark(0, space) == world.watermark(1, space))
        #expect((world.sent["live"] ?? 0) - (before["live"] ?? 0) == 10)
        #expect(world.sent["commits"] == before["commits"])
        #expect(world.sent["watermark"] == before["watermark"])
    }

    @Test(
        "A change goes on from device to device within a second", arguments: TestSeeds.some(20))
    func relay(seed: UInt64) {
        var world = world(3, seed: seed)
        let space = share(&world, with: [1, 2])
        world.connect(0, 1)
        world.connect(1, 2)
        world.pass(1_000)
        for round in 0..<5 {
            world.write(0, space, note("there \(round)"))
            world.write(2, space, note("back \(round)"))
            world.pass(1_000)
            #expect(world.watermark(0, space) == world.watermark(1, space), "seed \(seed)")
            #expect(world.watermark(1, space) == world.watermark(2, space), "seed \(seed)")
        }
        // The ends never met, and know of each other what they hold.
        let far = world.nodes[2].acks[space]?[world.nodes[0].device.id]
        #expect(far?.said.watermark.covers(world.nodes[2].device.log, 5) == true)
    }

    @Test(
        "Of connections dialled from both sides at once exactly one stays, the same for both",
        arguments: TestSeeds.some(40))
    func duplicates(seed: UInt64) throws {
        var world = world(2, seed: seed)
        let space = share(&world, with: [1])
        if seed.isMultiple(of: 2) {
            world.connect(0, 1)
            world.connect(1, 0)
        } else {
            world.connect(1, 0)
            world.connect(0, 1)
        }
        world.write(0, space, note("a"))
        world.pass(1_000)
        #expect(world.openLinks(0, 1) == 1, "seed \(seed)")
        let link = try #require(world.links.first { $0.isOpen })
        for end in link.ends {
            #expect(Array(world.nodes[end.node].engine.sessions.ids) == [end.session])
        }
        let dialler = world.nodes[link.ends[0].node].device.id
        #expect(dialler == world.nodes.map(\.device.id).min(), "seed \(seed)")
        #expect(world.watermark(0, space) == world.watermark(1, space), "seed \(seed)")
        // Nothing was refused but the twin.
        #expect(world.closed[.misbehaved] == nil)
    }

    @Test("A newer connection of the same direction takes the place of the dead one")
    func redialled() {
        var world = world(2)
        let space = share(&world, with: [1])
        let dead = world.connect(0, 1)
        world.pass(500)
        world.silence(dead)
        world.write(0, space, note("a"))
        world.settle()
        #expect(world.watermark(0, space) != world.watermark(1, space))
        world.connect(0, 1)
        world.pass(1_000)
        #expect(world.openLinks(0, 1) == 1)
        #expect(world.watermark(0, space) == world.watermark(1, space))
    }

    @Test("A silent connection is given up five seconds after somebody looks, or a change")
    func silent() {
        for isLookedAt in [true, false] {
            var world = world(2)
            let space = share(&world, with: [1])
            let link = world.connect(0, 1)
            world.pass(Limits.settlingMilliseconds + Limits.quietMilliseconds + 500)
            world.silence(link)
            for node in [0, 1] {
                if isLookedAt {
                    world.post(.connectionsLookedAt, to: node)
                } else {
                    world.write(node, space, note("\(node)"))
                }
            }
            world.pass((isLookedAt ? 1 : 2) * Limits.answerMilliseconds + 100)
            #expect(world.closed[.silent] != nil)
            #expect(world.nodes.allSatisfy { $0.engine.sessions.isEmpty })
        }
    }

    @Test("A silent connection that nobody looks at is given up after some minutes")
    func silentForLong() {
        var world = world(2)
        _ = share(&world, with: [1])
        let link = world.connect(0, 1)
        world.pass(500)
        world.silence(link)
        world.pass(2 * Limits.keepAliveMilliseconds + Limits.answerMilliseconds + 100)
        #expect(world.closed[.silent] != nil)
        #expect(world.nodes.allSatisfy { $0.engine.sessions.isEmpty })
    }

    @Test("A trip is offered, and nothing of it comes before it is accepted; then all, at once")
    func offer() {
        var world = world(3)
        let space = world.found(0)
        world.post(
            .spaceDescribed(
                space,
                OfferedSpace(
                    Offer(title: "Sea", from: "", flags: .all, bytes: 0), givers: [:])), to: 0)
        world.write(0, space, note("a"))
        world.grant(space, by: 0, to: 1, .all)
        world.connect(0, 1)
        world.pass(1_000)
        #expect(world.nodes[1].offered == [space])
        #expect(world.watermark(1, space).isEmpty)
        world.post(.spaceAccepted(space), to: 1)
        world.settle()
        #expect(world.watermark(1, space) == world.watermark(0, space))
        // It passes on from there without waiting for anything.
        world.connect(1, 2)
        world.grant(space, by: 1, to: 2, .all)
        world.post(.spaceAccepted(space), to: 2)
        world.pass(1_000)
        world.write(0, space, note("b"))
        world.pass(1_000)
        #expect(world.watermark(2, space) == world.watermark(0, space))
    }

    @Test("A device of the same person takes a space without being asked")
    func ownDevices() {
        var world = EngineWorld([TestDevice(1, person: 1), TestDevice(2, person: 1)], seed: 1)
        let space = world.found(0)
        world.grant(space, by: 0, to: 1, .all, sibling: 1)
        world.connect(0, 1)
        world.pass(1_000)
        #expect(world.nodes[1].offered.isEmpty)
        #expect(world.watermark(1, space) == world.watermark(0, space))
    }

    @Test(
        "A stranger in the middle of it hears nothing, whatever happens",
        arguments: TestSeeds.some(20))
    func stranger(seed: UInt64) {
        var world = world(3, seed: seed)
        let space = share(&world, with: [1])
        let own = world.found(2, nonce: 7)
        world.connect(0, 1)
        world.connect(0, 2)
        world.connect(2, 1)
        for round in 0..<10 {
            world.write(0, space, note("\(round)"))
            world.write(1, space, note("\(round)!"))
            world.write(2, own, note("\(round)"))
            _ = world.requestSync(2)
            world.pass(5_000)
        }
        #expect(world.violations.isEmpty, "seed \(seed) \(world.violations.prefix(2))")
        #expect(world.watermark(2, space).isEmpty)
        #expect(world.watermark(0, own).isEmpty)
        #expect(world.watermark(0, space) == world.watermark(1, space))
    }

    @Test(
        "A removed member gets nothing more, gives all it wrote before, and no sync hangs",
        arguments: TestSeeds.some(20))
    func removed(seed: UInt64) throws {
        var world = world(3, seed: seed)
        let space = share(&world, with: [1, 2])
        world.connect(0, 1)
        world.connect(1, 2)
        world.connect(0, 2)
        world.pass(1_000)
        let log = world.nodes[1].device.log
        for link in world.links.indices { world.cut(link) }
        for number in 0..<30 { world.write(1, space, note("mine \(number)")) }
        world.revoke(space, by: 0, of: 1)
        world.write(0, space, note("after"))
        world.settle()
        world.connect(0, 1)
        world.pass(1_000)
        // All of its thirty commits, although no ack ever comes back.
        #expect(world.watermark(0, space).covers(log, 30), "seed \(seed)")
        #expect(!world.watermark(1, space).covers(world.watermark(0, space)), "seed \(seed)")
        let requests = [0, 1].map { world.requestSync($0) }
        world.settle()
        for node in [0, 1] {
            #expect(world.hasSynced(node, requests[node]), "seed \(seed) node \(node)")
        }
        // Idle: nothing is sent again and again.
        let before = world.sent
        world.pass(Limits.pullIntervalMilliseconds * 4)
        #expect(world.sent["commits"] == before["commits"], "seed \(seed)")
        #expect(world.sent["ack"] == before["ack"], "seed \(seed)")
        #expect(world.violations.isEmpty, "seed \(seed)")
        #expect(world.closed[.misbehaved] == nil, "seed \(seed)")
    }

    @Test(
        "A long log goes over in windows, and writes meanwhile do not get lost",
        arguments: TestSeeds.some(20))
    func longLog(seed: UInt64) {
        var world = world(2, seed: seed)
        let space = share(&world, with: [1])
        for number in 0..<100 { world.write(0, space, note("\(number)")) }
        world.connect(0, 1)
        for number in 0..<100 {
            for _ in 0..<5 { _ = world.step() }
            world.write(0, space, note("more \(number)"))
            world.write(1, space, note("other \(number)"))
        }
        world.pass(1_000)
        #expect(world.watermark(0, space) == world.watermark(1, space), "seed \(seed)")
        #expect(world.records(0, space) == world.records(1, space), "seed \(seed)")
        #expect(world.closed.isEmpty, "seed \(seed)")
    }

    @Test("Idle devices compare digests and do nothing else")
    func idle() {
        var world = world(2)
        let space = share(&world, with: [1])
        world.connect(0, 1)
        world.write(0, space, note("a"))
        world.pass(1_000)
        let before = world.sent
        world.pass(10 * Limits.keepAliveMilliseconds)
        #expect(world.sent["spaces"] == before["spaces"])
        // One question and its answer each time.
        #expect((world.sent["comparison"] ?? 0) - (before["comparison"] ?? 0) == 20)
        for kind in ["ack", "commits", "live", "watermark"] {
            #expect(world.sent[kind] == before[kind])
        }
        #expect(world.nodes[0].settled == [world.nodes[1].device.id])
    }
}
