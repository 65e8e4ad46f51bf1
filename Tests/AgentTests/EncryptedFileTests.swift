import Agent
import Encryption
import Foundation
import LocalAPI
import Store
import SyncCore
import Testing

@Suite("Files of encrypted trips")
struct EncryptedFileTests {
    private let secret = "nobody else may read this"

    /// A trip with a small and a large file.
    private func makeTrip(_ agent: TestAgent, isEncrypted: Bool = true) async throws {
        _ = try await agent.service.call(
            \.trips.create, TripDraft(name: "Arezzo", encrypted: isEncrypted))
        try await add("Duomo", to: agent)
    }

    private func files(_ agent: TestAgent) throws -> [String] {
        [
            try agent.file("small.txt", secret),
            try agent.file("large.txt", String(repeating: secret + "\n", count: 100_000)),
        ]
    }

    private func add(_ title: String, to agent: TestAgent, again: Bool = false) async throws {
        var draft = MemoryDraft(trip: "Arezzo")
        draft.title = title
        draft.photoPaths = try files(agent)
        draft.again = again
        _ = try await agent.service.call(\.memories.add, draft)
    }

    private func media(_ agent: TestAgent) async throws -> [MediaView] {
        try await agent.service.call(\.media.list, MediaFilter())
    }

    /// Whether any file of a home has these bytes.
    private func lies(_ text: String, at agent: TestAgent) throws -> Bool {
        let home = agent.folder + "/home"
        for name in try #require(FileManager.default.enumerator(atPath: home)) {
            guard let name = name as? String,
                let bytes = FileManager.default.contents(atPath: "\(home)/\(name)")
            else { continue }
            if bytes.range(of: Data(text.utf8)) != nil { return true }
        }
        return false
    }

    private func export(_ media: MediaView, at agent: TestAgent) async throws -> Data {
        let path = "\(agent.folder)/out-\(UUID().uuidString)"
        let written = try await agent.service.call(
            \.media.export, id: media.id, ExportTarget(path: path))
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(written.bytes == Int64(bytes.count))
        #expect(written.sha256 == hexadecimal(sha256(Array(bytes)).bytes))
        return bytes
    }

    private func contents(of media: [MediaView], at agent: TestAgent) async throws -> Set<Data> {
        var found: Set<Data> = []
        for file in media { found.insert(try await export(file, at: agent)) }
        return found
    }

    @Test("Files lie encrypted on the disk, and come out as they were")
    func atRest() async throws {
        try await TestAgent.with { agent in
            try await makeTrip(agent)
            #expect(try !lies(secret, at: agent))
            let media = try await media(agent)
            #expect(media.map(\.bytes).sorted() == [25, 2_600_000])
            for file in media {
                let source = "\(agent.folder)/\(file.fileName)"
                #expect(
                    try await export(file, at: agent)
                        == Data(contentsOf: URL(fileURLWithPath: source)))
            }
            let key = try await agent.service.call(\.trips.exportKey, id: "Arezzo")
            let line = try #require(
                key.identities.split(separator: "\n").first { $0.hasPrefix("AGE-SECRET-KEY-1") })
            let small = try #require(media.first { $0.bytes == 25 }?.blobID)
            let blob = try #require(bytes(hexadecimal: small[...]).flatMap { BlobID(bytes: $0) })
            let stored = try #require(try agent.node.store.smallContent(of: blob))
            let plain = try AgeReader(
                MemoryInput(stored), identities: [AgeIdentity(text: String(line))]
            ).plaintext()
            #expect(try plain.read(0..<plain.length) == Array(secret.utf8))
        }
    }

    @Test("The same file is one blob under one key, and known again under every later one")
    func convergent() async throws {
        try await TestAgent.with { agent in
            try await makeTrip(agent)
            let first = try await Set(media(agent).map(\.blobID))
            try await add("Again", to: agent, again: true)
            #expect(try await Set(media(agent).map(\.blobID)) == first)
            _ = try await agent.service.call(\.trips.rotateKey, id: "Arezzo")
            await #expect {
                try await add("Known", to: agent)
            } throws: { error in
                (error as? APIError)?.code == .confirmationNeeded
            }
            try await add("Anew", to: agent, again: true)
            let all = try await media(agent)
            #expect(Set(all.map(\.blobID)).count == 4)
            #expect(try await contents(of: all, at: agent).count == 2)
        }
    }

    @Test("An archive has the files in the clear, and makes a trip like any other")
    func archive() async throws {
        try await TestAgent.with { agent in
            try await makeTrip(agent)
            let report = try await agent.service.call(
                \.trips.archive, id: "Arezzo", ArchiveTarget(path: "\(agent.folder)/archive"))
            #expect(report.files == 2)
            let small = try Data(
                contentsOf: URL(fileURLWithPath: "\(report.path)/files/small.txt"))
            #expect(small == Data(secret.utf8))
            var wanted = ArchiveImport(path: report.path)
            wanted.again = true
            let made = try await agent.service.call(\.trips.importArchive, wanted)
            #expect(made.files == 2 && made.leftOut == 0)
            let media = try await media(agent)
            #expect(Set(media.map(\.blobID)).count == 4)
            #expect(try await contents(of: media, at: agent).count == 2)
        }
    }

    /// Changes a byte in the middle of the large file.
    @discardableResult
    private func spoil(_ agent: TestAgent) async throws -> MediaView {
        let large = try #require(try await media(agent).first { $0.bytes > 25 })
        let home = agent.folder + "/home"
        let names = try #require(FileManager.default.enumerator(atPath: home))
        let name = try #require(
            names.compactMap { $0 as? String }.first { $0.hasSuffix(large.blobID) })
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: "\(home)/\(name)"))
        try file.seek(toOffset: 1_000_000)
        try file.write(contentsOf: Data("spoilt".utf8))
        try file.close()
        return large
    }

    @Test("A file that was changed on the disk is lost, and never half of it comes out")
    func damaged() async throws {
        try await TestAgent.with { agent in
            try await makeTrip(agent)
            let large = try await spoil(agent)
            let path = "\(agent.folder)/out"
            await #expect(throws: (any Error).self) {
                _ = try await agent.service.call(
                    \.media.export, id: large.id, ExportTarget(path: path))
            }
            #expect(!FileManager.default.fileExists(atPath: path))
            try await checkMissing(agent)
        }
    }

    /// The damaged file counts as missing, so that it is fetched again.
    private func checkMissing(_ agent: TestAgent) async throws {
        await #expect(throws: APIError.filesMissing(1, of: 2, trip: "Arezzo")) {
            _ = try await agent.service.call(
                \.trips.archive, id: "Arezzo", ArchiveTarget(path: "\(agent.folder)/archive"))
        }
    }

    @Test("Damage within a file stops an archive, and is told as any other damage")
    func damagedInArchive() async throws {
        try await TestAgent.with { agent in
            try await makeTrip(agent)
            try await spoil(agent)
            await #expect {
                _ = try await agent.service.call(
                    \.trips.archive, id: "Arezzo", ArchiveTarget(path: "\(agent.folder)/archive"))
            } throws: { error in
                error as? APIError == APIError.damagedHere("large.txt")
            }
            try await checkMissing(agent)
        }
    }
}
