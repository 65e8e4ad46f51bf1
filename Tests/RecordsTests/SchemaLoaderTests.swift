import Records
import SyncCore
import Testing

@Suite("Schema documents")
struct SchemaLoaderTests {
    private func load(_ text: String) throws -> Schema {
        try SchemaLoader.load(Array(text.utf8))
    }

    private func mistakes(_ text: String) -> [SchemaLoader.Mistake] {
        let failure = #expect(throws: SchemaLoader.Failure.self) { try load(text) }
        return failure?.mistakes ?? []
    }

    private static let groceries = """
        schema: 1
        name: groceries
        version: 3
        collections:
          product:
            was: article
            fields:
              name: { type: text, required: true, search: true }
              note: { type: text, strategy: mergeText, was: remark }
              labels: { type: set, of: { type: text } }
              place: { type: order }
              opened: { type: boolean, local: true }
            derived:
              best_price: { rule: minimum, of: purchase, field: price }
              last_price: { rule: last, of: purchase, through: product, field: price, by: at }
              purchases: { rule: count, of: purchase }
          purchase:
            fields:
              product: { type: reference, to: product, on_delete: restrict, required: true }
              price: { type: decimal, required: true }
              at: { type: time }
        """

    @Test("reads everything that a schema can contain")
    func everything() throws {
        // when
        let schema = try load(Self.groceries)

        // then
        #expect(schema.version == 3)
        let product = try #require(schema.collection("product"))
        #expect(product.formerNames == ["article"])
        #expect(product.field("name")?.isRequired == true)
        #expect(product.field("note")?.strategy == .mergeText)
        #expect(product.field("note")?.formerNames == ["remark"])
        #expect(product.field("opened")?.isLocal == true)
        #expect(product.orderField?.name == "place")
        #expect(product.titleField?.name == "name")
        #expect(product.derived.map(\.rule) == [.minimum, .last, .count])
        // One reference field need not be named.
        #expect(product.derived.map(\.through) == ["product", "product", "product"])
        #expect(schema.collection(Schema.spaceProfile) != nil)
    }

