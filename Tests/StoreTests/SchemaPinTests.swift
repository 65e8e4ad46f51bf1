import Store
import SyncCore
import Testing

@Suite("The schema that a space follows")
struct SchemaPinTests {
    private let testLog = TestLog()

    private func pin(_ number: UInt8, version: UInt32) -> SchemaPin {
        SchemaPin(
            schema: SchemaID(Label.schema.hash([number])), version: version, document: [number])
    }

    /// Anna's space with Ben as a further admin.
    private func two() throws -> (TestPeer, TestPeer, SpaceID, FactReference) {
        let anna = try TestPeer(testLog, seed: 1)
        let ben = try TestPeer(testLog, seed: 2)
        let space = try anna.found()
        let grant = try anna.grant(.all, to: ben, in: space)
        try ben.pull(space, from: anna)
        return (anna, ben, space, grant)
    }

    @Test(
        "of two admins who change it at once the higher version is followed, in any order of arrival",
        arguments: [(2, 3), (3, 2), (2, 2)])
    func concurrent(first: UInt32, second: UInt32) throws {
        // given
        let (anna, ben, space, _) = try two()
        let annas = try anna.write([], clear: ClearPart(schema: pin(5, version: first)), to: space)
        let bens = try ben.write([], clear: ClearPart(schema: pin(6, version: second)), to: space)
        let cleo = try TestPeer(testLog, seed: 3)
        let dora = try TestPeer(testLog, seed: 4)

        // when
        try cleo.pull(space, from: anna)
        try cleo.pull(space, from: ben)
        try dora.pull(space, from: ben)
        try dora.pull(space, from: anna)
        try anna.pull(space, from: ben)
        try ben.pull(space, from: anna)

        // then
        let isAnnas =
            first == second ? annas.stored[0].id > bens.stored[0].id : first > second
        let followed = isAnnas ? pin(5, version: first) : pin(6, version: second)
        for peer in [anna, ben, cleo, dora] {
            #expect(peer.store.ledger(of: space)?.schema == followed)
            #expect(try peer.store.spaces.space(space)?.schema == followed)
        }
    }

    @Test(
        "only an admin changes it, and what a revoked admin pinned beyond the cut is not followed")
    func permissions() throws {
        let (anna, ben, space, grant) = try two()
        let cut = try #require(ben.store.ledger(of: space)?.watermark)
        try ben.write([], clear: ClearPart(schema: pin(6, version: 7)), to: space)
        try anna.pull(space, from: ben)
        #expect(anna.store.ledger(of: space)?.schema.version == 7)

        let revocation = Revocation(
            grant: grant, remaining: [], cut: cut, scope: .device, cascade: .all)
        try anna.write([], clear: ClearPart(facts: [.revocation(revocation)]), to: space)
        #expect(anna.store.ledger(of: space)?.schema.version == 1)
        #expect(anna.store.spaces.schema(of: space) == TestPeer.schema)

        let cleo = try TestPeer(testLog, seed: 3)
        try anna.grant(.editor, to: cleo, in: space)
        try cleo.pull(space, from: anna)
        #expect(cleo.store.ledger(of: space)?.schema.version == 1)
        #expect(throws: StoreError.permissionRefused(required: .admin)) {
            try cleo.write([], clear: ClearPart(schema: pin(8, version: 9)), to: space)
        }
    }

    @Test("a schema that comes without its document, or with another, is not followed")
    func absent() throws {
        let (anna, ben, space, _) = try two()
        let before = anna.store.ledger(of: space)?.schema
        let whole = pin(6, version: .max)
        for broken in [
            SchemaPin(schema: whole.schema, version: .max),
            SchemaPin(schema: whole.schema, version: .max, document: [7]),
        ] {
            try ben.write([], clear: ClearPart(schema: broken), to: space)
            try anna.pull(space, from: ben)
            #expect(anna.store.ledger(of: space)?.schema == before)
        }
        try ben.write([], clear: ClearPart(schema: whole), to: space)
        try anna.pull(space, from: ben)
        #expect(anna.store.ledger(of: space)?.schema == whole)
    }

    private static let next = Schema(
        id: SchemaID(Label.schema.hash([43])), name: "test", version: 2,
        collections: [
            CollectionSchema(
                name: "entry",
                fields: [
                    FieldSchema(
                        name: "headline", type: .text, strategy: .lastWrite, isSearched: true,
                        formerNames: ["title"])
                ], formerNames: ["memory"])
        ])

    @Test(
        "until the schema is known commits are stored and not searched; then all is rebuilt"
    )
    func renames() throws {
        // given a device that knows the next version alone
        let next = Self.next
        let anna = try TestPeer(testLog, seed: 1)
        let ben = try TestPeer(testLog, seed: 2, schema: next)
        let space = try anna.found()
        try anna.grant(.all, to: ben, in: space)
        try anna.write([titled("Meer", 1)], to: space)
        try ben.pull(space, from: anna)
        #expect(ben.store.spaces.schema(of: space) == nil)
        #expect(try ben.store.records.search("meer").isEmpty)

        // when Ben changes the schema, and Anna writes under the old names meanwhile
        let pin = SchemaPin(schema: next.id, version: 2, document: [43])
        try ben.write([], clear: ClearPart(schema: pin), to: space)
        try anna.write([titled("Berg", 1), titled("Tal", 2)], to: space)
        try ben.pull(space, from: anna)

        // then one field holds what was written under both names
        let key = RecordKey(collection: "entry", record: record(1))
        let state = try #require(try ben.store.records.record(key, of: space))
        #expect(next.shown(state, in: "entry")?.value("headline") == .text("Berg"))
        #expect(try ben.store.records.list(of: space, in: "memory").isEmpty)
        #expect(try ben.store.records.search("berg").map(\.key) == [key])
        let rename = RecordOperation(
            collection: "entry", record: record(1),
            writes: [Write(field: "headline", value: .text("Gipfel"))])
        try ben.write([rename], to: space)
        let after = try #require(try ben.store.records.record(key, of: space))
        #expect(after.fields["headline"]?.writes.count == 1)
        #expect(after.fields["title"] == nil)

        // and a device that gets everything at once shows the same
        let late = try TestPeer(testLog, seed: 3, schema: next)
        try late.pull(space, from: ben)
        #expect(
            try late.store.records.list(of: space, in: "entry")
                == ben.store.records.list(of: space, in: "entry"))
        // Unknown fields stay, too.
        try anna.pull(space, from: ben)
        #expect(try anna.store.records.record(key, of: space)?.fields["headline"] != nil)
    }
}
