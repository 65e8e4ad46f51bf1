import Foundation
import LocalAPI
import Records
import TestDevices
import Testing

@Suite("How names find records")
struct RecordLookupTests {
    private static let schema = """
        schema: 1
        name: shelf
        version: 1
        collections:
          item:
            fields:
              name: { type: text }
              beside: { type: reference, to: item, on_delete: detach }
        """
    private let scope = RecordScope(space: "Home", collection: "item")

    private func home(
        _ names: [String], _ body: (OfflineDevice, [RecordView]) async throws -> Void
    ) async throws {
        try await OfflineDevice.with { agent in
            _ = try await agent.service.call(
                \.spaces.create, SpaceDraft(name: "Home", document: Self.schema))
            var added: [RecordView] = []
            for name in names {
                added.append(
                    try await agent.service.call(
                        \.records.add,
                        RecordDraft(
                            space: "Home", collection: "item", fields: ["name": .text(name)])))
            }
            try await body(agent, added)
        }
    }

    private func meant(_ typed: String, in agent: OfflineDevice) async throws -> String {
        try await agent.service.call(\.records.show, id: typed, scope).id
    }

    @Test("exact name, name in any case, start of an id, start of a name, in this order")
    func rules() async throws {
        let names = ["Milk", "milk", "Milk powder", "abcd", "Ca\u{66}\u{E9}", "two\nlines"]
        try await home(names) { agent, added in
            let start = added[5].id.prefix(8).uppercased()
            // A name of two lines is matched as it is shown.
            let expected = [
                ("Milk", 0), ("milk", 1), ("milk p", 2), ("CAFE\u{301}", 4), ("abc", 3),
                ("two lines", 5), (start, 5),
            ]
            for (typed, place) in expected {
                let found = try await meant(typed, in: agent)
                #expect(found == added[place].id, "\(typed)")
            }
            let near = await #expect(throws: APIError.self) { try await meant("powdr", in: agent) }
            #expect(near == RecordErrors.unknownRecord("item", "powdr", similar: ["Milk powder"]))
            #expect(near?.hint?.hasPrefix("Did you mean “Milk powder”? See what there is:") == true)
            for (typed, count) in [("MILK", 2), ("mil", 3)] {
                let error = await #expect(throws: APIError.self) {
                    try await meant(typed, in: agent)
                }
                #expect(error?.code == .ambiguous && error?.candidates.count == count)
            }
            for typed in [" ", "Beer", "ffffffffffffffffffffffffffffffff0", "'; --"] {
                let error = await #expect(throws: APIError.self) {
                    try await meant(typed, in: agent)
                }
                #expect(error?.code == .notFound)
            }
            await #expect(throws: APIError.emptyName) { try await meant("", in: agent) }
        }
    }

    @Test("a deleted record's name finds another shown record, or none")
    func deletedNames() async throws {
        try await home(["Milk", "Milk"]) { agent, added in
            _ = try await agent.service.call(\.records.delete, id: added[0].id, scope)
            let other = try await meant("Milk", in: agent)
            #expect(other == added[1].id)
            _ = try await agent.service.call(\.records.delete, id: added[1].id, scope)
            await #expect(throws: RecordErrors.unknownRecord("item", "Milk")) {
                try await agent.service.call(\.records.show, id: "Milk", scope)
            }
            _ = try await agent.service.call(\.records.restore, id: added[1].id, scope)
            let restored = try await meant("Mi", in: agent)
            #expect(restored == added[1].id)
        }
    }
}
