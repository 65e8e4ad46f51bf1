import Journal
import LocalAPI
import Records
import Store
import SyncCore
import TestDevices
import Testing

@Suite("A space whose schema changes")
struct SchemaChangeTests {
    /// A space with things; the fields and the name of the collection are parameters.
    private func document(_ version: Int, _ collection: String, _ fields: String) -> String {
        """
        schema: 1
        name: shelf
        version: \(version)
        collections:
        \(collection)
            fields:
              name: { type: text, required: true }
        \(fields)
        """
    }

    private func shelf(
        _ fields: String, _ body: (OfflineDevice) async throws -> Void
    ) async throws {
        try await OfflineDevice.with { agent in
            _ = try await agent.service.call(
                \.spaces.create, SpaceDraft(name: "Home", document: document(1, "  thing:", fields))
            )
            try await body(agent)
        }
    }

    private func change(
        _ version: Int, _ collection: String, _ fields: String, in agent: OfflineDevice
    ) async throws {
        _ = try await agent.service.call(
            \.spaces.changeSchema, id: "Home",
            SchemaChange(document: document(version, collection, fields)))
    }

    @Test("a field renamed twice keeps both old names, and the values written under them")
    func twice() async throws {
        try await shelf("      a: { type: text }") { agent in
            _ = try await agent.service.call(
                \.records.add,
                RecordDraft(
                    space: "Home", collection: "thing",
                    fields: ["name": .text("Book"), "a": .text("old")]))
            try await change(2, "  thing:", "      b: { type: text, was: a }", in: agent)
            await #expect(
                throws: APIError(
                    code: .conflict,
                    sentence:
                        "What was written to thing.c under an earlier name would not be shown.",
                    hint: """
                        Under `was:` list all that it was called, each in a line of its own: \
                        - a, - b
                        """)
            ) {
                try await change(3, "  thing:", "      c: { type: text, was: b }", in: agent)
            }
            let both = "      c:\n        type: text\n        was:\n          - b\n          - a"
            try await change(3, "  thing:", both, in: agent)
            let scope = RecordScope(space: "Home", collection: "thing")
            let book = try await agent.service.call(\.records.show, id: "Book", scope)
            #expect(book.fields["c"] == .text("old"))
            await #expect(
                throws: APIError(
                    code: .conflict,
                    sentence:
                        "What was written to thing.c under an earlier name would not be shown.",
                    hint: """
                        Under `was:` list all that it was called, each in a line of its own: \
                        - b, - a
                        """)
            ) {
                try await change(4, "  thing:", "      c: { type: text }", in: agent)
            }
        }
    }

    @Test(
        "a device's local values keep their place under new names, and can be cleared there")
    func localValues() async throws {
        try await shelf("      here: { type: text, local: true }") { agent in
            _ = try await agent.service.call(
                \.records.add,
                RecordDraft(
                    space: "Home", collection: "thing",
                    fields: ["name": .text("Book"), "here": .text("tracker")]))
            try await change(
                2, "  item:\n    was: thing", "      at: { type: text, local: true, was: here }",
                in: agent)
            let scope = RecordScope(space: "Home", collection: "item")
            #expect(
                try await agent.service.call(\.records.show, id: "Book", scope).fields["at"]
                    == .text("tracker"))
            var clearing = RecordChanges(space: "Home", collection: "item")
            clearing.fields = ["at": .null]
            let cleared = try await agent.service.call(\.records.change, id: "Book", clearing)
            #expect(cleared.fields["at"] == nil)
        }
    }

    @Test("a schema with the journal's name is not mistaken for the journal")
    func ownJournal() async throws {
        try await OfflineDevice.with { agent in
            let own =
                String(decoding: BuiltInSchema.journal.document, as: UTF8.self) + """
                      note:
                        fields:
                          text: { type: text }

                    """
            let made = try await agent.service.call(
                \.spaces.create, SpaceDraft(name: "Mine", document: own))
            #expect(made.schema == "journal")
            let schema = try await agent.service.call(\.spaces.schema, id: "Mine")
            #expect(schema.collections.map(\.name).contains("note"))
            var memory = MemoryDraft(trip: "Mine")
            memory.title = "Beach"
            _ = try await agent.service.call(\.memories.add, memory)
        }
    }
}
