import LocalAPI
import Records
import TestDevices
import Testing

@Suite("Typed field values")
struct TypedFieldTests {
    private static let schema = """
        schema: 1
        name: shelf
        version: 1
        collections:
          book:
            fields:
              name: { type: text, required: true }
              pages: { type: integer }
              topics: { type: set, of: { type: text } }
              cover: { type: blob }
        """

    private let scope = RecordScope(space: "Home", collection: "book")

    private func shelf(_ body: (OfflineDevice) async throws -> Void) async throws {
        try await OfflineDevice.with { agent in
            _ = try await agent.service.call(
                \.spaces.create, SpaceDraft(name: "Home", document: Self.schema))
            _ = try await agent.service.call(
                \.records.add,
                RecordDraft(
                    space: "Home", collection: "book",
                    fields: [
                        "name": typed("Atlas", in: agent), "pages": typed("200", in: agent),
                        "topics": .set([typed("maps", in: agent)]),
                    ]))
            try await body(agent)
        }
    }

    private func typed(_ text: String, in agent: OfflineDevice) -> FieldValue {
        .typed(TypedText(text, folder: agent.folder, zone: "UTC"))
    }

    private func change(
        _ agent: OfflineDevice, _ change: (inout RecordChanges) -> Void
    ) async throws -> RecordView {
        var changes = RecordChanges(space: "Home", collection: "book")
        change(&changes)
        return try await agent.service.call(\.records.change, id: "Atlas", changes)
    }

    @Test("a record is added, changed and found by typed values")
    func reading() async throws {
        try await shelf { agent in
            _ = try agent.file("cover.bin", "cover")
            let changed = try await change(agent) { changes in
                changes.fields = [
                    "pages": typed("210", in: agent), "cover": typed("cover.bin", in: agent),
                ]
                changes.add = ["topics": [typed("sea", in: agent)]]
                changes.remove = ["topics": [typed("maps", in: agent)]]
            }
            #expect(changed.fields["pages"] == .integer(210))
            #expect(changed.fields["topics"] == .set([.text("sea")]))
            guard case .blob(let cover) = changed.fields["cover"] else {
                Issue.record("no file: \(changed.fields)")
                return
            }
            #expect(cover.bytes == 5)
            for (field, text, count) in [
                ("pages", "210", 1), ("pages", "7", 0), ("topics", "sea", 1),
            ] {
                var filter = RecordFilter(space: "Home", collection: "book")
                filter.fields = [field: typed(text, in: agent)]
                let list = try await agent.service.call(\.records.list, filter)
                #expect(list.records.count == count)
                #expect(list.collection?.fields.map(\.name).first == "name")
            }
            let emptied = try await change(agent) { $0.fields = ["cover": typed("", in: agent)] }
            #expect(emptied.fields["cover"] == nil)
        }
    }

    @Test("a value that does not fit is reported, and changes nothing")
    func mistakes() async throws {
        try await shelf { agent in
            let before = try await agent.service.call(\.records.show, id: "Atlas", scope)
            let mistakes: [(String, String, APIError)] = [
                ("pages", "many", .wrongType("pages", type: "integer")),
                ("topics", "sea", RecordErrors.setNeedsElements("topics")),
                ("cover", "none.jpg", .noSuchFile("none.jpg")),
            ]
            for (field, text, error) in mistakes {
                await #expect(throws: error) {
                    try await change(agent) { $0.fields = [field: typed(text, in: agent)] }
                }
            }
            #expect(try await agent.service.call(\.records.show, id: "Atlas", scope) == before)
        }
    }
}
