import LocalAPI
import Records
import SyncCore
import Testing

@Suite("A migration of a schema, and what another device wrote before it came there")
struct SchemaMigrationMeetingTests {
    private func document(_ version: Int, _ field: String) -> String {
        """
        schema: 1
        name: shelf
        version: \(version)
        collections:
          thing:
            fields:
              name: { type: text, required: true }
              size: { \(field) }
        """
    }

    private func show(_ agent: TestAgent) async throws -> RecordView {
        try await agent.service.call(
            \.records.show, id: "Box", RecordScope(space: "Home", collection: "thing"))
    }

    /// Ann makes a box, and Ben, with authority, converts its size while she changes it. Then she gets the result.
    private func meet(
        _ before: String, _ after: String, _ size: FieldValue,
        _ change: (inout RecordChanges) -> Void, _ body: (_ ann: TestAgent) async throws -> Void
    ) async throws {
        try await TestAgent.pair { ann, ben in
            let made = try await ann.service.call(
                \.spaces.create, SpaceDraft(name: "Home", document: document(1, before)))
            let space = try #require(bytes(hexadecimal: made.id).flatMap { SpaceID(bytes: $0) })
            _ = try await ann.service.call(
                \.records.add,
                RecordDraft(
                    space: "Home", collection: "thing",
                    fields: ["name": .text("Box"), "size": size]))
            _ = try await ann.service.call(
                \.trips.sharing.grant, id: "Home",
                GrantDraft(person: "Ben", role: .admin, authority: true))
            try ben.take(space, from: ann)
            var changes = RecordChanges(space: "Home", collection: "thing")
            change(&changes)
            _ = try await ann.service.call(\.records.change, id: "Box", changes)
            var draft = SchemaMigrationDraft(document: document(2, after))
            draft.withoutBackup = true
            let report = try await ben.service.call(\.spaces.migrateSchema, id: "Home", draft)
            #expect(report.converted.map(\.count) == [1])
            try ann.take(space, from: ben)
            try await body(ann)
        }
    }

    @Test("Another value stands beside the converted one, also of an admin with authority")
    func value() async throws {
        try await meet(
            "type: text", "type: integer", .text("12"), { $0.fields["size"] = .text("13") }
        ) { ann in
            // then
            #expect(try await show(ann).conflicts == ["size"])
            let conflict = try #require(
                try await ann.service.call(\.conflicts.list, ScopeFilter()).first)
            #expect(Set(conflict.values.map(\.text)) == ["12", "13"])
        }
    }

    @Test("Another value of a field that became a set is in conflict, and taken into the set")
    func becomesSet() async throws {
        try await meet(
            "type: text", "type: set, of: { type: text }", .text("12"),
            { $0.fields["size"] = .text("13") }
        ) { ann in
            // given
            let box = try await show(ann)
            #expect(box.fields["size"] == .set([.text("12")]) && box.conflicts == ["size"])
            #expect(box.unknown["size"] == .text("13"))
            let conflict = try #require(
                try await ann.service.call(\.conflicts.list, ScopeFilter()).first)
            let number = try #require(conflict.values.firstIndex { $0.text == "13" })
            // when
            _ = try await ann.service.call(
                \.conflicts.resolve, id: conflict.id, ConflictDecision(take: number + 1))
            // then
            let now = try await show(ann)
            #expect(now.fields["size"] == .set([.text("12"), .text("13")]))
            #expect(now.conflicts.isEmpty && now.unknown.isEmpty)
        }
    }

    @Test("An element that was added to a set which became one value is shown beside it")
    func becomesValue() async throws {
        try await meet(
            "type: set, of: { type: text }", "type: text", .set([.text("a")]),
            { $0.add = ["size": [.text("b")]] }
        ) { ann in
            // then
            let box = try await show(ann)
            #expect(box.fields["size"] == .text("a") && box.unknown["size"] == .text("b"))
        }
    }
}
