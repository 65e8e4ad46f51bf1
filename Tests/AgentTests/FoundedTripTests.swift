import Agent
import Device
import LocalAPI
import Logging
import Node
import Records
import Store
import SyncCore
import TestDevices
import Testing

@Suite("A trip that this person founded")
struct FoundedTripTests {
    private func opened(_ home: AgentHome) async throws -> TestAgent {
        let runtime = try await AgentRuntime(
            home, AgentStart(isLongRunning: false), logger: Logger(label: "test"))
        return TestAgent(
            runtime: runtime, handlers: LocalAgent(runtime: runtime).handlers, folder: "")
    }

    /// What a device offers another one of a space.
    private func offer(
        of space: SpaceID, by agent: TestAgent, to device: DeviceID
    ) throws -> Offer {
        let membership = try #require(agent.node.membership(of: space))
        let offered = try agent.node.work.spaces.begin().events.lazy.compactMap {
            event -> OfferedSpace? in
            if case .spaceDescribed(space, let offered) = event { offered } else { nil }
        }.first
        return try #require(offered).offer(to: device, membership)
    }

    @Test("An old backup of its founder takes it from others without a question")
    func restored() async throws {
        try await ExaminedAgent.with { examined in
            try await TestAgent.with("Ben") { ben in
                // given a home of before a trip was made and shared
                try examined.agent.meet(ben)
                try ben.meet(examined.agent)
                let (ann, giver) = (
                    examined.agent.node.identity.deviceID, ben.node.identity.deviceID
                )
                let later = try await opened(try await examined.closedCopy())
                let trip = try await later.service.call(\.trips.create, TripDraft(name: "Siena"))
                _ = try await later.service.call(
                    \.trips.sharing.grant, id: "Siena", GrantDraft(person: "Ben", role: .editor))
                let space = try #require(SpaceID(hexadecimal: trip.id))
                let invitation = Offer(title: "Siena", from: "Ann", flags: .editor, bytes: 0)
                _ = try ben.node.store.spaces.saveOffer(invitation, of: space, by: ann)
                try ben.receive(space, from: later)
                await later.runtime.close()
                // when somebody who cannot sign for the founder says the same
                let restored = try await opened(examined.home)
                let store = restored.node.store
                let genuine = try offer(of: space, by: ben, to: ann)
                var forged = genuine
                let proof = try #require(genuine.founding)
                forged.founding = FoundingProof(
                    header: proof.header, signature: [UInt8](repeating: 1, count: 64))
                let asked = restored.node.work.perform(.offer(space, forged, from: giver))
                // then the person is asked
                #expect(asked?.events.isEmpty == true)
                #expect(store.spaces.standing(of: space) == .offered)
                // when the proof holds
                let taken = restored.node.work.perform(.offer(space, genuine, from: giver))
                // then nobody is asked
                let isAccepted = taken?.events.contains {
                    if case .spaceAccepted(space) = $0 { true } else { false }
                }
                #expect(isAccepted == true)
                #expect(store.spaces.standing(of: space) == .active)
                let problems = try await restored.service.call(\.agent.status).problems
                #expect(!problems.contains { $0.kind == .invitation })
                await restored.runtime.close()
            }
        }
    }

    @Test("Another person's device is sent no proof, and its person is asked")
    func others() async throws {
        try await TestAgent.shared(.admin) { ann, ben, space in
            try ben.receive(space, from: ann)
            let device = ben.node.identity.deviceID
            #expect(try offer(of: space, by: ann, to: device).founding == nil)
        }
    }
}
