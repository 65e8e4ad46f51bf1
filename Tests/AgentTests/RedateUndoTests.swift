import Agent
import Device
import LocalAPI
import Records
import Store
import SyncCore
import TestDevices
import Testing

@Suite("Changes that were redated, and dated back")
struct RedateUndoTests {
    private func isRedated(_ agent: TestAgent) throws -> Bool {
        let store = agent.node.store
        return try store.ledgers.keys.contains { space in
            try store.log.datedCommits(of: agent.node.identity.deviceID, in: space)
                .contains { $0.clock != $0.raw }
        }
    }

    @Test("redo takes back what device redate --undo did, and undo takes that back again")
    func redone() async throws {
        try await TestAgent.with { agent in
            // given
            _ = try await agent.service.call(\.trips.create, TripDraft(name: "Arezzo"))
            let device = try await agent.service.call(\.agent.info).device.id
            _ = try await agent.service.call(
                \.devices.redate, id: device,
                RedateDraft(from: Moment(milliseconds: 0), offsetMilliseconds: -3_600_000))
            #expect(try isRedated(agent))
            _ = try await agent.service.call(
                \.devices.redate, id: device, RedateDraft(undo: true))
            #expect(try !isRedated(agent))
            // when
            let view = try await redo(agent)
            // then
            #expect(view.redo && view.redated != nil)
            #expect(try isRedated(agent))
            // when
            try await undo(agent)
            // then
            #expect(try !isRedated(agent))
            // when it is dated back by --undo once more, redated, and that is undone
            _ = try await redo(agent)
            _ = try await agent.service.call(
                \.devices.redate, id: device, RedateDraft(undo: true))
            _ = try await agent.service.call(
                \.devices.redate, id: device,
                RedateDraft(from: Moment(milliseconds: 0), offsetMilliseconds: -7_200_000))
            try await undo(agent)
            // then
            #expect(try !isRedated(agent))
        }
    }
}
