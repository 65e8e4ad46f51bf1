import Device
import Encryption
import Files
import Foundation
import LocalAPI
import Records
import Store
import SyncCore
import TestDevices
import Testing

@Suite("Files of encrypted trips")
struct EncryptedFileTests {
    private let secret = "nobody else may read this"

    /// A trip with a small and a large file.
    private func makeTrip(_ agent: OfflineDevice, isEncrypted: Bool = true) async throws {
        _ = try await agent.service.call(
            \.trips.create, TripDraft(name: "Arezzo", encrypted: isEncrypted))
        try await add("Duomo", to: agent)
    }

    private func files(_ agent: OfflineDevice) throws -> [String] {
        [
            try agent.file("small.txt", secret),
            try agent.file("large.txt", String(repeating: secret + "\n", count: 100_000)),
        ]
    }

    private func add(_ title: String, to agent: OfflineDevice, again: Bool = false) async throws {
        var draft = MemoryDraft(trip: "Arezzo")
        draft.title = title
        draft.photoPaths = try files(agent)
        draft.again = again
        _ = try await agent.service.call(\.memories.add, draft)
    }

    /// Whether any file of a home has these bytes.
    private func lies(_ text: String, at agent: OfflineDevice) throws -> Bool {
        let home = agent.folder + "/home"
        for name in try #require(FileManager.default.enumerator(atPath: home)) {
            guard let name = name as? String,
                let bytes = FileManager.default.contents(atPath: "\(home)/\(name)")
            else { continue }
            if bytes.range(of: Data(text.utf8)) != nil { return true }
        }
        return false
    }

    private func export(_ media: MediaView, at agent: OfflineDevice) async throws -> Data {
        let path = "\(agent.folder)/out-\(UUID().uuidString)"
        let written = try await agent.service.call(
            \.media.export, id: media.id, ExportTarget(path: path))
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(written.bytes == Int64(bytes.count))
        #expect(written.sha256 == hexadecimal(sha256(Array(bytes)).bytes))
        return bytes
    }

    private func contents(of media: [MediaView], at agent: OfflineDevice) async throws -> Set<Data>
    {
        var found: Set<Data> = []
        for file in media { found.insert(try await export(file, at: agent)) }
        return found
    }

    @Test("Files lie encrypted on the disk, and come out as they were")
    func atRest() async throws {
        try await OfflineDevice.with { agent in
            try await makeTrip(agent)
            #expect(try !lies(secret, at: agent))
            let media = try await agent.media()
            #expect(media.map(\.bytes).sorted() == [25, 2_600_000])
            for file in media {
                let source = "\(agent.folder)/\(file.fileName)"
                #expect(
                    try await export(file, at: agent)
                        == Data(contentsOf: URL(fileURLWithPath: source)))
            }
            let key = try await agent.service.call(\.trips.encryption.exportKey, id: "Arezzo")
            let line = try #require(
                key.identities.split(separator: "\n").first { $0.hasPrefix("AGE-SECRET-KEY-1") })
            let small = try #require(media.first { $0.bytes == 25 }?.blobID)
            let blob = try #require(bytes(hexadecimal: small[...]).flatMap { BlobID(bytes: $0) })
            let stored = try #require(try agent.node.store.files.smallContent(of: blob))
            let plain = try AgeReader(
                MemoryInput(stored), identities: [AgeIdentity(text: String(line))]
            ).plaintext()
            #expect(try plain.read(0..<plain.length) == Array(secret.utf8))
        }
    }

    @Test("The same file is one blob under one key, and is recognised under every later key")
    func convergent() async throws {
        try await OfflineDevice.with { agent in
            try await makeTrip(agent)
            let first = try await Set(agent.media().map(\.blobID))
            try await add("Again", to: agent, again: true)
            #expect(try await Set(agent.media().map(\.blobID)) == first)
            _ = try await agent.service.call(\.trips.encryption.rotateKey, id: "Arezzo")
            await #expect {
                try await add("Known", to: agent)
            } throws: { error in
                (error as? APIError)?.code == .confirmationNeeded
            }
            try await add("Anew", to: agent, again: true)
            let all = try await agent.media()
            #expect(Set(all.map(\.blobID)).count == 4)
            #expect(try await contents(of: all, at: agent).count == 2)
        }
    }

    @Test("An archive contains the files decrypted, and makes an ordinary trip")
    func archive() async throws {
        try await OfflineDevice.with { agent in
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
            let media = try await agent.media()
            #expect(Set(media.map(\.blobID)).count == 4)
            #expect(try await contents(of: media, at: agent).count == 2)
        }
    }

    @Test("An archive can make an encrypted trip, and says what it was made from")
    func importedEncrypted() async throws {
        try await OfflineDevice.with { agent in
            try await makeTrip(agent)
            let report = try await agent.service.call(
                \.trips.archive, id: "Arezzo", ArchiveTarget(path: "\(agent.folder)/archive"))
            let description = try Data(
                contentsOf: URL(fileURLWithPath: "\(report.path)/archive.json"))
            #expect(String(decoding: description, as: UTF8.self).contains("\"encrypted\" : true"))
            var wanted = ArchiveImport(path: report.path)
            wanted.again = true
            let plain = try await agent.service.call(\.trips.importArchive, wanted)
            #expect(plain.wasEncrypted && plain.trip.encryption == nil)
            try await OfflineDevice.with("Ben") { ben in
                wanted.again = false
                wanted.encrypted = true
                let made = try await ben.service.call(\.trips.importArchive, wanted)
                #expect(made.files == 2 && made.trip.encryption?.keys == 1)
                #expect(try !lies(secret, at: ben))
                let media = try await ben.media()
                #expect(media.map(\.bytes).sorted() == [25, 2_600_000])
                let found = try await contents(of: media, at: ben)
                #expect(found.count == 2 && found.contains(Data(secret.utf8)))
                let digest = try await ben.service.call(\.trips.digest, id: "Arezzo")
                #expect(digest.filesVerified == 2)
                await #expect {
                    try await add("Known", to: ben)
                } throws: { error in
                    (error as? APIError)?.code == .confirmationNeeded
                }
            }
        }
    }

    /// A memory whose file is encrypted with a key that no device here has.
    private func addClosed(to agent: OfflineDevice) async throws {
        let trip = try await agent.service.call(\.trips.show, id: "Arezzo")
        let space = try #require(bytes(hexadecimal: trip.id).flatMap { SpaceID(bytes: $0) })
        let memory = try await agent.service.call(\.memories.show, id: "Duomo")
        let owner = try #require(
            bytes(hexadecimal: memory.id).flatMap { RecordID(bytes: $0) })
        var random = SystemRandomNumberGenerator()
        let other = try AgeIdentity(privateKey: random.bytes(32))
        let file = try AgeWriter(recipients: [other.recipient]).file(Array(secret.utf8))
        let blob = try BlobHash.chunkList(of: file).blobID
        try agent.node.store.files.storeSmall(
            [(blob, file)], in: space, now: agent.node.clock.wall)
        let operation = RecordOperation(
            collection: "media", record: agent.node.newRecordID(in: space),
            writes: [
                Write(field: "memory", value: .reference(owner)),
                Write(field: "file_name", value: .text("closed.txt")),
                Write(field: "size", value: .integer(25)),
                Write(field: "original", value: .blob(blob)),
            ])
        try await agent.node.write(
            ChangeSet(
                blobs: [NamedBlob(blob: blob, size: UInt64(file.count), kind: .original)],
                operations: [operation]), to: space)
    }

    @Test("A file without its key here is never exported, and the error names it")
    func closed() async throws {
        try await OfflineDevice.with { agent in
            try await makeTrip(agent)
            try await addClosed(to: agent)
            let file = try #require(try await agent.media().first { $0.fileName == "closed.txt" })
            let path = "\(agent.folder)/out"
            await #expect(throws: SpaceErrors.fileClosed("closed.txt", givers: nil)) {
                _ = try await agent.service.call(
                    \.media.export, id: file.id, ExportTarget(path: path))
            }
            #expect(!FileManager.default.fileExists(atPath: path))
            var target = ArchiveTarget(path: "\(agent.folder)/archive")
            let error = await #expect(throws: APIError.self) {
                _ = try await agent.service.call(\.trips.archive, id: "Arezzo", target)
            }
            #expect(error?.code == .notHere && error?.sentence.contains("closed.txt") ?? false)
            target.incomplete = true
            let report = try await agent.service.call(\.trips.archive, id: "Arezzo", target)
            #expect(report.files == 2 && report.missing == 0)
            #expect(report.closed.names == ["closed.txt"])
            let description = try Data(
                contentsOf: URL(fileURLWithPath: "\(report.path)/archive.json"))
            let said = String(decoding: description, as: UTF8.self)
            #expect(said.contains("\"closed\" : true") && said.contains("closed.txt"))
            var wanted = ArchiveImport(path: report.path)
            wanted.again = true
            let made = try await agent.service.call(\.trips.importArchive, wanted)
            #expect(made.files == 2 && made.leftOut == 1)
        }
    }

    @Test("An age file that a person adds is a file like any other")
    func ownAgeFile() async throws {
        try await OfflineDevice.with { agent in
            _ = try await agent.service.call(\.trips.create, TripDraft(name: "Arezzo"))
            var random = SystemRandomNumberGenerator()
            let other = try AgeIdentity(privateKey: random.bytes(32))
            let file = Data(try AgeWriter(recipients: [other.recipient]).file(Array(secret.utf8)))
            let path = agent.folder + "/own.age"
            try file.write(to: URL(fileURLWithPath: path))
            var draft = MemoryDraft(trip: "Arezzo")
            draft.title = "Duomo"
            draft.photoPaths = [path]
            _ = try await agent.service.call(\.memories.add, draft)
            let plain = try #require(try await agent.media().first)
            #expect(try await export(plain, at: agent) == file)
            #expect(
                try await agent.service.call(\.trips.encryption.encrypt, id: "Arezzo").encrypted
                    == 1)
            let encrypted = try #require(try await agent.media().first)
            #expect(encrypted.blobID != plain.blobID)
            #expect(try await export(encrypted, at: agent) == file)
            // The new bytes are not reported as a change of the photo.
            let log = try await agent.service.call(
                \.changes.list, ChangeFilter(since: Moment(milliseconds: 0)))
            let last = try #require(log.entries.last.map(Sentence.Changes.line))
            #expect(last.contains("encrypted the trip"))
        }
    }

    /// Changes a byte in the middle of the large file.
    @discardableResult
    private func spoil(_ agent: OfflineDevice) async throws -> MediaView {
        let large = try #require(try await agent.media().first { $0.bytes > 25 })
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

    @Test("A file changed on the disk counts as lost, and is never exported in part")
    func damaged() async throws {
        try await OfflineDevice.with { agent in
            try await makeTrip(agent)
            let large = try await spoil(agent)
            let path = "\(agent.folder)/out"
            let lost = APIError(
                code: .notHere,
                sentence:
                    "The original of large.txt was here, and is damaged or gone on this disk.",
                hint:
                    "It is fetched again as soon as a device that has it is in reach: peersync sync"
            )
            await #expect(throws: lost) {
                _ = try await agent.service.call(
                    \.media.export, id: large.id, ExportTarget(path: path))
            }
            #expect(!FileManager.default.fileExists(atPath: path))
            try await checkMissing(agent)
            // It counts as missing now, and it is still known that it was here.
            await #expect(throws: lost) {
                _ = try await agent.service.call(
                    \.media.export, id: large.id, ExportTarget(path: path))
            }
        }
    }

    /// The damaged file counts as missing, so that it is fetched again.
    private func checkMissing(_ agent: OfflineDevice) async throws {
        await #expect(throws: ArchiveService.filesMissing(1, of: 2, trip: "Arezzo")) {
            _ = try await agent.service.call(
                \.trips.archive, id: "Arezzo", ArchiveTarget(path: "\(agent.folder)/archive"))
        }
    }

    @Test("Damage inside a file stops an archive, and is reported like any other damage")
    func damagedInArchive() async throws {
        try await OfflineDevice.with { agent in
            try await makeTrip(agent)
            try await spoil(agent)
            await #expect {
                _ = try await agent.service.call(
                    \.trips.archive, id: "Arezzo", ArchiveTarget(path: "\(agent.folder)/archive"))
            } throws: { error in
                error as? APIError
                    == APIError(
                        code: .notHere, sentence: "A file of large.txt is damaged on this disk.",
                        hint:
                            "Nothing was written. It is fetched again from other devices: peersync sync"
                    )
            }
            try await checkMissing(agent)
        }
    }
}
