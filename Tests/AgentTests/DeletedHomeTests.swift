import Agent
import Device
import Foundation
import LocalAPI
import Store
import TestDevices
import Testing

@Suite("A home that is deleted under its agent")
struct DeletedHomeTests {
    @Test("nothing is reported as saved any more, and the answer names the folder")
    func refused() async throws {
        try await TestAgent.with { agent in
            // given
            let folder = agent.node.home.directory
            _ = try await agent.service.call(\.trips.create, TripDraft(name: "Arezzo"))
            try FileManager.default.removeItem(atPath: folder)
            // when
            let error = await #expect(throws: APIError.self) {
                _ = try await agent.service.call(\.trips.create, TripDraft(name: "Siena"))
            }
            // then
            #expect(
                error?.sentence.hasPrefix(
                    "The folder \(folder) with the data of this device was deleted") == true,
                "\(String(describing: error))")
            #expect(agent.node.store.writeFailure == .gone(folder: folder))
            #expect(agent.node.storage.fault != nil)
            #expect(throws: StoreError.gone(folder: folder)) {
                try agent.node.store.requirePlace()
            }
        }
    }

    @Test("an agent whose home is there goes on")
    func there() async throws {
        try await TestAgent.with { agent in
            try agent.node.store.requirePlace()
            #expect(agent.node.store.writeFailure == nil)
        }
    }
}
