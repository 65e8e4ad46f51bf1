import Agent
import Device
import Files
import Foundation
import LocalAPI
import Logging
import Node
import Store
import SyncCore
import TestDevices
import Testing

@Suite("Background work of an agent", .timeLimit(.minutes(2)))
struct BackgroundWorkTests {
    /// A file that is on the disk and not in the database.
    private func addFile(_ agent: TestAgent) async throws -> (blob: BlobID, path: String) {
        _ = try await agent.service.call(\.trips.create, TripDraft(name: "Arezzo"))
        var draft = MemoryDraft(trip: "Arezzo")
        draft.title = "Duomo"
        let text = String(repeating: "a picture, or so. ", count: 8_000)
        draft.photoPaths = [try agent.file("a.bin", text)]
        let memory = try await agent.service.call(\.memories.add, draft)
        let name = try #require(memory.media.first).blobID
        let blob = try #require(bytes(hexadecimal: name[...]).flatMap { BlobID(bytes: $0) })
        return (blob, "\(agent.node.home.blobDirectory)/\(name.prefix(2))/\(name)")
    }

    private func wait(until isPresent: Bool, _ blob: BlobID, _ node: AgentNode) async throws {
        for _ in 0..<3_000 where try node.store.files.blob(blob)?.isPresent != isPresent {
            try await Task.sleep(for: .milliseconds(10))
        }
        #expect(try node.store.files.blob(blob)?.isPresent == isPresent)
    }

    @Test("a command misses files and finds files again, and does no rounds")
    func command() async throws {
        try await TestAgent.with { agent in
            // given
            let (blob, path) = try await addFile(agent)
            let (queue, node) = (agent.runtime.media.work, agent.node)
            try node.store.files.markMissing([blob])
            // when
            queue.add(.compareFiles(isPaced: false))
            queue.add(.freeFiles)
            let kinds = (queue.contents.running + queue.contents.waiting).map(\.kind)
            queue.add(.findFiles([blob]))
            // then
            #expect(kinds == [])
            try await wait(until: true, blob, node)
            // when
            try FileManager.default.removeItem(atPath: path)
            queue.add(.missFiles([blob]))
            // then
            try await wait(until: false, blob, node)
        }
    }

    @Test("an agent compares all files when it starts")
    func start() async throws {
        try await TestAgent.withFolder { folder in
            // given
            let (blob, path) = try await TestAgent.live(in: folder, as: "Ann") {
                try await addFile($0)
            }
            try FileManager.default.removeItem(atPath: path)
            // when
            let runtime = try await AgentRuntime(
                try AgentHome.resolve(option: folder + "/home", environment: [:]),
                AgentStart(isLongRunning: true), logger: Logger(label: "test"))
            // then
            try await wait(until: false, blob, runtime.node)
            await runtime.close()
            #expect(runtime.media.work.contents.running == [])
        }
    }
}
