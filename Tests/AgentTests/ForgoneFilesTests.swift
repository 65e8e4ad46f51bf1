import Agent
import Device
import Files
import LocalAPI
import Store
import SyncCore
import TestDevices
import Testing

@Suite("Files that were given up for want of room")
struct ForgoneFilesTests {
    @Test("They are wanted again after a restart")
    func wantedAfterRestart() async throws {
        try await TestAgent.withFolder { folder in
            // given files of a deleted memory
            let (space, forgone) = try await TestAgent.live(in: folder, as: "Ann") { agent in
                let trip = try await agent.service.call(\.trips.create, TripDraft(name: "Arezzo"))
                let space = try #require(SpaceID(hexadecimal: trip.id))
                var draft = MemoryDraft(trip: "Arezzo")
                draft.title = "Duomo"
                draft.photoPaths = [try agent.file("a.bin", "a"), try agent.file("b.bin", "b")]
                _ = try await agent.service.call(\.memories.add, draft)
                _ = try await agent.service.call(\.memories.delete, id: "Duomo")
                let files = agent.node.store.files
                let all = try files.named(of: space).map(\.blob)
                try files.markMissing(all)
                // Statements may be written between its look and its decision: then it gives nothing up, and the
                // next call looks again.
                var forgone: Set<BlobID> = []
                for _ in 0..<50 where forgone.isEmpty {
                    forgone = try ForgoneFiles(agent.node).giveUp(among: Set(all))
                }
                #expect(forgone.count == 2)
                #expect(try files.missing(of: space).isEmpty)
                return (space, forgone)
            }
            // when
            try await TestAgent.live(in: folder, isLongRunning: true) { agent in
                // then
                let missing = try agent.node.store.files.missing(of: space)
                #expect(Set(missing.map(\.blob)) == forgone)
            }
        }
    }
}
