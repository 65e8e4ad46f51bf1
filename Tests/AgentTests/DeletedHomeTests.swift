import Agent
import Device
import Foundation
import LocalAPI
import Store
import TestDevices
import Testing

@Suite("A home that is deleted or moved under its agent")
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

    @Test("a home that is moved is told with its new place, and nothing is lost")
    func moved() async throws {
        try await TestAgent.with { agent in
            // given
            let folder = agent.node.home.directory
            let place = folder + "-moved"
            _ = try await agent.service.call(\.trips.create, TripDraft(name: "Arezzo"))
            try FileManager.default.moveItem(atPath: folder, toPath: place)
            defer { try? FileManager.default.removeItem(atPath: place) }
            // when
            let error = await #expect(throws: APIError.self) {
                _ = try await agent.service.call(\.trips.create, TripDraft(name: "Siena"))
            }
            // then
            #expect(
                error?.sentence.contains("\(folder) with the data of this device is now") == true)
            #expect(error?.hint?.hasSuffix("peersync run --home '\(place)'") == true)
            #expect(agent.node.store.writeFailure == .moved(folder: folder, to: place))
            // when another home takes its place
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true)
            for name in ["lock", "store.sqlite"] {
                #expect(FileManager.default.createFile(atPath: folder + "/" + name, contents: nil))
            }
            // then
            #expect(throws: StoreError.moved(folder: folder, to: place)) {
                try agent.node.store.requirePlace()
            }
            // when it comes back
            try FileManager.default.removeItem(atPath: folder)
            try FileManager.default.moveItem(atPath: place, toPath: folder)
            // then
            try agent.node.store.requirePlace()
        }
    }

    @Test("an agent goes on whose home is there, be it under another name that leads there")
    func there() async throws {
        try await TestAgent.with { agent in
            // given
            let folder = agent.node.home.directory
            let place = folder + "-moved"
            try FileManager.default.moveItem(atPath: folder, toPath: place)
            try FileManager.default.createSymbolicLink(
                atPath: folder, withDestinationPath: place)
            defer { try? FileManager.default.removeItem(atPath: place) }
            // then
            try agent.node.store.requirePlace()
            #expect(agent.node.store.writeFailure == nil)
        }
    }
}
