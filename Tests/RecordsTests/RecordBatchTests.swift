import Device
import Foundation
import LocalAPI
import Records
import Store
import SyncCore
import TestDevices
import Testing

@Suite("Many records added at once")
struct RecordBatchTests {
    private static let schema = """
        schema: 1
        name: groceries
        version: 1
        collections:
          product:
            fields:
              name: { type: text, required: true, search: true }
              note: { type: text, strategy: mergeText }
              labels: { type: set, of: { type: text } }
              place: { type: order }
              in_cart: { type: boolean, local: true }
              photo: { type: blob }
            derived:
              spent: { rule: sum, of: purchase, field: price }
          purchase:
            fields:
              product: { type: reference, to: product, on_delete: restrict, required: true }
              price: { type: decimal, required: true }
        """

    private func home(_ body: (OfflineDevice) async throws -> Void) async throws {
        try await OfflineDevice.with { agent in
            _ = try await agent.service.call(
                \.spaces.create, SpaceDraft(name: "Home", document: Self.schema))
            try await body(agent)
        }
    }

    private func draft(
        _ collection: String, _ records: [[String: FieldValue]]
    ) -> RecordBatchDraft {
        RecordBatchDraft(
            space: "Home", collection: collection,
            records: records.enumerated().map { .init(fields: $1, line: $0 + 2) })
    }

    private func list(_ collection: String, in agent: OfflineDevice) async throws -> [RecordView] {
        try await agent.service.call(
            \.records.list, RecordFilter(space: "Home", collection: collection)
        ).records
    }

    private func sequence(in agent: OfflineDevice) throws -> UInt64 {
        let ledger = try #require(
            agent.node.store.ledgers.values.first { $0.role == .shared })
        return try #require(ledger.watermark.heads.values.first?.sequence)
    }

    @Test("all records of a file are added in its order, after earlier records")
    func added() async throws {
        try await home { agent in
            _ = try await agent.service.call(
                \.records.add,
                RecordDraft(
                    space: "Home", collection: "product", fields: ["name": .text("first")]))
            let before = try sequence(in: agent)
            let names = (0..<40).map { "product \($0)" }
            let report = try await agent.service.call(
                \.records.addBatch,
                draft(
                    "product",
                    names.map {
                        [
                            "name": .text($0), "labels": .set([.text("a"), .text("b")]),
                            "in_cart": .boolean(true),
                        ]
                    }))
            #expect(report.ids.count == 40 && report.commits == 1)
            #expect(try sequence(in: agent) == before + 1)
            let listed = try await list("product", in: agent)
            #expect(listed.map(\.name) == ["first"] + names)
            #expect(Array(listed.map(\.id).dropFirst()) == report.ids)
            #expect(listed[7].fields["labels"] == .set([.text("a"), .text("b")]))
            #expect(listed[7].fields["in_cart"] == .boolean(true))

            let bought = try await agent.service.call(
                \.records.addBatch,
                draft(
                    "purchase",
                    (0..<800).map {
                        [
                            "product": .reference(RecordReference(id: names[$0 % 40])),
                            "price": .decimal("1.10"),
                        ]
                    }))
            #expect(bought.commits == 2)
            #expect(try await list("purchase", in: agent).count == 800)
            let shown = try await agent.service.call(
                \.records.show, id: "product 5", RecordScope(space: "Home", collection: "product"))
            #expect(shown.derived["spent"] == .decimal("22.00"))
        }
    }

    @Test("if one record does not fit, its line is named and nothing is added")
    func refused() async throws {
        try await home { agent in
            let before = try sequence(in: agent)
            let fine: [String: FieldValue] = ["name": .text("Milk")]
            let refused: [([String: FieldValue], APIError)] = [
                (["note": .text("x")], RecordErrors.missingFields(["name"], of: "product")),
                (["name": .null], RecordErrors.requiredField("name")),
                (["name": .integer(1)], .wrongType("name", type: "text")),
                (["name": .text("x"), "spent": .integer(1)], RecordErrors.derivedField("spent")),
                (["name": .text("x"), "place": .text("1")], RecordErrors.orderNeedsPlace("place")),
                (
                    ["name": .text("x"), "photo": .blob(blob("/nowhere/x.jpg"))],
                    .noSuchFile("/nowhere/x.jpg")
                ),
            ]
            for (fields, error) in refused {
                await #expect(throws: error.inLine(4)) {
                    try await agent.service.call(
                        \.records.addBatch, draft("product", [fine, fine, fields, fine]))
                }
            }
            let purchase: [String: FieldValue] = [
                "product": .reference(RecordReference(id: "Milk")), "price": .decimal("1"),
            ]
            await #expect(throws: RecordErrors.unknownRecord("product", "Milk").inRecord(1)) {
                try await agent.service.call(
                    \.records.addBatch,
                    RecordBatchDraft(
                        space: "Home", collection: "purchase", records: [.init(fields: purchase)]))
            }
            await #expect(throws: APIError.nothingToAdd) {
                try await agent.service.call(\.records.addBatch, draft("product", []))
            }
            #expect(try sequence(in: agent) == before)
            #expect(try await list("product", in: agent).isEmpty)
        }
    }

    private func blob(_ path: String) -> BlobReference {
        BlobReference(id: nil, bytes: nil, here: nil, path: path)
    }

    @Test("long texts make more commits, and a record that fits into none is refused at first")
    func large() async throws {
        try await home { agent in
            let long = FieldValue.text(String(repeating: "x", count: 200_000))
            let report = try await agent.service.call(
                \.records.addBatch,
                draft("product", (0..<3).map { ["name": .text("\($0)"), "note": long] }))
            #expect(report.commits == 3)
            let before = try sequence(in: agent)
            let labels = (0..<6).map {
                FieldValue.text("\($0)" + String(repeating: "x", count: 200_000))
            }
            await #expect(throws: APIError.requestTooLarge.inLine(3)) {
                try await agent.service.call(
                    \.records.addBatch,
                    draft(
                        "product",
                        [["name": .text("a")], ["name": .text("b"), "labels": .set(labels)]]))
            }
            #expect(try sequence(in: agent) == before)
        }
    }

    @Test("Another device undoes all of what was added at once by the id of one of its commits")
    func undoneElsewhere() async throws {
        try await OfflineDevice.pair { ann, ben in
            // given
            let made = try await ann.service.call(
                \.spaces.create, SpaceDraft(name: "Home", document: Self.schema))
            _ = try await MemberService(ann.node).grant(
                "Home", GrantDraft(person: "Ben", role: .admin))
            let space = try #require(bytes(hexadecimal: made.id).flatMap { SpaceID(bytes: $0) })
            let added = try await ann.service.call(
                \.records.addBatch,
                draft("product", (0..<2_500).map { ["name": .text("Milk \($0)")] }))
            #expect(added.commits > 1)
            let parts = try ann.node.store.log.history(of: space, limit: added.commits)
            try ben.receive(space, from: ann)
            #expect(try await list("product", in: ben).count == 2_500)
            for part in [parts.first, parts.last].compactMap(\.self) {
                // when
                try await undo(ben) { $0.commit = part.id.description }
                // then
                #expect(try await list("product", in: ben).isEmpty)
                try await redo(ben)
                #expect(try await list("product", in: ben).count == 2_500)
            }
        }
    }

    @Test("Several missing fields are listed with commas, and one and before the last")
    func missingFields() {
        // given, when
        let error = RecordErrors.missingFields(["at", "reps", "kg"], of: "set")
        // then
        #expect(error.sentence == "Every set needs at, reps and kg.")
    }
}
