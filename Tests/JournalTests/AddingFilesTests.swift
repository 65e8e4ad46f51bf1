import Foundation
import LocalAPI
import Synchronization
import TestDevices
import Testing

@Suite("Adding files")
struct AddingFilesTests {
    private func draft(_ paths: [String], title: String) -> MemoryDraft {
        var draft = MemoryDraft(trip: "Arezzo")
        draft.title = title
        draft.photoPaths = paths
        return draft
    }

    @Test(
        "Cancelling before the commit makes no memory, and a second attempt makes it once",
        arguments: [ProgressView.Stage.adding, .saving])
    func cancelled(at stage: ProgressView.Stage) async throws {
        try await OfflineDevice.with { agent in
            _ = try await agent.service.call(\.trips.create, TripDraft(name: "Arezzo"))
            let content = String(repeating: "no picture ", count: 100_000)
            let paths = try (0..<40).map { try agent.file("\($0).bin", "\($0)" + content) }
            let draft = draft(paths, title: "Duomo")
            // when it is cancelled on the way
            let task = Mutex<Task<MemoryView, any Error>?>(nil)
            let sink = ProgressSink { view in
                // Adding may be done before the next progress report.
                guard view.stage == stage, stage == .adding || view.bytes > 0 else { return }
                task.withLock { $0?.cancel() }
            }
            let (gate, opening) = AsyncStream.makeStream(of: Void.self)
            let call = Task {
                for await _ in gate {}
                return try await ProgressSink.$current.withValue(sink) {
                    try await agent.service.call(\.memories.add, draft)
                }
            }
            task.withLock { $0 = call }
            opening.finish()
            // then
            await #expect(throws: CancellationError.self) { try await call.value }
            #expect(try await agent.service.call(\.memories.list, MemoryFilter()).isEmpty)
            let partial = agent.folder + "/home/blobs/partial"
            #expect(try FileManager.default.contentsOfDirectory(atPath: partial).isEmpty)
            let memory = try await agent.service.call(\.memories.add, draft)
            #expect(memory.media.count == 40)
            #expect(try await agent.service.call(\.memories.list, MemoryFilter()).count == 1)
        }
    }

    @Test("Adding a file that another memory of the trip has needs a confirmation")
    func again() async throws {
        try await OfflineDevice.with { agent in
            _ = try await agent.service.call(\.trips.create, TripDraft(name: "Arezzo"))
            _ = try await agent.service.call(\.trips.create, TripDraft(name: "Sydney"))
            let paths = [try agent.file("a.bin", "one file"), try agent.file("b.bin", "another")]
            let first = try await agent.service.call(
                \.memories.add, draft(paths, title: "Duomo"))
            // when the same content comes under another name
            let copy = try agent.file("copy.bin", "one file")
            let new = try agent.file("new.bin", "new file")
            let error = await #expect(throws: APIError.self) {
                try await agent.service.call(\.memories.add, draft([new, copy], title: "Twice"))
            }
            // then
            #expect(error?.code == .confirmationNeeded)
            let sentence = error?.sentence ?? ""
            #expect(sentence.contains("1 of these 2 files"))
            #expect(sentence.contains("Duomo"))
            #expect(sentence.contains(first.shortID))
            #expect(try await agent.service.call(\.memories.list, MemoryFilter()).count == 1)
            // A person who confirms gets it added, and other trips ask nothing.
            var wanted = draft([new, copy], title: "Twice")
            wanted.again = true
            #expect(try await agent.service.call(\.memories.add, wanted).media.count == 2)
            var elsewhere = draft(paths, title: "Opera")
            elsewhere.trip = "Sydney"
            #expect(try await agent.service.call(\.memories.add, elsewhere).media.count == 2)
        }
    }

    @Test("A photo of the trip that is given as a track is refused as no track")
    func photoAsTrack() async throws {
        try await OfflineDevice.with { agent in
            // given
            _ = try await agent.service.call(\.trips.create, TripDraft(name: "Arezzo"))
            let path = try agent.file("a.bin", "one file")
            _ = try await agent.service.call(\.memories.add, draft([path], title: "Duomo"))
            var wanted = draft([], title: "Walk")
            wanted.trackPath = path
            // when
            let error = await #expect(throws: APIError.self) {
                try await agent.service.call(\.memories.add, wanted)
            }
            // then
            #expect(error?.code == .badInput)
            #expect(error?.sentence.contains("is not a GPX track") == true)
            #expect(try await agent.service.call(\.memories.list, MemoryFilter()).count == 1)
        }
    }

    @Test("Files of a deleted memory may be added again")
    func afterDeletion() async throws {
        try await OfflineDevice.with { agent in
            _ = try await agent.service.call(\.trips.create, TripDraft(name: "Arezzo"))
            let draft = draft([try agent.file("a.bin", "one file")], title: "Duomo")
            let first = try await agent.service.call(\.memories.add, draft)
            _ = try await agent.service.call(\.memories.delete, id: first.id)
            #expect(try await agent.service.call(\.memories.add, draft).media.count == 1)
        }
    }
}
