import Device
import Foundation
import LocalAPI
import Media
import Records
import Store
import SyncCore
import Synchronization
import TestDevices
import Testing

@Suite("Files from before a trip was encrypted")
struct EncryptedLaterTests {
    private let secret = "nobody else may read this"

    private func add(_ title: String, _ names: [String], to agent: OfflineDevice) async throws {
        var draft = MemoryDraft(trip: "Arezzo")
        draft.title = title
        draft.again = true
        draft.photoPaths = try names.map { try agent.file($0, secret + $0) }
        _ = try await agent.service.call(\.memories.add, draft)
    }

    private func encrypt(_ agent: OfflineDevice) async throws -> EncryptReport {
        try await agent.service.call(\.trips.encryption.encrypt, id: "Arezzo")
    }

    /// Files that records name and that are not stored here as age files.
    private func inClear(_ agent: OfflineDevice, _ space: SpaceID) async throws -> Set<String> {
        try await Set(
            agent.media().map(\.blobID).filter { text in
                let blob = try #require(bytes(hexadecimal: text).flatMap { BlobID(bytes: $0) })
                return try agent.node.form(of: blob, in: space) != .encrypted
            })
    }

    private func space(_ agent: OfflineDevice) async throws -> SpaceID {
        let trip = try await agent.service.call(\.trips.show, id: "Arezzo")
        return try #require(bytes(hexadecimal: trip.id).flatMap { SpaceID(bytes: $0) })
    }

