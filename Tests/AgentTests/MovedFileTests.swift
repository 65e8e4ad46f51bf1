import Agent
import Device
import Journal
import LocalAPI
import Records
import Store
import SyncCore
import TestDevices
import Testing

@Suite("Files of moved memories")
struct MovedFileTests {
    private func add(_ agent: TestAgent, to trip: String, _ names: [String]) async throws {
        var draft = MemoryDraft(trip: trip)
        draft.title = "Walk"
        draft.again = true
        draft.photoPaths = try names.map { try agent.file("\($0).bin", "photo \($0)") }
        _ = try await agent.service.call(\.memories.add, draft)
    }

    private func move(_ agent: TestAgent, to trip: String) async throws -> MemoryView {
        try #require(
            try await agent.service.call(
                \.memories.move, MoveDraft(memories: ["Walk"], to: trip)
            ).first)
    }

    private func space(_ agent: TestAgent, _ name: String) async throws -> SpaceID {
        let trip = try await agent.service.call(\.trips.show, id: name)
        return try #require(bytes(hexadecimal: trip.id).flatMap { SpaceID(bytes: $0) })
    }

    private func forms(_ agent: TestAgent, _ trip: String) async throws -> [FileForm] {
        let space = try await space(agent, trip)
        return try await agent.service.call(\.media.list, MediaFilter(trip: trip)).map { file in
            let blob = bytes(hexadecimal: file.blobID).flatMap { BlobID(bytes: $0) }
            return try agent.node.form(of: #require(blob), in: space)
        }
    }

    @Test(
        "Between trips with different keys or none, files are re-encrypted and keep their content",
        arguments: [(true, false), (false, true), (true, true), (false, false)])
    func encrypted(from: Bool, to: Bool) async throws {
        try await TestAgent.with { agent in
            // given
            for (name, isEncrypted) in [("Arezzo", from), ("Sydney", to)] {
                _ = try await agent.service.call(
                    \.trips.create, TripDraft(name: name, encrypted: isEncrypted))
            }
            let large = String(repeating: "large\n", count: 300_000)
            try await add(agent, to: "Arezzo", ["a"])
            var changes = MemoryChanges()
            changes.addPhotoPaths = [try agent.file("large.bin", large)]
            _ = try await agent.service.call(\.memories.edit, id: "Walk", changes)
            let before = try await agent.media()
            // when
            let moved = try await move(agent, to: "Sydney")
            // then
            #expect(moved.media.map(\.fileName) == ["a.bin", "large.bin"])
            #expect(moved.media.map(\.bytes) == before.map(\.bytes))
            #expect((moved.media.map(\.blobID) == before.map(\.blobID)) == (!from && !to))
            #expect(try await agent.exportedTexts() == ["photo a", large])
            let digest = try await agent.service.call(\.trips.digest, id: "Sydney")
            #expect(digest.filesTotal == 2 && digest.filesVerified == 2)
            for form in try await forms(agent, "Sydney") {
                if case .encrypted = form { #expect(to) } else { #expect(!to) }
            }
        }
    }

    @Test("A move is shown as one action in both trips, and its undo as its reverse")
    func told() async throws {
        try await TestAgent.with { agent in
            // given
            for name in ["Arezzo", "Sydney"] {
                _ = try await agent.service.call(\.trips.create, TripDraft(name: name))
            }
            try await add(agent, to: "Arezzo", ["a"])
            func last(_ trip: String) async throws -> [ChangeView] {
                var filter = ChangeFilter(trip: trip)
                filter.whole = true
                return try await agent.service.call(\.changes.list, filter).entries.last?.changes
                    ?? []
            }
            // when
            _ = try await move(agent, to: "Sydney")
            // then
            let (left, came) = (try await last("Arezzo"), try await last("Sydney"))
            #expect(left.map(\.kind) == [.movedTo] && left.first?.whole?.name == "Sydney")
            #expect(came.map(\.kind) == [.movedFrom] && came.first?.whole?.name == "Arezzo")
            #expect(came.first?.parts.map(\.count) == [1])
            _ = try await agent.service.call(\.changes.undo, UndoDraft())
            #expect(try await last("Sydney").map(\.kind) == [.deleted])
            #expect(try await last("Arezzo").map(\.kind) == [.restored])
        }
    }

    @Test("A memory moved to a trip a second time gets another id there")
    func again() async throws {
        try await TestAgent.with { agent in
            // given
            for name in ["Arezzo", "Sydney"] {
                _ = try await agent.service.call(\.trips.create, TripDraft(name: name))
            }
            try await add(agent, to: "Arezzo", ["a"])
            let first = try await move(agent, to: "Sydney")
            _ = try await agent.service.call(\.changes.undo, UndoDraft())
            // when
            let second = try await move(agent, to: "Sydney")
            // then
            #expect(first.id != second.id)
            #expect(second.media.map(\.fileName) == ["a.bin"])
            let problems = try await agent.service.call(\.agent.status).problems
            #expect(!problems.contains { $0.kind == .interruptedMove })
        }
    }

    @Test(
        "A missing file moves all the same, and counts there once it arrived in its old trip")
    func notHere() async throws {
        try await TestAgent.pair { ann, ben in
            // given
            let trip = try await ann.service.call(\.trips.create, TripDraft(name: "Arezzo"))
            let arezzo = try #require(
                bytes(hexadecimal: trip.id).flatMap { SpaceID(bytes: $0) })
            try await add(ann, to: "Arezzo", ["a"])
            _ = try await ann.service.call(
                \.trips.sharing.grant, id: "Arezzo", GrantDraft(person: "ben", role: .editor))
            try ben.receive(arezzo, from: ann)
            _ = try await ben.service.call(\.trips.create, TripDraft(name: "Sydney"))
            let sydney = try await space(ben, "Sydney")
            // when
            let moved = try await move(ben, to: "Sydney")
            // then
            #expect(moved.media.map(\.bytesHere) == [0])
            #expect(try ben.node.store.files.missing(of: sydney).count == 1)
            // and when it arrives
            try ben.receiveFiles(of: arezzo, from: ann)
            #expect(try ben.node.store.files.missing(of: sydney).isEmpty)
            #expect(try await ben.exportedTexts() == ["photo a"])
        }
    }

    @Test("A memory with a missing file cannot move if the key would change")
    func notHereEncrypted() async throws {
        try await TestAgent.pair { ann, ben in
            // given
            let trip = try await ann.service.call(\.trips.create, TripDraft(name: "Arezzo"))
            let arezzo = try #require(
                bytes(hexadecimal: trip.id).flatMap { SpaceID(bytes: $0) })
            try await add(ann, to: "Arezzo", ["a"])
            _ = try await ann.service.call(
                \.trips.sharing.grant, id: "Arezzo", GrantDraft(person: "ben", role: .editor))
            try ben.receive(arezzo, from: ann)
            _ = try await ben.service.call(
                \.trips.create, TripDraft(name: "Sydney", encrypted: true))
            // when, then
            let refused = await #expect(throws: APIError.self) { try await move(ben, to: "Sydney") }
            #expect(
                refused?.sentence == """
                    “a.bin” is not on this device yet, and “Sydney” is encrypted. Nothing was moved.
                    """)
            #expect(try await ben.titles() == ["Walk"])
            try ben.receiveFiles(of: arezzo, from: ann)
            #expect(try await move(ben, to: "Sydney").media.count == 1)
        }
    }

    @Test("A move gives nobody bytes that are here for a third trip only")
    func bait() async throws {
        try await TestAgent.pair { ann, ben in
            // given a photo that Ben named in Ann's trip, and that she has for her diary only
            _ = try await ann.service.call(\.trips.create, TripDraft(name: "Diary"))
            try await add(ann, to: "Diary", ["secret"])
            _ = try await ann.service.call(\.memories.edit, id: "Walk", retitled("Own"))
            let trip = try await ann.service.call(\.trips.create, TripDraft(name: "Arezzo"))
            let arezzo = try #require(
                bytes(hexadecimal: trip.id).flatMap { SpaceID(bytes: $0) })
            _ = try await ann.service.call(
                \.trips.sharing.grant, id: "Arezzo", GrantDraft(person: "ben", role: .editor))
            try ben.receive(arezzo, from: ann)
            try await add(ben, to: "Arezzo", ["secret"])
            try ann.receive(arezzo, from: ben)
            _ = try await ann.service.call(\.trips.create, TripDraft(name: "Sydney"))
            let sydney = try await space(ann, "Sydney")
            // when
            _ = try await move(ann, to: "Sydney")
            // then
            #expect(try ann.node.store.files.missing(of: sydney).count == 1)
            // and when it arrives in Arezzo
            try ann.receiveFiles(of: arezzo, from: ben)
            #expect(try ann.node.store.files.missing(of: sydney).isEmpty)
        }
    }

    private func retitled(_ title: String) -> MemoryChanges {
        var changes = MemoryChanges()
        changes.title = title
        return changes
    }

    /// The first version of the journal's schema.
    private static var first: String {
        String(decoding: BuiltInSchema.journal.document, as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false)
            .filter { line in
                !["caption:", "camera:", "direction:"].contains { line.contains($0) }
            }
            .joined(separator: "\n").replacing("version: 2", with: "version: 1")
    }

    @Test("A trip of the first version accepts photos, but captions only after an upgrade")
    func older() async throws {
        try await TestAgent.with { agent in
            // given
            _ = try await agent.service.call(
                \.spaces.create, SpaceDraft(name: "Old", document: Self.first))
            _ = try await agent.service.call(\.trips.create, TripDraft(name: "Arezzo"))
            try await add(agent, to: "Arezzo", ["a"])
            // when, then
            #expect(try await move(agent, to: "Old").media.count == 1)
            #expect(try await move(agent, to: "Arezzo").media.count == 1)
            _ = try await agent.service.call(
                \.media.edit, id: "a.bin", MediaChanges(caption: "At noon"))
            let refused = await #expect(throws: APIError.self) { try await move(agent, to: "Old") }
            #expect(
                refused?.sentence == """
                    “a.bin” has a caption, and “Old” has no room for it. Nothing was moved.
                    """)
            _ = try await agent.service.call(\.spaces.upgrade, id: "Old")
            #expect(try await move(agent, to: "Old").media.map(\.caption) == ["At noon"])
        }
    }
}
