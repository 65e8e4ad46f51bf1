import Agent
import Device
import Identity
import LocalAPI
import Records
import Store
import SyncCore
import TestDevices
import Testing

@Suite("What a person dismissed on one device is told on none of theirs")
struct DismissalTests {
    /// A device of Ann's that takes part in what another one of hers has.
    private func join(
        _ pad: TestAgent, _ ann: TestAgent, _ spaces: [SpaceID]
    ) async throws {
        let card = try #require(pad.node.identity.card)
        for space in spaces {
            try await ann.node.sharing.grant(
                space, to: [card], flags: LocalAPI.Role.admin.permissions, authority: false,
                isFromNow: false)
            try accept(space, from: ann, on: pad)
        }
        var identity = pad.node.identity
        identity.homeSpace = ann.node.identity.homeSpace
        pad.node.setIdentity(identity)
    }

    private func accept(_ space: SpaceID, from ann: TestAgent, on agent: TestAgent) throws {
        let offer = Offer(title: "Arezzo", from: "Ann", flags: .read, bytes: 0)
        _ = try agent.node.store.spaces.saveOffer(offer, of: space, by: ann.node.identity.deviceID)
        try agent.receive(space, from: ann)
    }

    private func told(_ agents: TestAgent...) async throws -> [Bool] {
        var told: [Bool] = []
        for agent in agents {
            let status = try await agent.service.call(\.agent.status)
            told.append(status.problems.contains { $0.kind == .orphans })
        }
        return told
    }

    private func dismissed(_ agent: TestAgent) async throws -> [Bool] {
        try await agent.service.call(\.trips.recovery.orphans, ScopeFilter()).map(\.dismissed)
    }

    @Test("One device dismisses for all of them, and what comes later is told")
    func onAll() async throws {
        let key = PersonKey.generate()
        try await TestAgent.with("Ann", key: key) { ann in
            try await TestAgent.with("Ann", key: key) { pad in
                try await TestAgent.with("Ben") { ben in
                    // given what Ben wrote before he heard that he may only read
                    try ann.meet(ben)
                    let home = ann.node.identity.homeSpace
                    let trip = try await ann.service.call(
                        \.trips.create, TripDraft(name: "Arezzo"))
                    let space = try #require(SpaceID(hexadecimal: trip.id))
                    try await join(pad, ann, [home, space])
                    _ = try await ann.service.call(
                        \.trips.sharing.grant, id: "Arezzo",
                        GrantDraft(person: "Ben", role: .editor))
                    try accept(space, from: ann, on: ben)
                    _ = try await ann.service.call(
                        \.trips.sharing.grant, id: "Arezzo",
                        GrantDraft(person: "Ben", role: .viewer))
                    try await ben.add("Late")
                    for agent in [ann, pad] { try agent.receive(space, from: ben) }
                    try pad.receive(space, from: ann)
                    #expect(try await told(ann, pad) == [true, true])
                    // when
                    let left = try await ann.service.call(
                        \.trips.recovery.dismissOrphans, ScopeFilter())
                    #expect(left.map(\.count) == [1])
                    try pad.receive(home, from: ann)
                    // then
                    #expect(try await told(ann, pad) == [false, false])
                    #expect(try await dismissed(pad) == [true])
                    #expect(
                        try await pad.service.call(\.trips.recovery.dismissOrphans, ScopeFilter())
                            .isEmpty)
                    // No line of the list of changes tells it.
                    let log = try await pad.service.call(
                        \.changes.list, ChangeFilter(since: Moment(milliseconds: 0)))
                    let nouns = log.entries.flatMap(\.changes).compactMap(\.noun)
                    #expect(!nouns.contains(Schema.Dismissal.collection))
                    try await ben.add("Later")
                    try pad.receive(space, from: ben)
                    #expect(try await told(pad) == [true])
                }
            }
        }
    }
}