    @Test(
        "Undoing the encryption is refused with the reason, and the way to a trip that is not encrypted"
    )
    func undone() async throws {
        try await OfflineDevice.with { agent in
            // given
            _ = try await agent.service.call(\.trips.create, TripDraft(name: "Arezzo"))
            try await add("Duomo", ["one.txt"], to: agent)
            _ = try await encrypt(agent)
            // when
            let error = await #expect(throws: APIError.self) { try await undo(agent) }
            // then
            #expect(
                error?.sentence
                    == "The files of “Arezzo” stay encrypted: encrypting cannot be undone.")
            #expect(error?.hint?.contains("peersync trip import --again") == true)
            #expect(error?.hint?.contains("What you did before that: peersync undo ") == true)
            let over = await #expect(throws: APIError.self) {
                try await undo(agent) { $0.over = true }
            }
            #expect(over?.sentence == error?.sentence)
        }
    }

    @Test("They are encrypted with it, keep their records, and are exported unchanged")
    func encrypted() async throws {
        try await OfflineDevice.with { agent in
            _ = try await agent.service.call(\.trips.create, TripDraft(name: "Arezzo"))
            let long = String(repeating: secret + "\n", count: 100_000)
            var draft = MemoryDraft(trip: "Arezzo")
            draft.title = "Duomo"
            draft.photoPaths = [
                try agent.file("small.txt", secret), try agent.file("large.txt", long),
            ]
            let gpx = """
                <gpx version="1.1"><trk><trkseg><trkpt lat="43.46" lon="11.88"/></trkseg></trk></gpx>
                """
            draft.trackPath = try agent.file("walk.gpx", gpx)
            _ = try await agent.service.call(\.memories.add, draft)
            let before = try await agent.media()
            let report = try await encrypt(agent)
            #expect(report.isNew && report.encrypted == 3 && report.changes > 0)
            #expect(report.missing.count == 0 && report.outranked.count == 0)
            let after = try await agent.media()
            #expect(
                after.map(\.id) == before.map(\.id) && after.map(\.bytes) == before.map(\.bytes))
            #expect(Set(after.map(\.blobID)).isDisjoint(with: before.map(\.blobID)))
            #expect(try await inClear(agent, space(agent)).isEmpty)
            #expect(try await agent.exportedTexts() == [secret, long, gpx])
            #expect(try await agent.service.call(\.conflicts.list, ScopeFilter()).isEmpty)
            // Recognised by their content.
            await #expect {
                _ = try await agent.service.call(\.memories.add, draft)
            } throws: { error in
                (error as? APIError)?.code == .confirmationNeeded
            }
            let digest = try await agent.service.call(\.trips.digest, id: "Arezzo")
            #expect(digest.filesVerified == 3 && digest.filesTotal == 3)
            let archive = try await agent.service.call(
                \.trips.archive, id: "Arezzo", ArchiveTarget(path: "\(agent.folder)/archive"))
            let kept = try String(
                contentsOfFile: "\(archive.path)/files/large.txt", encoding: .utf8)
            #expect(kept == long)
            await #expect(throws: SpaceErrors.alreadyEncrypted(space: "Arezzo")) {
                _ = try await encrypt(agent)
            }
        }
    }

    @Test("A missing file is named, and encrypted once it arrived, even by a non-admin")
    func absent() async throws {
        try await OfflineDevice.shared(.editor) { ann, ben, space in
            try await add("Piazza", ["one.txt", "two.txt"], to: ann)
            try ben.receive(space, from: ann)
            try await ann.node.sharing.makeEpoch(in: space)
            try ben.receive(space, from: ann)
            let report = try await encrypt(ben)
            #expect(!report.isNew && report.encrypted == 0)
            #expect(report.missing.names.sorted() == ["one.txt", "two.txt"])
            try ben.receiveFiles(of: space, from: ann)
            #expect(try await encrypt(ben).encrypted == 2)
            #expect(try await ben.exportedTexts() == [secret + "one.txt", secret + "two.txt"])
            // Missing files that are encrypted already are not reported.
            try ann.receive(space, from: ben)
            await #expect(throws: SpaceErrors.alreadyEncrypted(space: "Arezzo")) {
                _ = try await encrypt(ann)
            }
        }
    }

    @Test("Two members who do it at once make the same files, and no conflict")
    func twice() async throws {
        try await OfflineDevice.shared(.editor) { ann, ben, space in
            try await add("Piazza", ["one.txt", "two.txt"], to: ann)
            try await ann.node.sharing.makeEpoch(in: space)
            try ben.receive(space, from: ann)
            try ben.receiveFiles(of: space, from: ann)
            #expect(try await encrypt(ann).encrypted == 2)
            #expect(try await encrypt(ben).encrypted == 2)
            try ann.receive(space, from: ben)
            try ben.receive(space, from: ann)
            for agent in [ann, ben] {
                #expect(try await agent.service.call(\.conflicts.list, ScopeFilter()).isEmpty)
                #expect(try await inClear(agent, space).isEmpty)
            }
            #expect(try await ann.media().map(\.blobID) == ben.media().map(\.blobID))
        }
    }

    @Test("After an interruption every file can be read, and the next run does the rest")
    func stopped() async throws {
        try await OfflineDevice.with { agent in
            _ = try await agent.service.call(\.trips.create, TripDraft(name: "Arezzo"))
            let names = (0..<300).map { "\($0).txt" }
            try await add("Duomo", names, to: agent)
            // when it is cancelled after the first part was kept
            let task = Mutex<Task<EncryptReport, any Error>?>(nil)
            let isPartKept = Mutex(false)
            let sink = ProgressSink { view in
                if view.stage == .saving { isPartKept.withLock { $0 = true } }
                guard view.stage == .encrypting, isPartKept.withLock({ $0 }) else { return }
                task.withLock { $0?.cancel() }
            }
            let (gate, opening) = AsyncStream.makeStream(of: Void.self)
            let call = Task {
                for await _ in gate {}
                return try await ProgressSink.$current.withValue(sink) { try await encrypt(agent) }
            }
            task.withLock { $0 = call }
            opening.finish()
            await #expect(throws: CancellationError.self) { try await call.value }
            // then
            let space = try await space(agent)
            let left = try await inClear(agent, space)
            #expect(!left.isEmpty && left.count < 300)
            #expect(try await agent.exportedTexts() == Set(names.map { secret + $0 }))
            let report = try await encrypt(agent)
            #expect(!report.isNew && report.encrypted == left.count)
            #expect(try await inClear(agent, space).isEmpty)
            #expect(try await agent.exportedTexts() == Set(names.map { secret + $0 }))
        }
    }

    @Test("A damaged file is fetched again instead, and encrypted once it arrived")
    func damaged() async throws {
        try await OfflineDevice.with { agent in
            _ = try await agent.service.call(\.trips.create, TripDraft(name: "Arezzo"))
            let path = try agent.file("large.txt", String(repeating: secret, count: 100_000))
            var draft = MemoryDraft(trip: "Arezzo")
            draft.title = "Duomo"
            draft.photoPaths = [path, try agent.file("small.txt", secret)]
            _ = try await agent.service.call(\.memories.add, draft)
            let large = try #require(try await agent.media().first { $0.bytes > 1000 })
            let home = agent.folder + "/home"
            let name = try #require(
                FileManager.default.enumerator(atPath: home)?.compactMap { $0 as? String }
                    .first { $0.hasSuffix(large.blobID) })
            let file = try FileHandle(forUpdating: URL(fileURLWithPath: "\(home)/\(name)"))
            try file.seek(toOffset: 1_500_000)
            try file.write(contentsOf: Data("spoilt".utf8))
            try file.close()
            let report = try await encrypt(agent)
            #expect(report.encrypted == 1 && report.missing.names == ["large.txt"])
            let now = try await agent.media()
            #expect(now.first { $0.id == large.id }?.blobID == large.blobID)
            #expect(now.first { $0.id == large.id }?.bytesHere == 0)
        }
    }
}

