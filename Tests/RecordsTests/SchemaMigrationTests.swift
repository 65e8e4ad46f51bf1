import Foundation
import LocalAPI
import Records
import TestDevices
import Testing

@Suite("A schema version that gives fields other types")
struct SchemaMigrationTests {
    private func document(_ version: Int, _ fields: String) -> String {
        """
        schema: 1
        name: shelf
        version: \(version)
        collections:
          thing:
            fields:
              name: { type: text, required: true }
        \(fields)
        """
    }

    private func shelf(
        _ fields: String, _ records: [[String: FieldValue]],
        _ body: (OfflineDevice) async throws -> Void
    ) async throws {
        try await OfflineDevice.with { agent in
            _ = try await agent.service.call(
                \.spaces.create, SpaceDraft(name: "Home", document: document(1, fields)))
            for fields in records {
                _ = try await agent.service.call(
                    \.records.add,
                    RecordDraft(space: "Home", collection: "thing", fields: fields))
            }
            try await body(agent)
        }
    }

    private func migrate(
        _ fields: String, version: Int = 2, in agent: OfflineDevice, preview: Bool = false
    ) async throws -> SchemaMigrationReport {
        var draft = SchemaMigrationDraft(document: document(version, fields))
        (draft.preview, draft.withoutBackup) = (preview, true)
        return try await agent.service.call(\.spaces.migrateSchema, id: "Home", draft)
    }

    private func value(_ name: String, _ field: String, _ agent: OfflineDevice) async throws
        -> FieldValue?
    {
        try await agent.service.call(
            \.records.show, id: name, RecordScope(space: "Home", collection: "thing")
        ).fields[field]
    }

