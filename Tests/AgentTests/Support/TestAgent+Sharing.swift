import Agent
import Device
import Identity
import LocalAPI
import Records
import Store
import SyncCore
import Testing

extension TestAgent {
    /// Ann and Ben, paired.
    static func pair(
        by key: PersonKey = .generate(),
        _ body: (_ ann: TestAgent, _ ben: TestAgent) async throws -> Void
    ) async throws {
        try await TestAgent.with("Ann", key: key) { ann in
            try await TestAgent.with("Ben") { ben in
                try ann.meet(ben)
                try ben.meet(ann)
                try await body(ann, ben)
            }
        }
    }

    /// Ann's trip with one memory, granted to Ben and received by him.
    static func shared(
        _ role: LocalAPI.Role, by key: PersonKey = .generate(),
        _ body: (_ ann: TestAgent, _ ben: TestAgent, _ space: SpaceID) async throws -> Void
    ) async throws {
        try await TestAgent.pair(by: key) { ann, ben in
            let trip = try await ann.service.call(\.trips.create, TripDraft(name: "Arezzo"))
            var draft = MemoryDraft(trip: "Arezzo")
            draft.title = "Duomo"
            _ = try await ann.service.call(\.memories.add, draft)
            let member = try await ann.service.call(
                \.trips.sharing.grant, id: "Arezzo", GrantDraft(person: "ben", role: role))
            #expect(member.role == role)
            #expect(member.person.name == "Ben")
            #expect(!member.accepted)
            let space = try #require(
                bytes(hexadecimal: trip.id).flatMap { SpaceID(bytes: $0) })
            let offer = Offer(
                title: "Arezzo", from: "Ann", flags: role.permissions, bytes: 0)
            _ = try ben.node.store.spaces.saveOffer(
                offer, of: space, by: ann.node.identity.deviceID)
            try await body(ann, ben, space)
        }
    }
}
