import Device
import Files
import Foundation
import LocalAPI
import Records
import Store
import Synchronization
import TestDevices
import Testing

@Suite("Archives of trips")
struct ArchiveServiceTests {
    /// A trip with a memory that has a large and a small file.
    private func makeTrip(_ agent: OfflineDevice) async throws {
        _ = try await agent.service.call(\.trips.create, TripDraft(name: "Arezzo"))
        var draft = MemoryDraft(trip: "Arezzo")
        draft.title = "Duomo"
        draft.tags = ["art"]
        draft.photoPaths = [
            try agent.file("large.bin", String(repeating: "no picture ", count: 100_000)),
            try agent.file("small.bin", "a few bytes"),
            // Names that a file system may regard as equal.
            try agent.file("SMALL.bin", "other bytes"),
        ]
        _ = try await agent.service.call(\.memories.add, draft)
    }

    private func archive(
        _ agent: OfflineDevice, to name: String
    ) async throws -> ArchiveReport {
        try await agent.service.call(
            \.trips.archive, id: "Arezzo", ArchiveTarget(path: "\(agent.folder)/\(name)"))
    }

    private func imported(
        _ agent: OfflineDevice, _ path: String, again: Bool = true
    ) async throws -> ImportReport {
        var wanted = ArchiveImport(path: path)
        wanted.again = again
        return try await agent.service.call(\.trips.importArchive, wanted)
    }

