import Agent
import Journal
import LocalAPI
import Records
import TestDevices
import Testing

@Suite("Captions and order of photos")
struct PhotoEditTests {
    private func memory(
        of trip: String, in agent: TestAgent, _ files: [String] = ["a", "b", "c"]
    ) async throws -> MemoryView {
        var draft = MemoryDraft(trip: trip)
        draft.title = "Walk"
        draft.photoPaths = try files.map { try agent.file("\($0).bin", "\(trip) \($0)") }
        return try await agent.service.call(\.memories.add, draft)
    }

    private func order(in agent: TestAgent) async throws -> [String] {
        try await agent.service.call(\.memories.show, id: "Walk").media.map(\.fileName)
    }

    @Test("A photo is put first, before or after another one of its memory")
    func order() async throws {
        try await TestAgent.with { agent in
            _ = try await agent.service.call(\.trips.create, TripDraft(name: "Arezzo"))
            _ = try await memory(of: "Arezzo", in: agent)
            func move(_ file: String, _ place: RecordPlace) async throws {
                _ = try await agent.service.call(
                    \.media.edit, id: file, MediaChanges(place: place))
            }
            try await move("c.bin", RecordPlace(first: true))
            #expect(try await order(in: agent) == ["c.bin", "a.bin", "b.bin"])
            try await move("c.bin", RecordPlace(after: "b.bin"))
            #expect(try await order(in: agent) == ["a.bin", "b.bin", "c.bin"])
            try await move("c.bin", RecordPlace(before: "b.bin"))
            #expect(try await order(in: agent) == ["a.bin", "c.bin", "b.bin"])
            // The first one is there already.
            try await move("a.bin", RecordPlace(first: true))
            #expect(try await order(in: agent) == ["a.bin", "c.bin", "b.bin"])
            await #expect(throws: APIError.besideItself) {
                try await move("a.bin", RecordPlace(after: "a.bin"))
            }
            await #expect(
                throws: APIError(
                    code: .badInput, sentence: "Say one place: --first, --before or --after.",
                    hint: "For example: peersync media edit tower.jpg --first")
            ) {
                try await move("a.bin", RecordPlace(after: "b.bin", first: true))
            }
        }
    }

    @Test("A caption is shown, found, and removed again")
    func caption() async throws {
        try await TestAgent.with { agent in
            _ = try await agent.service.call(\.trips.create, TripDraft(name: "Arezzo"))
            _ = try await memory(of: "Arezzo", in: agent)
            // when
            let photo = try await agent.service.call(
                \.media.edit, id: "b.bin", MediaChanges(caption: "The tower at noon"))
            // then
            #expect(photo.caption == "The tower at noon")
            let found = try await agent.service.call(
                \.records.search, SearchQuery(words: "tower noon"))
            #expect(found.hits.count == 1)
            let bare = try await agent.service.call(
                \.media.edit, id: "b.bin", MediaChanges(caption: ""))
            #expect(bare.caption.isEmpty)
            await #expect(throws: APIError.nothingToChange) {
                try await agent.service.call(\.media.edit, id: "b.bin", MediaChanges())
            }
        }
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

    @Test(
        "A trip of the first version gets captions once an admin upgrades it, as status offers"
    )
    func upgrade() async throws {
        try await TestAgent.with { agent in
            _ = try await agent.service.call(
                \.spaces.create, SpaceDraft(name: "Old", document: Self.first))
            let memory = try await memory(of: "Old", in: agent)
            #expect(memory.media.count == 3)
            await #expect(
                throws: APIError(
                    code: .conflict,
                    sentence: "Photos of “Old” have no captions yet.",
                    hint:
                        "An admin adds them for everybody: peersync trip upgrade Old"
                )
            ) {
                try await agent.service.call(
                    \.media.edit, id: "a.bin", MediaChanges(caption: "No"))
            }
            func offers() async throws -> Int {
                let status = try await agent.service.call(\.agent.status)
                return status.problems.count { $0.kind == .olderFields }
            }
            #expect(try await offers() == 1)
            // when
            let schema = try await agent.service.call(\.spaces.upgrade, id: "Old")
            // then
            #expect(schema.version == 2)
            #expect(try await offers() == 0)
            let photo = try await agent.service.call(
                \.media.edit, id: "a.bin", MediaChanges(caption: "Yes"))
            #expect(photo.caption == "Yes")
            await #expect(
                throws: APIError(
                    code: .conflict,
                    sentence: "“Old” has all fields that this program knows.")
            ) {
                try await agent.service.call(\.spaces.upgrade, id: "Old")
            }
        }
    }
}
