import Agent
import Device
import Foundation
import LocalAPI
import Store
import TestDevices
import Testing

@Suite("Unfinished archives")
struct UnfinishedArchiveTests {
    @Test("an agent removes the unfinished archive of a killed one when it starts")
    func killed() async throws {
        try await TestAgent.withFolder { folder in
            // given
            let part = folder + "/.peersync-1f.part"
            try await TestAgent.live(in: folder, as: "Ann") { agent in
                let node = agent.node
                try IdentityStore.save(node.identity, in: node.store, node.home)
                _ = try await agent.service.call(\.trips.create, TripDraft(name: "Arezzo"))
                _ = try await agent.service.call(
                    \.trips.archive, id: "Arezzo", ArchiveTarget(path: "\(agent.folder)/whole"))
                // A finished archive is no longer noted.
                let noted = try node.store.settings.all().keys.filter { $0.contains("part") }
                #expect(noted.isEmpty)
                try FileManager.default.createDirectory(
                    atPath: part + "/files", withIntermediateDirectories: true)
                try node.store.settings.set("archive.part..peersync-1f.part", to: part)
            }
            // A closed agent keeps its lock until its process ends.
            try FileManager.default.removeItem(atPath: folder + "/home/lock")
            // when
            try await TestAgent.live(in: folder) { agent in
                // then
                #expect(!FileManager.default.fileExists(atPath: part))
                #expect(FileManager.default.fileExists(atPath: folder + "/whole"))
                let noted = try agent.node.store.settings.all().keys.filter { $0.contains("part") }
                #expect(noted.isEmpty)
            }
        }
    }
}
