import SyncCore
import TestKit
import Testing

/// Whom devices need sessions with, so that all who hold a space hear of each other.
@Suite struct NeededSessionsTests {
    /// Devices, spaces of some of them, and few sessions.
    private struct Group {
        var world: EngineWorld
        var spaces: [(space: SpaceID, members: [Int])] = []
        var random: SeededGenerator
        /// Devices that nobody reaches.
        var away: Set<Int> = []

        init(_ count: UInt64, seed: UInt64) {
            world = EngineWorld((0..<count).map { TestDevice($0 + 1, person: $0 + 1) }, seed: seed)
            random = SeededGenerator(seed: seed)
        }

        /// Makes a space; only those who take it come to hold it.
        mutating func share(among members: [Int], takers: Set<Int>? = nil) {
            let space = world.found(members[0], nonce: UInt64(spaces.count))
            for other in members.dropFirst() {
                world.grant(space, by: members[0], to: other, .all)
                if takers?.contains(other) ?? true {
                    world.post(.spaceAccepted(space), to: other)
                }
            }
            let offer = Offer(title: "Alps", from: "", flags: [], bytes: 0, schema: "")
            for member in members {
                world.post(.spaceDescribed(space, OfferedSpace(offer, givers: [:])), to: member)
            }
            spaces.append((space, members))
        }

        private func node(_ device: DeviceID) -> Int? {
            world.nodes.firstIndex { $0.device.id == device }
        }

        func neighbours(of node: Int) -> Set<Int> {
            Set(
                world.links.filter(\.isOpen).map { $0.ends.map(\.node) }
                    .filter { $0.contains(node) }.flatMap(\.self)
            ).subtracting([node])
        }

        /// Everybody calls whom it needs, until nobody needs anybody. Returns how many sessions that made.
        mutating func callNeeded() -> Int {
            var made = 0
            for _ in 0..<20 {
                world.pass(1_000)
                var isCalm = true
                for one in world.nodes.indices where !away.contains(one) {
                    for way in world.nodes[one].needed.ways {
                        for step in way {
                            guard let other = node(step.device), !away.contains(other) else {
                                continue
                            }
                            if !neighbours(of: one).contains(other) {
                                world.connect(one, other)
                                (made, isCalm) = (made + 1, false)
                            }
                            if step.isHolder { break }
                        }
                    }
                }
                if isCalm { break }
            }
            return made
        }

        mutating func goAway(_ nodes: some Sequence<Int>) {
            away = Set(nodes)
            for (number, link) in world.links.enumerated()
            where link.isOpen && link.ends.contains(where: { away.contains($0.node) }) {
                world.cut(number)
            }
        }

        mutating func cutAll() {
            for number in world.links.indices { world.cut(number) }
        }

        /// Members who hold a space and cannot hear of each other in it.
        func torn() -> [[Int]] {
            spaces.compactMap { space, members in
                let holders = members.filter {
                    !away.contains($0) && world.nodes[$0].stores[space]?.ledger != nil
                }
                var reached = Set(holders.prefix(1))
                var edge = Array(reached)
                while let next = edge.popLast() {
                    let new = neighbours(of: next).intersection(holders).subtracting(reached)
                    reached.formUnion(new)
                    edge += new
                }
                return reached.count == holders.count ? nil : holders
            }
        }
    }

    /// Twenty devices with trips of two to six of them, which all have; of the sessions some are left.
    private func group(seed: UInt64) -> Group {
        var group = Group(20, seed: seed)
        for one in 0..<20 { for other in 0..<one { group.world.connect(other, one) } }
        for size in [2, 2, 2, 2, 2, 2, 3, 3, 4, 5, 6, 6] {
            let members = (0..<20).shuffled(using: &group.random).prefix(size)
            group.share(among: Array(members))
        }
        group.world.pass(5_000)
        group.cutAll()
        for one in 0..<20 {
            for other in (0..<20).shuffled(using: &group.random).prefix(2) where other != one {
                group.world.connect(one, other)
            }
        }
        return group
    }