    @Test("A value with an exact equivalent is converted, any other stays and is listed")
    func converts() async throws {
        let things: [[String: FieldValue]] = [
            [
                "name": .text("Box"), "size": .text("12"), "count": .integer(3),
                "price": .decimal("4.00"),
            ],
            ["name": .text("Bag"), "size": .text("large"), "price": .decimal("4.50")],
            ["name": .text("Jar")],
        ]
        let old = """
                  size: { type: text }
                  count: { type: integer }
                  price: { type: decimal }
            """
        let new = """
                  size: { type: integer }
                  count: { type: set, of: { type: text } }
                  price: { type: integer }
            """
        try await shelf(old, things) { agent in
            await #expect(throws: APIError.self) {
                try await agent.service.call(
                    \.spaces.changeSchema, id: "Home", SchemaChange(document: document(2, new)))
            }
            let preview = try await migrate(new, in: agent, preview: true)
            #expect(preview.changes.map(\.kind) == [.changedType, .changedType, .changedType])
            #expect(try await value("Box", "size", agent) == .text("12"))
            let report = try await migrate(new, in: agent)
            #expect(report.done && report.from == 1 && report.to == 2)
            #expect(report.converted.map(\.count) == [1, 1, 1])
            #expect(report.left.map(\.text).sorted() == ["4.50", "large"])
            #expect(try await value("Box", "size", agent) == .integer(12))
            #expect(try await value("Box", "price", agent) == .integer(4))
            #expect(try await value("Box", "count", agent) == .set([.text("3")]))
            #expect(try await value("Bag", "size", agent) == .text("large"))
            await #expect(throws: APIError.self) { try await migrate(new, in: agent) }
        }
    }

    @Test("Removed, renamed and new fields are listed, and only breaking changes are marked")
    func compares() async throws {
        let old = """
                  size: { type: text }
                  colour: { type: text }
            """
        let new = """
                  color: { type: text, was: colour }
                  weight: { type: decimal }
            """
        try await shelf(old, []) { agent in
            let report = try await migrate(new, in: agent, preview: true)
            #expect(report.changes.map(\.kind) == [.renamedField, .addedField, .removedField])
            #expect(report.changes.filter(\.kind.isBreaking).map(\.place) == ["thing.size"])
        }
    }

    @Test("A migration without a place for its backup changes nothing")
    func backsUp() async throws {
        try await shelf(
            "      size: { type: text }", [["name": .text("Box"), "size": .text("12")]]
        ) { agent in
            let draft = SchemaMigrationDraft(
                document: document(2, "      size: { type: integer }"))
            await #expect(throws: APIError.self) {
                try await agent.service.call(\.spaces.migrateSchema, id: "Home", draft)
            }
            let size = try await value("Box", "size", agent)
            #expect(size == .text("12"))
        }
    }

    @Test(
        "A set that becomes one value is converted if it has one element, and listed otherwise"
    )
    func setsAndValues() async throws {
        let things: [[String: FieldValue]] = [
            [
                "name": .text("Box"), "tags": .set([.text("a")]),
                "numbers": .set([.text("1"), .text("2")]),
            ],
            ["name": .text("Bag"), "tags": .set([.text("a"), .text("b")])],
        ]
        let old = """
                  tags: { type: set, of: { type: text } }
                  numbers: { type: set, of: { type: text } }
                  here: { type: text, local: true }
            """
        func new(_ here: String) -> String {
            """
                  tags: { type: text }
                  numbers: { type: set, of: { type: integer } }
                  here: { \(here) }
            """
        }
        try await shelf(old, things) { agent in
            await #expect(throws: APIError.self) {
                try await migrate(new("type: text"), in: agent)
            }
            let report = try await migrate(new("type: text, local: true"), in: agent)
            #expect(report.converted.map(\.count) == [1, 1])
            #expect(report.left.map(\.text).sorted() == ["a", "b"])
            let (tags, numbers) = (
                try await value("Box", "tags", agent), try await value("Box", "numbers", agent)
            )
            #expect(tags == .text("a") && numbers == .set([.integer(1), .integer(2)]))
        }
    }

    @Test("A field that becomes a set for the second time has the value that it had between")
    func setAgain() async throws {
        // given
        let set = "      tags: { type: set, of: { type: text } }"
        let things: [[String: FieldValue]] = [["name": .text("Box"), "tags": .set([.text("a")])]]
        try await shelf(set, things) { agent in
            _ = try await migrate("      tags: { type: text }", in: agent)
            #expect(try await value("Box", "tags", agent) == .text("a"))
            // when
            let report = try await migrate(set, version: 3, in: agent)
            // then
            #expect(report.converted.map(\.count) == [1])
            #expect(try await value("Box", "tags", agent) == .set([.text("a")]))
        }
    }

    @Test(
        "A time without zone and a position with a radius have no equivalent in the other type")
    func sameWords() async throws {
        let things: [[String: FieldValue]] = [
            ["name": .text("Box"), "at": .text("2024-05-11 10:00+02:00")],
            ["name": .text("Bag"), "at": .text("now")],
            ["name": .text("Jar"), "at": .text("2024-05-11")],
        ]
        try await shelf("      at: { type: text }", things) { agent in
            let report = try await migrate("      at: { type: time }", in: agent)
            #expect(report.converted.map(\.count) == [1])
            #expect(report.left.map(\.text).sorted() == ["2024-05-11", "now"])
        }
    }

    @Test(
        "Where types changed, status says that which rows of a data set people changed is not known"
    )
    func appliedSet() async throws {
        try await shelf("      size: { type: text }", []) { agent in
            // given
            let folder = agent.folder + "/set"
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: false)
            let manifest = """
                dataset: 1
                name: things
                schema: shelf
                reference:
                  version: 1
                  collections:
                    thing: { file: things.csv, key: code }
                """
            for (name, text) in [
                ("dataset.yaml", manifest), ("things.csv", "code,name,size\nbo,Box,large\n"),
            ] {
                try Data(text.utf8).write(to: URL(filePath: folder + "/" + name))
            }
            _ = try await agent.service.call(
                \.schemas.applySet, DataSetDraft(path: folder, space: "Home"))
            func sets() async throws -> [AppliedSetView] {
                try await agent.service.call(\.schemas.appliedSets, DataSetFilter())
            }
            #expect(try await sets().map(\.incomparable) == [nil])
            // when
            _ = try await migrate("      size: { type: integer }", in: agent)
            // then
            #expect(try await sets().map(\.incomparable) == [true])
        }
    }
}
