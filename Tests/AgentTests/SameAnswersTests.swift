import Agent
import LocalAPI
import Records
import SyncCore
import Testing

@Suite("A memory and its record: the same answers")
struct SameAnswersTests {
    /// Ann's trip with one memory; Ben has it, too, and what Ben writes has authority.
    private func shared(
        _ body: (_ ann: TestAgent, _ ben: TestAgent, _ space: SpaceID) async throws -> Void
    ) async throws {
        try await TestAgent.shared(.editor) { ann, ben, space in
            _ = try await ann.service.call(
                \.trips.grant, id: "Arezzo",
                GrantDraft(person: "Ben", role: .editor, authority: true))
            try ben.take(space, from: ann)
            try await body(ann, ben, space)
        }
    }

    private func edit(
        _ agent: TestAgent, _ change: (inout MemoryChanges) throws -> Void
    ) async throws -> MemoryView {
        var changes = MemoryChanges()
        changes.again = true
        try change(&changes)
        return try await agent.service.call(\.memories.edit, id: "Duomo", changes)
    }

    private func record(_ agent: TestAgent) async throws -> RecordView {
        try await agent.service.call(
            \.records.show, id: "Duomo", RecordScope(space: "Arezzo", collection: "memory"))
    }

    private func memory(_ agent: TestAgent) async throws -> MemoryView {
        try await agent.service.call(\.memories.show, id: "Duomo")
    }

    private func exchange(_ one: TestAgent, _ other: TestAgent, _ space: SpaceID) throws {
        try one.take(space, from: other)
        try other.take(space, from: one)
    }

    @Test("the last author is that of the last write that counts, whoever has authority")
    func author() async throws {
        try await shared { ann, ben, space in
            func expectLast(_ name: String) async throws {
                for agent in [ann, ben] {
                    let (memory, record) = (try await memory(agent), try await record(agent))
                    #expect(memory.author.name == name && record.author.name == name)
                    #expect(memory.changed == record.changed)
                }
            }
            _ = try await edit(ben) { $0.text = "by Ben" }
            try exchange(ann, ben, space)
            try await expectLast("Ben")
            // Ann's text is kept behind Ben's.
            _ = try await edit(ann) { $0.text = "by Ann, later" }
            try exchange(ann, ben, space)
            try await expectLast("Ben")
            // Another field is newer than what Ben wrote with authority.
            _ = try await edit(ann) { $0.weather = "sun" }
            try exchange(ann, ben, space)
            try await expectLast("Ann")
        }
    }

    @Test("the same fields are in conflict, and so is a deletion")
    func conflicts() async throws {
        try await TestAgent.shared(.editor) { ann, ben, space in
            try ben.take(space, from: ann)
            _ = try await edit(ann) { ($0.locationName, $0.weather) = ("Siena", "sun") }
            _ = try await edit(ben) { ($0.locationName, $0.weather) = ("Arezzo", "sun") }
            try exchange(ann, ben, space)
            let one = try await memory(ann)
            #expect(one.conflicts.map(\.field) == ["location_name"])
            #expect(try await record(ann).conflicts == ["location_name"])
            // The shown value comes first.
            #expect(one.conflicts.first?.values.first?.text == one.locationName)
            #expect(Set(one.conflicts[0].values.map(\.author.name)) == ["Ann", "Ben"])
            // Deleted by both, and restored by Ann alone.
            _ = try await ann.service.call(\.memories.delete, id: "Duomo")
            try ben.take(space, from: ann)
            _ = try await ben.service.call(\.memories.restore, id: "Duomo")
            _ = try await ben.service.call(\.memories.delete, id: "Duomo")
            _ = try await ann.service.call(\.memories.restore, id: "Duomo")
            try exchange(ann, ben, space)
            for agent in [ann, ben] {
                let fields = try await memory(agent).conflicts.map(\.field)
                #expect(fields == ["deleted", "location_name"])
                #expect(try await record(agent).conflicts == fields)
                let open = try await agent.service.call(\.conflicts.list, ScopeFilter())
                #expect(open.map { $0.field ?? "deleted" } == fields)
            }
        }
    }
}