@Suite("Files of any records, from before their space was encrypted")
struct EncryptedRecordFileTests {
    private static let schema = """
        schema: 1
        name: things
        version: 1
        collections:
          thing:
            fields:
              name: { type: text, required: true }
              photo: { type: blob }
              manual: { type: blob }
        """

    private let scope = RecordScope(space: "Shed", collection: "thing")

    private func file(_ name: String, _ agent: OfflineDevice) throws -> FieldValue {
        .blob(
            BlobReference(
                id: nil, bytes: nil, here: nil, path: try agent.file(name, "this is " + name)))
    }

    /// Ann's saw with two files, granted to Ben.
    private func shared(
        _ body: (_ ann: OfflineDevice, _ ben: OfflineDevice, _ space: SpaceID) async throws -> Void
    ) async throws {
        try await OfflineDevice.pair { ann, ben in
            let made = try await ann.service.call(
                \.spaces.create, SpaceDraft(name: "Shed", document: Self.schema))
            _ = try await ann.service.call(
                \.records.add,
                RecordDraft(
                    space: "Shed", collection: "thing",
                    fields: [
                        "name": .text("Saw"), "photo": file("photo", ann),
                        "manual": file("manual", ann),
                    ]))
            _ = try await ann.service.call(
                \.trips.sharing.grant, id: "Shed", GrantDraft(person: "Ben", role: .editor))
            let space = try #require(bytes(hexadecimal: made.id).flatMap { SpaceID(bytes: $0) })
            try ben.receive(space, from: ann)
            try await body(ann, ben, space)
        }
    }

    private func set(_ field: String, _ name: String, by agent: OfflineDevice) async throws {
        var changes = RecordChanges(space: "Shed", collection: "thing")
        changes.fields = [field: try file(name, agent)]
        _ = try await agent.service.call(\.records.change, id: "Saw", changes)
    }

    private func exported(_ field: String, at agent: OfflineDevice) async throws -> String {
        let path = "\(agent.folder)/out-\(UUID().uuidString)"
        let target = RecordExport(space: "Shed", collection: "thing", field: field, path: path)
        _ = try await agent.service.call(\.records.export, id: "Saw", target)
        return try String(contentsOfFile: path, encoding: .utf8)
    }

    @Test("A value that somebody else writes to a field meanwhile stays beside it")
    func meanwhile() async throws {
        try await shared { ann, ben, space in
            try await set("photo", "better", by: ben)
            let report = try await ann.service.call(\.trips.encryption.encrypt, id: "Shed")
            #expect(report.encrypted == 2)
            #expect(try await exported("manual", at: ann) == "this is manual")
            try ann.receive(space, from: ben)
            let conflicts = try await ann.service.call(\.conflicts.list, ScopeFilter())
            #expect(conflicts.map(\.field) == ["photo"])
        }
    }

