import Agent
import Device
import Foundation
import LocalAPI
import Node
import Records
import Store
import SyncCore
import TestDevices
import Testing

@Suite("Records of any schema")
struct RecordServiceTests {
    private static let schema = """
        schema: 1
        name: groceries
        version: 1
        collections:
          label:
            fields:
              name: { type: text, required: true }
          product:
            fields:
              name: { type: text, required: true, search: true }
              note: { type: text }
              labels: { type: set, of: { type: reference, to: label, on_delete: detach } }
              place: { type: order }
              seen_here: { type: boolean, local: true }
              facts: { type: json }
              count: { type: integer }
              photo: { type: blob }
            derived:
              best: { rule: minimum, of: purchase, field: price }
              purchases: { rule: count, of: purchase }
          purchase:
            fields:
              product: { type: reference, to: product, on_delete: restrict, required: true }
              price: { type: decimal, required: true }
          receipt:
            fields:
              purchase: { type: reference, to: purchase, on_delete: cascade, required: true }
              title: { type: text }
        """

    /// An agent with a space of that schema, called Home.
    private func home(_ body: (TestAgent) async throws -> Void) async throws {
        try await TestAgent.with { agent in
            _ = try await agent.service.call(
                \.spaces.create, SpaceDraft(name: "Home", document: Self.schema))
            try await body(agent)
        }
    }

    private func scope(_ collection: String) -> RecordScope {
        RecordScope(space: "Home", collection: collection)
    }

    @discardableResult
    private func add(
        _ collection: String, _ fields: [String: FieldValue], in agent: TestAgent,
        at place: RecordPlace? = nil
    ) async throws -> RecordView {
        try await agent.service.call(
            \.records.add,
            RecordDraft(space: "Home", collection: collection, fields: fields, place: place))
    }

    private func list(_ collection: String, in agent: TestAgent) async throws -> [RecordView] {
        try await agent.service.call(
            \.records.list, RecordFilter(space: "Home", collection: collection)
        ).records
    }

    private func reference(_ name: String) -> FieldValue { .reference(RecordReference(id: name)) }