    @Test(
        "the sessions that devices need connect all who hold a space, whatever others there are",
        arguments: TestSeeds.some(8))
    func connected(seed: UInt64) {
        // given
        var group = group(seed: seed)
        group.world.pass(1_000)
        #expect(!group.torn().isEmpty, "seed \(seed)")
        // when
        let made = group.callNeeded()
        // then few are made: in a ring each device has one more
        #expect(group.torn().isEmpty, "seed \(seed)")
        let places = group.spaces.reduce(0) { $0 + $1.members.count }
        #expect(made <= places, "seed \(seed)")
        // when some go away
        group.goAway((0..<20).shuffled(using: &group.random).prefix(6))
        _ = group.callNeeded()
        // then
        #expect(group.torn().isEmpty, "seed \(seed)")
        #expect(group.world.violations.isEmpty, "\(group.world.violations)")
    }

    @Test(
        "a device that is given a space is offered it, and one that does not take it parts nobody")
    func offered() {
        for seed in TestSeeds.some(8) {
            // given a space of eight of whom every other one declines to answer
            var group = Group(8, seed: seed)
            let members = (0..<8).shuffled(using: &group.random)
            group.share(among: members, takers: Set(members.prefix(4)))
            // when
            _ = group.callNeeded()
            // then
            #expect(group.torn().isEmpty, "seed \(seed)")
            for (number, node) in group.world.nodes.enumerated()
            where !members.prefix(4).contains(number) {
                #expect(node.offered == [group.spaces[0].space], "seed \(seed)")
            }
            for number in members.prefix(4) {
                #expect(group.world.nodes[number].stores.count == 1, "seed \(seed)")
            }
        }
    }

    @Test("where those near reach all members nobody is needed")
    func reached() {
        // given a space of six, and one of them with sessions to all
        var group = Group(6, seed: 1)
        for other in 1..<6 { group.world.connect(0, other) }
        group.share(among: Array(0..<6))
        group.world.pass(5_000)
        // then
        #expect(group.callNeeded() == 0)
        #expect(group.torn().isEmpty)
    }

    @Test("a device that left a space needs nobody for it, and is no step on the way of the others")
    func left() {
        // given four who have a space, of whom one leaves
        var group = Group(4, seed: 1)
        for other in 1..<4 { group.world.connect(0, other) }
        group.share(among: Array(0..<4))
        group.world.pass(5_000)
        group.world.revoke(group.spaces[0].space, by: 2, of: 2)
        group.world.pass(5_000)
        // when there are no sessions any more
        group.cutAll()
        group.world.pass(1_000)
        // then
        #expect(group.world.nodes[2].needed == NeededSessions())
        for node in [0, 1, 3] {
            let steps = group.world.nodes[node].needed.ways.joined()
            #expect(!steps.isEmpty)
            #expect(!steps.contains { $0.device == group.world.nodes[2].device.id })
        }
    }

    @Test("what is new hurries those whom a device needs and has no session with, and nobody else")
    func hurried() {
        // given two who share a space with this device, of whom one is connected
        var bench = Bench()
        let third = TestDevice(4, person: 4)
        let grant = MembershipFact.grant(third.grant(from: bench.root, .all))
        let report = bench.write(TestDraft(facts: [grant])).report
        let first = bench.handle(.applied(report, from: nil))
        // then
        func hurried(_ actions: [EngineAction]) -> Set<DeviceID> {
            actions.reduce(into: []) { found, action in
                if case .hurry(let devices) = action { found.formUnion(devices) }
            }
        }
        #expect(hurried(first) == [bench.friend.id, third.id])
        bench.meet()
        let second = bench.handle(.applied(bench.write().report, from: nil))
        #expect(!hurried(second).contains(bench.friend.id))
    }
}
