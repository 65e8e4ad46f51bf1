import Store
import SyncCore
import Testing

/// Orphans in which a data set speaks: rows, or the mark of a version.
@Suite struct RecoveredSetsTests {
    private let testLog = TestLog()

    private func row(_ title: String, _ number: UInt64) -> RecordOperation {
        var row = titled(title, number)
        row.writes[0].precedence = Precedence.dataSet.rawValue
        return row
    }

    /// Ben, who was removed meanwhile, applied a version after `before`: Anna is an admin, Cleo an editor.
    private func household(
        before: [RecordOperation], late: [RecordOperation]
    ) throws -> (anna: TestPeer, cleo: TestPeer, SpaceID) {
        let anna = try TestPeer(testLog, seed: 1)
        let ben = try TestPeer(testLog, seed: 2)
        let cleo = try TestPeer(testLog, seed: 3)
        let space = try anna.found()
        try anna.grant(.editor, to: cleo, in: space)
        try anna.write(before, to: space)
        _ = try ben.beCutOff(from: space, of: anna) { try ben.write(late, to: space) }
        for _ in 0..<2 {
            for other in [anna, ben] { try cleo.receive(space, from: other) }
        }
        return (anna, cleo, space)
    }

    private func precedences(_ peer: TestPeer, _ space: SpaceID) throws -> [UInt32] {
        let key = RecordKey(collection: "memory", record: record(1))
        let writes = try peer.store.records.record(key, of: space)?.fields["title"]?.writes ?? []
        return writes.map(\.precedence)
    }

    @Test("rows of a data set are recovered by an admin, and stay a set's")
    func rows() throws {
        // given
        let (anna, cleo, space) = try household(before: [row("v2", 1)], late: [row("v1", 1)])
        // when
        #expect(throws: StoreError.permissionRefused(required: .admin)) {
            try cleo.recoverAll(in: space)
        }
        // then
        #expect(try cleo.titles(space, 1) == [.text("v2")])
        #expect(try cleo.store.orphans.all(in: space).waiting.count == 1)
        // when
        #expect(try anna.recoverAll(in: space) == 1)
        // then
        #expect(try anna.titles(space, 1) == [.text("v1")])
        #expect(try precedences(anna, space) == [Precedence.dataSet.rawValue])
        #expect(try anna.store.orphans.all(in: space).waiting.isEmpty)
    }

    @Test("the mark of an applied version is recovered by an admin alone")
    func mark() throws {
        // given
        let key = Schema.applied("reference", of: "set", in: .zero)
        let mark = RecordOperation(
            collection: key.collection, record: key.record,
            writes: [Write(field: Schema.AppliedSet.content, value: .json("{}"))])
        let (anna, cleo, space) = try household(before: [], late: [mark])
        // then
        #expect(throws: StoreError.permissionRefused(required: .admin)) {
            try cleo.recoverAll(in: space)
        }
        #expect(try anna.recoverAll(in: space) == 1)
    }

    @Test("what a person wrote over a row is recovered by any writer")
    func person() throws {
        let (_, cleo, space) = try household(before: [row("v2", 1)], late: [titled("mine", 1)])
        #expect(try cleo.recoverAll(in: space) == 1)
        #expect(try cleo.titles(space, 1) == [.text("mine")])
    }
}