    @Test("a space follows its schema, and is no trip")
    func space() async throws {
        try await home { agent in
            #expect(try await agent.service.call(\.spaces.list).map(\.schema) == ["groceries"])
            #expect(try await agent.service.call(\.trips.list).isEmpty)
            #expect(
                try await agent.service.call(\.spaces.schema, id: "Home").document == Self.schema)
            await #expect(
                throws: APIError(
                    code: .badInput,
                    sentence: "“Home” is no trip: it follows “groceries”.",
                    hint: "Its records: peersync record list Home COLLECTION")
            ) {
                try await agent.service.call(\.memories.add, MemoryDraft(trip: "Home"))
            }
            // A second space names the schema; the journal needs no file.
            let second = try await agent.service.call(
                \.spaces.create, SpaceDraft(name: "Flat", schema: "groceries"))
            #expect(second.schema == "groceries")
            #expect(
                try await agent.service.call(\.spaces.create, SpaceDraft(name: "Trip")).schema
                    == "journal")
            #expect(
                try await agent.service.call(\.schemas.list).map(\.name) == [
                    "groceries", "journal",
                ])
        }
    }

    @Test("every value is read as it was written, byte for byte")
    func fidelity() async throws {
        try await home { agent in
            let texts = [
                "", " ", "\u{65}\u{301}", "\u{E9}", "👩‍👩‍👧🍝", "a\u{0}b", "\r\n\t", "١٢٣", "-0",
                "null", "\u{FEFF}x",
            ]
            for text in texts {
                let added = try await add(
                    "product", ["name": .text("x"), "note": .text(text)], in: agent)
                let shown = try await agent.service.call(
                    \.records.show, id: added.id, scope("product"))
                guard case .text(let back) = shown.fields["note"] else {
                    Issue.record("no text for \(text.debugDescription)")
                    continue
                }
                #expect(Array(back.utf8) == Array(text.utf8))
            }
            for number in [Int64.min, -1, 0, .max] {
                let added = try await add(
                    "product", ["name": .text("n"), "count": .integer(number)], in: agent)
                #expect(added.fields["count"] == .integer(number))
            }
            let json = "{\"b\": 1.10, \"a\" : [null , 1e400]}"
            let added = try await add(
                "product", ["name": .text("j"), "facts": .json(json)], in: agent)
            #expect(added.fields["facts"] == .json(json))
            let milk = try await add("product", ["name": .text("Milk")], in: agent)
            for digits in ["3.90", "0003.9", "-0.0", "12345678901234567890.123456789"] {
                let bought = try await add(
                    "purchase", ["product": reference(milk.id), "price": .decimal(digits)],
                    in: agent)
                #expect(bought.fields["price"] == .decimal(digits))
            }
        }
    }

    @Test("values that do not fit the schema are refused with one sentence, and change nothing")
    func refusals() async throws {
        try await home { agent in
            try await add("product", ["name": .text("Milk")], in: agent)
            let refused: [([String: FieldValue], APIError)] = [
                (["note": .text("x")], RecordErrors.missingFields(["name"], of: "product")),
                (["name": .integer(1)], .wrongType("name", type: "text")),
                (["name": .null], RecordErrors.requiredField("name")),
                (["name": .text("x"), "count": .text("1")], .wrongType("count", type: "integer")),
                (["name": .text("x"), "best": .integer(1)], RecordErrors.derivedField("best")),
                (["name": .text("x"), "place": .text("1")], RecordErrors.orderNeedsPlace("place")),
                (
                    ["name": .text("x"), "labels": .text("y")],
                    RecordErrors.setNeedsElements("labels")
                ),
                (["name": .text("x"), "facts": .json("{")], .wrongType("facts", type: "json")),
            ]
            for (fields, error) in refused {
                await #expect(throws: error) { try await add("product", fields, in: agent) }
            }
            let unknown = await #expect(throws: APIError.self) {
                try await add("product", ["name": .text("x"), "color": .text("y")], in: agent)
            }
            #expect(unknown?.sentence.contains("color") == true)
            await #expect(throws: RecordErrors.unknownRecord("product", "Beer")) {
                try await add(
                    "purchase", ["product": reference("Beer"), "price": .decimal("1")], in: agent)
            }
            await #expect(throws: APIError.wrongType("price", type: "decimal")) {
                try await add(
                    "purchase", ["product": reference("Milk"), "price": .decimal("1,20")],
                    in: agent)
            }
            let own = await #expect(throws: APIError.self) {
                try await add("space_profile", ["name": .text("x")], in: agent)
            }
            #expect(own?.sentence == "Records of space_profile are written by peersync itself.")
            #expect(try await list("product", in: agent).map(\.name) == ["Milk"])
            #expect(try await list("purchase", in: agent).isEmpty)
        }
    }

    @Test("derived values follow their sources at once")
    func derived() async throws {
        try await home { agent in
            try await add("product", ["name": .text("Milk")], in: agent)
            try await add("product", ["name": .text("Salt")], in: agent)
            for price in ["1.59", "1.29", "10"] {
                try await add(
                    "purchase", ["product": reference("Milk"), "price": .decimal(price)], in: agent)
            }
            let milk = try await agent.service.call(\.records.show, id: "Milk", scope("product"))
            #expect(milk.derived == ["best": .decimal("1.29"), "purchases": .integer(3)])
            #expect(
                try await list("product", in: agent).map(\.derived)
                    == [milk.derived, ["purchases": .integer(0)]])
            let cheapest = try await agent.service.call(
                \.records.list, filter("price", .decimal("1.29"))
            ).records
            _ = try await agent.service.call(
                \.records.delete, id: cheapest[0].id, scope("purchase"))
            #expect(
                try await agent.service.call(\.records.show, id: "Milk", scope("product")).derived[
                    "best"]
                    == .decimal("1.59"))
        }
    }

    private func filter(_ field: String, _ value: FieldValue) -> RecordFilter {
        var filter = RecordFilter(space: "Home", collection: "purchase")
        filter.fields = [field: value]
        return filter
    }

    @Test("order is by neighbours, sets by element, local values stay on this device")
    func changes() async throws {
        try await home { agent in
            for name in ["a", "b", "c"] {
                try await add("product", ["name": .text(name)], in: agent)
            }
            try await add(
                "product", ["name": .text("d")], in: agent, at: RecordPlace(before: "b"))
            try await add(
                "product", ["name": .text("e")], in: agent, at: RecordPlace(first: true))
            var move = RecordChanges(space: "Home", collection: "product")
            move.place = RecordPlace(after: "c")
            _ = try await agent.service.call(\.records.change, id: "a", move)
            #expect(try await list("product", in: agent).map(\.name) == ["e", "d", "b", "c", "a"])

            try await add("label", ["name": .text("cold")], in: agent)
            try await add("label", ["name": .text("daily")], in: agent)
            var labels = RecordChanges(space: "Home", collection: "product")
            labels.add = ["labels": [reference("cold"), reference("daily")]]
            labels.fields = ["seen_here": .boolean(true)]
            _ = try await agent.service.call(\.records.change, id: "a", labels)
            labels.add = [:]
            labels.fields = [:]
            labels.remove = ["labels": [reference("cold")]]
            let changed = try await agent.service.call(\.records.change, id: "a", labels)
            guard case .set(let elements) = changed.fields["labels"],
                case .reference(let label) = elements.first
            else {
                Issue.record("no labels")
                return
            }
            #expect(elements.count == 1 && label.name == "daily" && label.state == .shown)
            #expect(changed.fields["seen_here"] == .boolean(true))
            let space = try #require(
                agent.node.store.ledgers.first { $0.value.role == .shared }?.key)
            let key = RecordKey(
                collection: "product",
                record: try #require(bytes(hexadecimal: changed.id).flatMap { RecordID(bytes: $0) })
            )
            let state = try #require(try agent.node.store.records.record(key, of: space))
            #expect(state.fields["seen_here"] == nil, "a local value is in no log")
        }
    }

    @Test("restrict refuses a deletion, cascade hides dependents, detach shows an empty field")
    func references() async throws {
        try await home { agent in
            try await add("label", ["name": .text("cold")], in: agent)
            let milk = try await add(
                "product", ["name": .text("Milk"), "labels": .set([reference("cold")])], in: agent)
            let bought = try await add(
                "purchase", ["product": reference("Milk"), "price": .decimal("1.29")], in: agent)
            try await add(
                "receipt", ["purchase": reference(bought.id), "title": .text("slip")], in: agent)

            let error = await #expect(throws: APIError.self) {
                try await agent.service.call(\.records.delete, id: "Milk", scope("product"))
            }
            #expect(error?.code == .conflict)
            _ = try await agent.service.call(\.records.delete, id: "cold", scope("label"))
            let shown = try await agent.service.call(\.records.show, id: "Milk", scope("product"))
            guard case .set(let labels) = shown.fields["labels"],
                case .reference(let label) = labels.first
            else {
                Issue.record("no labels")
                return
            }
            #expect(label.state == .deleted)

            _ = try await agent.service.call(\.records.delete, id: bought.id, scope("purchase"))
            #expect(try await list("receipt", in: agent).isEmpty)
            _ = try await agent.service.call(\.records.delete, id: milk.id, scope("product"))
            #expect(try await list("product", in: agent).isEmpty)
            _ = try await agent.service.call(\.records.restore, id: "Milk", scope("product"))
            _ = try await agent.service.call(\.records.restore, id: bought.id, scope("purchase"))
            #expect(try await list("receipt", in: agent).map(\.name) == ["slip"])
        }
    }

    @Test("saving a form does not overwrite changes that arrived while it was open")
    func seen() async throws {
        try await home { agent in
            let opened = try await add(
                "product", ["name": .text("Milk"), "note": .text("old")], in: agent)
            var arrived = RecordChanges(space: "Home", collection: "product")
            arrived.fields = ["note": .text("arrived")]
            _ = try await agent.service.call(\.records.change, id: "Milk", arrived)

            var save = RecordChanges(space: "Home", collection: "product")
            save.fields = ["note": .text("saved")]
            save.seen = opened.seen
            let saved = try await agent.service.call(\.records.change, id: "Milk", save)
            #expect(saved.conflicts == ["note"])

            save.seen = saved.seen
            #expect(
                try await agent.service.call(\.records.change, id: "Milk", save).conflicts.isEmpty)
            save.seen = "nonsense"
            let token = await #expect(throws: APIError.self) {
                try await agent.service.call(\.records.change, id: "Milk", save)
            }
            #expect(token?.sentence == "What was seen is named in a form that makes no sense.")
        }
    }

    @Test("a set saved with the token of its reading keeps elements that arrived meanwhile")
    func seenSets() async throws {
        try await home { agent in
            for name in ["a", "b", "c"] { try await add("label", ["name": .text(name)], in: agent) }
            func label(_ name: String) async throws -> FieldValue {
                let id = try await agent.service.call(\.records.show, id: name, scope("label")).id
                return .reference(RecordReference(id: id))
            }
            let (a, b, c) = (try await label("a"), try await label("b"), try await label("c"))
            let opened = try await add(
                "product", ["name": .text("Milk"), "labels": .set([a])], in: agent)
            var arrived = RecordChanges(space: "Home", collection: "product")
            arrived.add = ["labels": [b]]
            _ = try await agent.service.call(\.records.change, id: "Milk", arrived)

            var save = RecordChanges(space: "Home", collection: "product")
            save.fields = ["labels": .set([c])]
            save.seen = opened.seen
            let saved = try await agent.service.call(\.records.change, id: "Milk", save)
            guard case .set(let labels) = saved.fields["labels"] else {
                Issue.record("no labels")
                return
            }
            let names = labels.compactMap { label in
                if case .reference(let record) = label { record.name } else { nil }
            }
            #expect(Set(names) == ["b", "c"])
        }
    }

    @Test("a person's settings are records of the home space, and trips have records too")
    func otherSpaces() async throws {
        try await TestAgent.with { agent in
            let added = try await agent.service.call(
                \.records.add,
                RecordDraft(
                    space: "home", collection: "setting",
                    fields: ["name": .text("theme"), "value": .json("\"dark\"")]))
            #expect(added.space.name == "home")
            _ = try await agent.service.call(\.trips.create, TripDraft(name: "Crete"))
            var memory = MemoryDraft(trip: "Crete")
            memory.title = "Beach"
            _ = try await agent.service.call(\.memories.add, memory)
            let scope = RecordScope(space: "Crete", collection: "memory")
            #expect(
                try await agent.service.call(\.records.show, id: "Beach", scope).fields["title"]
                    == .text("Beach"))
        }
    }

    @Test("another version of a schema needs a higher number, and no field of another type")
    func change() async throws {
        try await home { agent in
            try await add("product", ["name": .text("Milk"), "note": .text("blue")], in: agent)
            func change(_ edit: (String) -> String) async throws -> SchemaView {
                try await agent.service.call(
                    \.spaces.changeSchema, id: "Home", SchemaChange(document: edit(Self.schema)))
            }
            await #expect(
                throws: APIError(
                    code: .conflict,
                    sentence: "The space follows version 1 of its schema; this is version 1.",
                    hint: "Raise `version` in the file: the highest one is followed everywhere.")
            ) {
                try await change { $0 + "\n" }
            }
            await #expect(
                throws: APIError(
                    code: .conflict,
                    sentence:
                        "product.count is a integer now and would be a text: what is written would not fit.",
                    hint: """
                        Give the new field another name, and keep the old one beside it. To convert what is written: \
                        peersync schema migrate SPACE FILE
                        """)
            ) {
                try await change {
                    $0.replacing("version: 1", with: "version: 2")
                        .replacing("count: { type: integer }", with: "count: { type: text }")
                }
            }
            let changed = try await change {
                $0.replacing("version: 1", with: "version: 2")
                    .replacing("note: { type: text }", with: "remark: { type: text, was: note }")
            }
            #expect(changed.version == 2)
            let milk = try await agent.service.call(\.records.show, id: "Milk", scope("product"))
            #expect(milk.fields["remark"] == .text("blue"))
            // A newer program's format: records stay, and nobody writes here.
            let newer = await #expect(throws: APIError.self) {
                try await change { _ in "schema: 2\nname: groceries\nversion: 3\n" }
            }
            #expect(newer?.code == .badInput)
        }
    }

    @Test("a space with a schema for newer programs is kept, and is read-only with the reason")
    func newerFormat() async throws {
        try await home { agent in
            try await add("product", ["name": .text("Milk")], in: agent)
            let space = try #require(
                agent.node.store.ledgers.first { $0.value.role == .shared }?.key)
            let document = Array("schema: 2\nname: groceries\nversion: 3\n".utf8)
            let pin = SchemaPin(
                schema: SchemaID(Label.schema.hash(document)), version: 3, document: document)
            let done = try agent.node.work.append(to: space) { _ in
                CommitDraft(clear: ClearPart(schema: pin), operations: [])
            }
            #expect(done.failures.isEmpty)

            let listed = try await agent.service.call(\.spaces.list)
            #expect(listed.map(\.name) == ["Home"] && listed[0].schema == nil)
            let told = try await agent.service.call(\.agent.status).problems
                .first { $0.kind == .schemaObstacle }
            #expect(told?.sentence.hasPrefix("A newer peersync made the schema of “Home”.") == true)
            #expect(told?.remedy == Sentence.Problem.updateHere.text)
            await #expect(throws: SpaceErrors.schemaNotFollowed(.newer)) {
                try await agent.service.call(
                    \.records.add,
                    RecordDraft(
                        space: listed[0].id, collection: "product", fields: ["name": .text("x")]))
            }
            await #expect(throws: SpaceErrors.schemaNotFollowed(.newer)) {
                try await agent.service.call(\.memories.add, MemoryDraft(trip: "Home"))
            }
            await #expect(throws: SpaceErrors.schemaNotFollowed(.newer)) {
                try await agent.service.call(
                    \.records.list, RecordFilter(space: listed[0].id, collection: "product"))
            }
        }
    }

    @Test("fields of newer programs are kept, shown as stored, and understood later")
    func unknown() async throws {
        try await home { agent in
            let milk = try await add("product", ["name": .text("Milk")], in: agent)
            let space = try #require(
                agent.node.store.ledgers.first { $0.value.role == .shared }?.key)
            let id = try #require(bytes(hexadecimal: milk.id).flatMap { RecordID(bytes: $0) })
            let operations = [
                RecordOperation(
                    collection: "product", record: id,
                    writes: [
                        Write(field: "origin", value: .text("Hof \u{65}\u{301}")),
                        Write(field: "kind", value: .unknown([0xF0, 1, 1])),
                    ]),
                RecordOperation(
                    collection: "pantry", record: id,
                    writes: [Write(field: "name", value: .text("Shelf"))]),
            ]
            _ = try agent.node.work.append(to: space) { _ in
                CommitDraft(operations: operations)
            }

            var changes = RecordChanges(space: "Home", collection: "product")
            changes.fields = ["note": .text("x")]
            let changed = try await agent.service.call(\.records.change, id: "Milk", changes)
            #expect(changed.unknown["origin"] == .text("Hof \u{65}\u{301}"))
            #expect(changed.unknown["kind"] == .unknown("f00101"))

            let next = Self.schema.replacing("version: 1", with: "version: 2")
                .replacing(
                    "note: { type: text }",
                    with: "note: { type: text }\n      origin: { type: text }"
                )
                .replacing(
                    "collections:",
                    with: "collections:\n  pantry:\n    fields:\n      name: { type: text }")
            _ = try await agent.service.call(
                \.spaces.changeSchema, id: "Home", SchemaChange(document: next))
            let known = try await agent.service.call(\.records.show, id: "Milk", scope("product"))
            #expect(known.fields["origin"] == .text("Hof \u{65}\u{301}"))
            #expect(known.unknown == ["kind": .unknown("f00101")])
            #expect(try await list("pantry", in: agent).map(\.name) == ["Shelf"])
        }
    }
}
