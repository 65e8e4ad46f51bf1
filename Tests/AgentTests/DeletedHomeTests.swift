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

    @Test("a lock that is deleted alone is told as that: everything is still there")
    func unlocked() async throws {
        try await TestAgent.with { agent in
            // given
            let folder = agent.node.home.directory
            try FileManager.default.removeItem(atPath: folder + "/lock")
            // when
            let error = await #expect(throws: APIError.self) {
                _ = try await agent.service.call(\.trips.create, TripDraft(name: "Siena"))
            }
            // then
            #expect(error?.hint == "Nothing is lost. Start it again: peersync run")
            #expect(agent.node.store.writeFailure == .unlocked(folder: folder))
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
