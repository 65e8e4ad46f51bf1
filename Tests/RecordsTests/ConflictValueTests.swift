import LocalAPI
import Records
import SyncCore
import TestDevices
import Testing

@Suite("Deciding with a value of any type")
struct ConflictValueTests {
    private static let schema = """
        schema: 1
        name: things
        version: 1
        collections:
          thing:
            fields:
              name: { type: text, required: true }
              facts: { type: json }
              kin: { type: reference, to: thing, on_delete: detach }
              weight: { type: decimal }
              photo: { type: blob }
        """

    private let scope = RecordScope(space: "Shed", collection: "thing")

    private func kin(_ name: String) -> FieldValue { .reference(RecordReference(id: name)) }

    /// Ann and Ben each set every field of one record, and then receive the other's values.
    private func apart(
        _ body: (_ ann: OfflineDevice, _ ben: OfflineDevice, _ space: SpaceID) async throws -> Void
    ) async throws {
        try await OfflineDevice.pair { ann, ben in
            let made = try await ann.service.call(
                \.spaces.create, SpaceDraft(name: "Shed", document: Self.schema))
            for name in ["Saw", "Plane", "Rasp", "File"] {
                _ = try await ann.service.call(
                    \.records.add,
                    RecordDraft(
                        space: "Shed", collection: "thing", fields: ["name": .text(name)]))
            }
            _ = try await ann.service.call(
                \.trips.sharing.grant, id: "Shed", GrantDraft(person: "Ben"))
            let space = try #require(
                bytes(hexadecimal: made.id).flatMap { SpaceID(bytes: $0) })
            try ben.receive(space, from: ann)
            for (agent, number, name) in [(ann, "1", "Plane"), (ben, "2", "Rasp")] {
                let path = try agent.file("photo.bin", "photo \(number)")
                var changes = RecordChanges(space: "Shed", collection: "thing")
                changes.fields = [
                    "facts": .json("[\(number)]"), "kin": kin(name), "weight": .decimal(number),
                    "photo": .blob(BlobReference(id: nil, bytes: nil, here: nil, path: path)),
                ]
                _ = try await agent.service.call(\.records.change, id: "Saw", changes)
            }
            try ann.receive(space, from: ben)
            try ben.receive(space, from: ann)
            try await body(ann, ben, space)
        }
    }

    @Test(
        "every type of field can be decided with a new value, a record by name, a file by path",
        arguments: [false, true])
    func types(asTyped: Bool) async throws {
        try await apart { ann, ben, space in
            #expect(try await ann.service.call(\.conflicts.list, ScopeFilter()).count == 4)
            let path = try ann.file("third.bin", "photo 3")
            let values: [String: FieldValue] = [
                "facts": .json("{\"teeth\": 1.50}"), "kin": kin("File"), "weight": .decimal("0.70"),
                "photo": .blob(BlobReference(id: nil, bytes: nil, here: nil, path: path)),
            ]
            let typed = [
                "facts": "{\"teeth\": 1.50}", "kin": "File", "weight": "0.70",
                "photo": "third.bin",
            ].mapValues { FieldValue.typed(TypedText($0, folder: ann.folder, zone: "UTC")) }
            for conflict in try await ann.service.call(\.conflicts.list, ScopeFilter()) {
                let field = try #require(conflict.field)
                _ = try await ann.service.call(
                    \.conflicts.resolve, id: conflict.id,
                    ConflictDecision(value: asTyped ? typed[field] : values[field]))
            }
            try ben.receive(space, from: ann)
            for agent in [ann, ben] {
                #expect(try await agent.service.call(\.conflicts.list, ScopeFilter()).isEmpty)
                let saw = try await agent.service.call(\.records.show, id: "Saw", scope)
                #expect(saw.fields["facts"] == values["facts"])
                #expect(saw.fields["weight"] == values["weight"])
                guard case .reference(let kin) = saw.fields["kin"],
                    case .blob(let photo) = saw.fields["photo"]
                else {
                    Issue.record("no reference or no file: \(saw.fields)")
                    continue
                }
                #expect(kin.name == "File")
                #expect(photo.bytes == 7)
            }
        }
    }

    @Test("a value of the wrong type decides nothing")
    func wrong() async throws {
        try await apart { ann, _, _ in
            let wrong: [String: FieldValue] = [
                "facts": .json("{"), "kin": kin("Hammer"), "weight": .text("heavy"),
                "photo": .text("photo.bin"),
            ]
            for conflict in try await ann.service.call(\.conflicts.list, ScopeFilter()) {
                let field = try #require(conflict.field)
                await #expect(throws: APIError.self) {
                    try await ann.service.call(
                        \.conflicts.resolve, id: conflict.id, ConflictDecision(value: wrong[field]))
                }
            }
            #expect(try await ann.service.call(\.conflicts.list, ScopeFilter()).count == 4)
        }
    }
}
