import Device
import Identity
import LocalAPI
import Node
import Records
import Store
import SyncCore
import TestDevices
import Testing

@Suite("What devices tell each other of lost devices")
struct LossTravelTests {
    private let session = SessionID(1)

    private func sums(_ actions: [Node.Action]) -> Int {
        actions.count { action in
            if case .send(.lossSum, session) = action { true } else { false }
        }
    }

    private func now(_ agent: TestAgent) -> Instant {
        Instant(monotonic: 0, wall: agent.node.clock.wall)
    }

    private func lost(_ agent: TestAgent) throws -> Set<DeviceID> {
        try agent.node.work.losses.lostDevices()
    }

    /// Ann's trip with Ben and Cleo; Cleo heard that Ann's device is lost, and has a session with Ben, who has
    /// nothing of the trip yet.
    private func told(
        _ body: (
            _ ben: inout Node, _ agents: (ann: TestAgent, ben: TestAgent), _ space: SpaceID,
            _ said: [UnverifiedLossStatement]
        ) async throws -> Void
    ) async throws {
        let key = PersonKey.generate()
        try await TestAgent.with("Ann", key: key) { ann in
            try await TestAgent.with("Ben") { ben in
                try await TestAgent.with("Cleo") { cleo in
                    for (one, other) in [(ann, ben), (ann, cleo), (ben, cleo)] {
                        try one.meet(other)
                        try other.meet(one)
                    }
                    let trip = try await ann.service.call(
                        \.trips.create, TripDraft(name: "Arezzo"))
                    for person in ["Ben", "Cleo"] {
                        _ = try await ann.service.call(
                            \.trips.sharing.grant, id: "Arezzo",
                            GrantDraft(person: person, role: .editor))
                    }
                    let saying = try #require(
                        LossSaying(cleo.node.work, about: key.person, signedBy: key))
                    let said = try saying.lost(
                        try #require(ann.node.identity.card), keeping: [])
                    var node = Node(ben.node.work)
                    _ = node.handle(.started, at: now(ben))
                    _ = node.handle(
                        .sessionOpened(session, cleo.node.identity.deviceID), at: now(ben))
                    let space = try #require(
                        bytes(hexadecimal: trip.id).flatMap { SpaceID(bytes: $0) })
                    try await body(&node, (ann, ben), space, said)
                }
            }
        }
    }

    @Test("A device asks again for what it left aside, once it shares a space with these people")
    func askedAgain() async throws {
        try await told { node, agents, space, said in
            // given
            let (ann, ben) = agents
            let early = node.handle(
                .received(.lossStatements(said, answer: true), session), at: now(ben))
            #expect(early.isEmpty)
            #expect(try lost(ben).isEmpty)
            // when
            try ben.receive(space, from: ann)
            let actions = node.handle(.membershipChanged(space), at: now(ben))
            // then
            #expect(sums(actions) == 1)
            _ = node.handle(
                .received(.lossStatements(said, answer: false), session), at: now(ben))
            #expect(try lost(ben) == [ann.node.identity.deviceID])
            #expect(sums(node.handle(.membershipChanged(space), at: now(ben))) == 0)
        }
    }

    @Test("A device that left nothing aside and knows of no lost device asks for nothing")
    func nothingLeftAside() async throws {
        try await told { node, agents, space, _ in
            // when
            try agents.ben.receive(space, from: agents.ann)
            let actions = node.handle(.membershipChanged(space), at: now(agents.ben))
            // then
            #expect(sums(actions) == 0)
        }
    }
}