    @Test("a trip is archived and imported with all its files and authors")
    func roundTrip() async throws {
        try await OfflineDevice.with { agent in
            try await makeTrip(agent)
            let report = try await archive(agent, to: "a")
            #expect(report.files == 3 && report.missing == 0)
            let before = try await agent.service.call(\.memories.show, id: "Duomo")
            await #expect {
                try await imported(agent, report.path, again: false)
            } throws: { error in
                (error as? APIError)?.code == .confirmationNeeded
            }
            let made = try await imported(agent, report.path)
            #expect(made.trip.name == "Arezzo" && made.files == 3 && made.leftOut == 0)
            var filter = MemoryFilter()
            filter.trip = made.trip.id
            let memories = try await agent.service.call(\.memories.list, filter)
            let memory = try await agent.service.call(\.memories.show, id: memories[0].id)
            #expect(memories.count == 1 && memory.id != before.id)
            #expect(memory.media.map(\.fileName) == before.media.map(\.fileName))
            #expect(memory.media.map(\.blobID) == before.media.map(\.blobID))
            #expect(memory.tags.map(\.name) == ["art"])
            #expect(memory.origin?.author == before.author.name)
            #expect(memory.origin?.written == before.changed)
            let digest = try await agent.service.call(\.trips.digest, id: made.trip.id)
            #expect(digest.filesVerified == 3 && digest.filesTotal == 3)
            // The archive has three different names.
            let files = try FileManager.default.contentsOfDirectory(atPath: report.path + "/files")
            #expect(Set(files.map { $0.lowercased() }).count == 3)
        }
    }

    @Test("A second archive is not put into the first one")
    func secondArchive() async throws {
        try await OfflineDevice.with { agent in
            // given
            try await makeTrip(agent)
            let first = try await archive(agent, to: "a")
            let files = try FileManager.default.contentsOfDirectory(atPath: first.path).sorted()
            // when
            let error = await #expect(throws: APIError.self) { try await archive(agent, to: "a") }
            // then
            #expect(error?.code == .conflict && error?.hint?.contains("--to") == true)
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: first.path).sorted() == files)
        }
    }

    @Test(
        "cancelling before the trip exists leaves no trip and no files",
        arguments: [ProgressView.Stage.verifying, .adding])
    func cancelled(at stage: ProgressView.Stage) async throws {
        try await OfflineDevice.with { agent in
            try await makeTrip(agent)
            let report = try await archive(agent, to: "a")
            let task = Mutex<Task<ImportReport, any Error>?>(nil)
            let sink = ProgressSink { view in
                guard view.stage == stage else { return }
                task.withLock { $0?.cancel() }
            }
            let (gate, opening) = AsyncStream.makeStream(of: Void.self)
            let call = Task {
                for await _ in gate {}
                return try await ProgressSink.$current.withValue(sink) {
                    try await imported(agent, report.path)
                }
            }
            task.withLock { $0 = call }
            opening.finish()
            await #expect(throws: CancellationError.self) { try await call.value }
            #expect(try await agent.service.call(\.trips.list).count == 1)
            let partial = agent.folder + "/home/blobs/partial"
            #expect(try FileManager.default.contentsOfDirectory(atPath: partial).isEmpty)
        }
    }

    @Test("what a killed import left is deleted by the next agent, and nothing else of that name")
    func killedImport() async throws {
        try await OfflineDevice.with { agent in
            // given a trip that was being made, and one that somebody called so
            for name in ["Arezzo (importing)", "Bari (importing)"] {
                _ = try await agent.service.call(\.trips.create, TripDraft(name: name))
            }
            try agent.node.store.settings.set("import.Arezzo (importing)", to: "1")
            // when
            try await UnfinishedImports(agent.node).delete()
            // then
            let left = try await agent.service.call(\.trips.list).map(\.name)
            #expect(left == ["Bari (importing)"])
            #expect(
                try agent.node.store.settings.all().keys.allSatisfy { !$0.hasPrefix("import.") })
            try await UnfinishedImports(agent.node).delete()
            #expect(try await agent.service.call(\.trips.list).count == 1)
            // and one that was finished leaves nothing to do
            try await makeTrip(agent)
            let report = try await archive(agent, to: "a")
            _ = try await imported(agent, report.path)
            #expect(
                try agent.node.store.settings.all().keys.allSatisfy { !$0.hasPrefix("import.") })
        }
    }

    @Test("a file that is damaged on this disk never gets into an archive")
    func damaged() async throws {
        try await OfflineDevice.with { agent in
            try await makeTrip(agent)
            let blobs = URL(fileURLWithPath: agent.folder + "/home/blobs")
            let found = FileManager.default.enumerator(at: blobs, includingPropertiesForKeys: nil)
            let large = try #require(
                found?.compactMap { $0 as? URL }.first { $0.lastPathComponent.count == 64 })
            var bytes = try Data(contentsOf: large)
            bytes[1000] ^= 1
            try bytes.write(to: large)
            await #expect(
                throws: APIError(
                    code: .notHere, sentence: "A file of large.bin is damaged on this disk.",
                    hint:
                        "Nothing was written. It is fetched again from other devices: peersync sync"
                )
            ) {
                try await archive(agent, to: "a")
            }
            #expect(!FileManager.default.fileExists(atPath: agent.folder + "/a"))
            // From then on the file counts as missing.
            await #expect(throws: ArchiveService.filesMissing(1, of: 3, trip: "Arezzo")) {
                try await archive(agent, to: "a")
            }
            var target = ArchiveTarget(path: agent.folder + "/a")
            target.incomplete = true
            let report = try await agent.service.call(\.trips.archive, id: "Arezzo", target)
            #expect(report.files == 2 && report.missing == 1)
            let made = try await imported(agent, report.path)
            #expect(made.files == 2 && made.leftOut == 1)
        }
    }

    @Test("the log shows an imported trip with its name, and no renaming")
    func log() async throws {
        try await OfflineDevice.with { agent in
            try await makeTrip(agent)
            let made = try await imported(agent, archive(agent, to: "a").path)
            let log = try await agent.service.call(
                \.changes.list, ChangeFilter(trip: made.trip.id, since: Moment(milliseconds: 0)))
            let lines = log.entries.map(Sentence.Changes.line)
            let first = try #require(lines.first)
            #expect(first.contains("created the trip \u{201C}Arezzo\u{201D}"))
            #expect(!lines.contains { $0.contains("renamed") }, "\(lines)")
        }
    }
}