    @Test("Concurrent values all stay, encrypted, and the same one is shown")
    func undecided() async throws {
        try await shared { ann, ben, space in
            try await set("photo", "Ben's", by: ben)
            try await set("photo", "Ann's", by: ann)
            try ann.receive(space, from: ben)
            // Ben's has not reached Ann.
            let first = try await ann.service.call(\.trips.encryption.encrypt, id: "Shed")
            #expect(first.encrypted == 2 && first.missing.count == 1)
            let before = try await ann.service.call(\.conflicts.list, ScopeFilter())
            #expect(before.map(\.field) == ["photo"])
            try ann.receiveFiles(of: space, from: ben)
            let shown = try await exported("photo", at: ann)
            #expect(
                try await ann.service.call(\.trips.encryption.encrypt, id: "Shed").encrypted == 1)
            let after = try await ann.service.call(\.conflicts.list, ScopeFilter())
            #expect(after.map(\.field) == ["photo"] && after.first?.values.count == 2)
            #expect(try await exported("photo", at: ann) == shown)
        }
    }

    @Test("Sentences about a space that is no trip call it a space")
    func words() async throws {
        try await shared { ann, _, _ in
            await #expect {
                _ = try await ann.service.call(\.trips.encryption.rotateKey, id: "Shed")
            } throws: { ($0 as? APIError)?.hint?.contains("peersync space encrypt Shed") ?? false }
            _ = try await ann.service.call(\.trips.encryption.encrypt, id: "Shed")
            await #expect {
                _ = try await ann.service.call(\.trips.encryption.encrypt, id: "Shed")
            } throws: { error in
                (error as? APIError)?.hint?.contains("peersync space key rotate Shed") ?? false
            }
            let keys = try await ann.service.call(\.trips.encryption.exportKey, id: "Shed")
                .identities
            #expect(keys.contains("# Keys of a space of") && !keys.contains("trip"))
        }
    }

    @Test("An archive lists files in conflict as it lists the others")
    func archivedConflict() async throws {
        try await shared { ann, ben, space in
            _ = try await ann.service.call(\.trips.encryption.encrypt, id: "Shed")
            try ben.receive(space, from: ann)
            try await set("photo", "Ben's", by: ben)
            try await set("photo", "Ann's", by: ann)
            try ann.receive(space, from: ben)
            let report = try await ann.service.call(
                \.trips.archive, id: "Shed", ArchiveTarget(path: ann.folder + "/archive"))
            func json(_ name: String) throws -> Any {
                try JSONSerialization.jsonObject(
                    with: Data(contentsOf: URL(fileURLWithPath: "\(report.path)/\(name)")))
            }
            let description = try #require(try json("archive.json") as? [String: Any])
            let files = try #require(description["files"] as? [[String: Any]])
            let photo = try BlobHash.chunkList(of: Array("this is Ann's".utf8)).blobID.description
            #expect(files.contains { $0["blob"] as? String == photo })
            let conflicts = try #require(try json("conflicts.json") as? [[String: Any]])
            let shown = try #require(conflicts.first?["shown"] as? String)
            #expect(conflicts.count == 1 && shown.count >= 6 && photo.hasPrefix(shown))
            let values = try #require(conflicts[0]["values"] as? [[String: Any]])
            #expect(values.count == 2)
            #expect(
                values.filter { $0["isShown"] as? Bool == true }.map { $0["text"] as? String }
                    == [shown])
        }
    }

    @Test("A value with authority is left to its author, and others cannot borrow the authority")
    func authority() async throws {
        try await shared { ann, ben, space in
            _ = try await ann.service.call(
                \.trips.sharing.grant, id: "Shed",
                GrantDraft(person: "Ben", role: .editor, authority: true))
            try ben.receive(space, from: ann)
            try await set("photo", "Ben's", by: ben)
            try ann.receive(space, from: ben)
            try ann.receiveFiles(of: space, from: ben)
            let report = try await ann.service.call(\.trips.encryption.encrypt, id: "Shed")
            #expect(report.encrypted == 1 && report.outranked.names == ["Saw"])
            try ben.receive(space, from: ann)
            #expect(
                try await ben.service.call(\.trips.encryption.encrypt, id: "Shed").encrypted == 1)
            // Ann can still replace her manual.
            try await set("manual", "newer", by: ann)
            #expect(try await exported("manual", at: ann) == "this is newer")
        }
    }
}
