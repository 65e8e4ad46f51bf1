import LocalAPI
import Records
import Store
import SyncCore
import TestDevices
import Testing

/// Under another version of the schema.
extension UnfinishedRecordTests {
    /// The same schema with other names.
    private func renamed() -> String {
        let replacements = [
            ("of: session", "of: work"), ("to: session", "to: work"),
            ("  session:\n    was", "  work:\n    was"), ("field: minutes", "field: length"),
            ("minutes: { ", "length: { was: minutes, "), ("title: { ", "name: { was: title, "),
        ]
        let document = Self.document(2, finishing: "was: session\n    finished_by: length")
        return replacements.reduce(document) { $0.replacing($1.0, with: $1.1) }
    }

    private func changes(
        of document: String, in agent: TestAgent
    ) async throws -> [SchemaMigrationReport.Change] {
        var draft = SchemaMigrationDraft(document: document)
        draft.preview = true
        return try await agent.service.call(\.spaces.migrateSchema, id: "Focus", draft).changes
    }

    private func follow(_ document: String, in agent: TestAgent) async throws {
        _ = try await agent.service.call(
            \.spaces.changeSchema, id: "Focus", SchemaChange(document: document))
    }

    @discardableResult
    private func edit(
        _ record: String, _ field: String, _ value: FieldValue, in agent: TestAgent
    ) async throws -> RecordView {
        var changes = RecordChanges(space: "Focus", collection: "work")
        changes.fields = [field: value]
        return try await agent.service.call(\.records.change, id: record, changes)
    }

    @Test("after collection and fields were renamed, it keeps its values and can be finished")
    func otherNames() async throws {
        try await shared { ann, ben, space in
            // given
            try await add("session", ["title": .text("Walk"), "here": .boolean(true)], in: ann)

            // when
            #expect(
                !(try await changes(of: renamed(), in: ann)).contains { $0.kind == .changedFinish })
            try await follow(renamed(), in: ann)

            // then
            let walk = try #require(try await list("work", in: ann).first)
            #expect(walk.name == "Walk" && walk.status == .unfinished)
            #expect(walk.fields["here"] == .boolean(true))
            try await edit("Walk", "name", .text("Long walk"), in: ann)
            #expect(try unfinished(ann, space) == 1)
            try await edit("Long walk", "length", .integer(3), in: ann)
            #expect(try unfinished(ann, space) == 0)
            try ben.receive(space, from: ann)
            #expect(try await list("work", in: ben).map { $0.fields["length"] } == [.integer(3)])
        }
    }

    @Test("if no field finishes a record any more, the next change sends it, with a warning")
    func noFinish() async throws {
        try await shared { ann, ben, space in
            // given
            try await add("session", ["title": .text("Walk")], in: ann)

            // when
            let plain = Self.document(2, finishing: "was: walk")
            let change = try #require(try await changes(of: plain, in: ann).first)
            #expect(change.kind == .changedFinish && !change.kind.isBreaking)
            #expect(change.from == "minutes" && change.to == nil)
            try await follow(plain, in: ann)

            // then
            #expect(try unfinished(ann, space) == 1)
            let sent = try await set("Walk", ["title": .text("Walk")], in: ann)
            #expect(sent.status != .unfinished)
            try ben.receive(space, from: ann)
            #expect(try await list("session", in: ben).map(\.name) == ["Walk"])
        }
    }

    @Test("a field that finishes records from now on does not change those that others have")
    func newFinish() async throws {
        let plain = Self.document(finishing: "was: walk")
        try await TestAgent.with { agent in
            // given
            _ = try await agent.service.call(
                \.spaces.create, SpaceDraft(name: "Focus", document: plain))
            try await add("session", ["title": .text("Walk")], in: agent)

            // when
            let finishing = Self.document(2, finishing: "was: walk\n    finished_by: minutes")
            let change = try #require(try await changes(of: finishing, in: agent).first)
            #expect(change.kind == .changedFinish && change.to == "minutes")
            try await follow(finishing, in: agent)
            try await set("Walk", ["title": .text("Long walk")], in: agent)
            try await add("session", ["title": .text("Run")], in: agent)

            // then
            let statuses = try await list("session", in: agent).map { "\($0.name) \($0.status)" }
            #expect(statuses == ["Long walk localOnly", "Run unfinished"])
        }
    }

    @Test("a migration converts it where it was made, and elsewhere with its next change")
    func migrated() async throws {
        try await shared(.admin) { ann, ben, space in
            // given
            for (agent, title) in [(ann, "Walk"), (ben, "Swim")] {
                try await add(
                    "session", ["title": .text(title), "labels": .set([.text("12")])], in: agent)
            }
            let two = Self.document(2).replacing(
                "labels: { type: set, of: { type: text } }", with: "labels: { type: integer }")
            var draft = SchemaMigrationDraft(document: two)
            draft.withoutBackup = true

            // when
            let report = try await ann.service.call(\.spaces.migrateSchema, id: "Focus", draft)

            // then
            #expect(report.converted.map(\.count) == [1] && report.left.isEmpty)
            #expect(try unfinished(ann, space) == 1)
            #expect(try await show("Walk", in: ann).fields["labels"] == .integer(12))
            try await set("Walk", ["minutes": .integer(3)], in: ann)
            try ben.receive(space, from: ann)
            #expect(try await show("Walk", in: ben).fields["labels"] == .integer(12))

            // when
            let swim = try await set("Swim", ["minutes": .integer(4)], in: ben)
            // then
            #expect(swim.fields["labels"] == .integer(12) && swim.unknown.isEmpty)
            try ann.receive(space, from: ben)
            #expect(try await show("Swim", in: ann).fields["labels"] == .integer(12))
        }
    }

    @Test("if one of several is too large, none is added, and its line is named")
    func tooLarge() async throws {
        try await shared { ann, _, space in
            // given
            let labels = (0..<6).map {
                FieldValue.text("\($0)" + String(repeating: "x", count: 200_000))
            }
            let fields: [[String: FieldValue]] = [
                ["title": .text("Walk"), "minutes": .integer(3)],
                ["title": .text("Swim"), "labels": .set(labels)], ["title": .text("Run")],
            ]
            let draft = RecordBatchDraft(
                space: "Focus", collection: "session",
                records: fields.enumerated().map { .init(fields: $1, line: $0 + 2) })
            // when
            await #expect(throws: APIError.requestTooLarge.inLine(3)) {
                try await ann.service.call(\.records.addBatch, draft)
            }
            // then
            let sessions = try await list("session", in: ann)
            #expect(sessions.isEmpty)
            #expect(try unfinished(ann, space) == 0)
        }
    }
}