    @Test("every mistake is named, with its line and its place")
    func everyMistake() throws {
        // given
        let text = """
            schema: 1
            name: x
            version: two
            collections:
              Product:
                fields:
                  name: { type: txt }
              purchase:
                fields:
                  product: { type: reference, to: nothing, on_delete: explode }
                  price: { type: decimal, strategy: longest, requierd: true }
                  tags: { type: set, of: { type: set } }
                  seen: { type: text, local: true, search: true }
              space_profile:
                fields:
                  name: { type: text }
            """

        // when
        let found = mistakes(text)

        // then
        let places = found.map { "\($0.line) \($0.path)" }
        #expect(
            places == [
                "3 version", "5 collections", "7 collections.Product.fields.name",
                "10 collections.purchase.fields.product",
                "10 collections.purchase.fields.product",
                "11 collections.purchase.fields.price", "11 collections.purchase.fields.price",
                "12 collections.purchase.fields.tags.of", "13 collections.purchase.fields.seen",
                "14 collections.space_profile",
            ])
        #expect(found.contains { $0.reason.contains("requierd") })
    }

    @Test(
        "duplicate names, and derived values without a source, are mistakes",
        arguments: [
            ("was: b", "    fields:\n      a: { type: text, was: b }\n      b: { type: text }"),
            (
                "derived",
                "    fields:\n      a: { type: text }\n    derived:\n      a: { rule: count, of: c }"
            ),
            (
                "of",
                "    fields:\n      a: { type: text }\n    derived:\n      n: { rule: count, of: d }"
            ),
            (
                "sum of texts",
                "    fields:\n      a: { type: text }\n      r: { type: reference, to: c, on_delete: detach }\n"
                    + "    derived:\n      n: { rule: sum, of: c, field: a }"
            ),
            (
                "first without by",
                "    fields:\n      a: { type: text }\n      r: { type: reference, to: c, on_delete: detach }\n"
                    + "    derived:\n      n: { rule: first, of: c, field: a }"
            ),
            ("two orders", "    fields:\n      a: { type: order }\n      b: { type: order }"),
            (
                "cascade of a set",
                "    fields:\n      a: { type: set, of: { type: reference, to: c, on_delete: cascade } }"
            ),
        ])
    func taken(what: String, collection: String) {
        let found = mistakes("schema: 1\nname: x\nversion: 1\ncollections:\n  c:\n" + collection)
        #expect(!found.isEmpty, "\(what)")
    }

    @Test("a format of newer programs differs from a mistake")
    func newer() {
        let failure = #expect(throws: SchemaLoader.Failure.self) {
            try load("schema: 2\nname: x\nshape: new\n")
        }
        #expect(failure?.isNewer == true)
        let wrong = #expect(throws: SchemaLoader.Failure.self) { try load("schema: 0\n") }
        #expect(wrong?.isNewer == false)
    }

    @Test(
        "an unknown strategy, type, rule or word may come from a newer program",
        arguments: [
            ("a: { type: text, strategy: mergeText2 }", true),
            ("a: { type: duration }", true), ("a: { type: text, unit: metres }", true),
            ("a: { type: blob, kind: scan }", true),
            ("a: { type: reference, to: c, on_delete: archive }", true),
            ("a: { type: text, strategy: union }", false),
            ("a: { type: text, search: maybe }", false),
            ("a: { type: reference, to: d, on_delete: detach }", false),
        ])
    func newerWords(field: String, isNewer: Bool) {
        let failure = #expect(throws: SchemaLoader.Failure.self) {
            try load(
                "schema: 1\nname: x\nversion: 1\ncollections:\n  c:\n    fields:\n      \(field)\n")
        }
        #expect(failure?.isNewer == isNewer)
    }

    @Test("a collection can name the field that finishes a record, beside its derived values")
    func finishing() throws {
        // when
        let schema = try load(
            """
            schema: 1
            name: focus
            version: 1
            collections:
              project:
                fields:
                  name: { type: text }
              session:
                finished_by: ended
                fields:
                  ended: { type: time }
                  project: { type: reference, to: session, on_delete: detach }
                derived:
                  parts: { rule: count, of: session }
            """)

        // then
        #expect(schema.collection("session")?.finishedBy == "ended")
        #expect(schema.collection("session")?.derived.count == 1)
        #expect(schema.collection("project")?.finishedBy == nil)
    }

    @Test(
        "a record is finished by one of its fields that is optional and not local",
        arguments: [
            ("b", "a: { type: text }"), ("a", "a: { type: text, required: true }"),
            ("a", "a: { type: text, local: true }"), ("a", "a: { type: order }"),
            ("a", "a: { type: set, of: { type: text } }"), ("a", "a: { type: blob }"),
            ("a", "a: { type: text }\n      f: { type: blob, required: true }"),
        ])
    func wrongFinish(named: String, fields: String) {
        let head = "schema: 1\nname: x\nversion: 1\ncollections:\n  c:\n"
        let found = mistakes(head + "    finished_by: \(named)\n    fields:\n      \(fields)\n")
        #expect(found.map(\.path) == ["collections.c.finished_by"])
        #expect(found.map(\.line) == [6])
    }

    @Test("an unknown word of a collection may come from a newer program")
    func newerFinish() {
        let failure = #expect(throws: SchemaLoader.Failure.self) {
            try load(
                "schema: 1\nname: x\nversion: 1\ncollections:\n  c:\n    kept_by: a\n    fields:\n"
                    + "      a: { type: text }\n")
        }
        #expect(failure?.isNewer == true)
    }

    @Test("writes under former names go to the present fields")
    func renames() throws {
        let schema = try load(Self.groceries)
        let record = RecordID(.zero)
        let old = RecordOperation(
            collection: "article", record: record,
            writes: [
                Write(field: "remark", value: .text("x")), Write(field: "name", value: .text("y")),
                .deletion(false),
            ])
        let current = schema.current(old)
        #expect(current.collection == "product")
        #expect(current.writes.map(\.field) == ["note", "name", ""])
        // And a collection that never had another name stays as it is.
        let other = RecordOperation(
            collection: "purchase", record: record,
            writes: [Write(field: "remark", value: .null)])
        #expect(schema.current(other) == other)
    }
}
