import SyncCore
import Testing

@Suite("A record that is in no log yet")
struct UnfinishedRecordTests {
    private let device = TestDevice(1, person: 1)

    private func mark(_ number: UInt8) -> CommitID { CommitID(sha256([number])) }

    private func state(_ steps: [[Write]]) -> RecordState {
        var state = RecordState()
        for (index, writes) in steps.enumerated() {
            state.keep(
                writes, by: device.log, at: HybridTime(raw: UInt64(index)),
                as: mark(UInt8(index)))
        }
        return state
    }

    @Test("keeps one value of each field, the last, and forgets what was emptied or taken out")
    func lastValues() {
        // given
        let state = state([
            [
                Write(field: "note", value: .text("a")), Write(field: "count", value: .integer(1)),
                Write(field: "labels", element: .text("x"), value: .boolean(true)),
                Write(field: "labels", element: .text("y"), value: .boolean(true)),
                Write(field: "seen", element: .text("z"), value: .boolean(true)),
            ],
            [
                Write(field: "note", value: .text("b"), replaces: []),
                Write(field: "count", value: .null),
                Write(field: "labels", element: .text("x"), value: .boolean(false)),
                Write(field: "seen", element: .text("z"), value: .boolean(false)),
            ],
        ])

        // then
        #expect(state.fields.mapValues { $0.writes.map(\.value) } == ["note": [.text("b")]])
        #expect(state.fields["note"]?.writes.map(\.id.commit) == [mark(1)])
        #expect(state.elements(of: "labels") == [.text("y")])
        #expect(state.sets["seen"] == nil)
    }

    @Test("goes into a log as one operation with all that it has, and at least exists")
    func whole() {
        // given
        let state = state([
            [
                .deletion(false),
                Write(
                    field: "b", value: .text("2"), replaces: [WriteID(commit: mark(9), index: 0)]),
                Write(field: "labels", element: .text("x"), value: .boolean(true)),
            ],
            [Write(field: "a", value: .integer(1))],
        ])

        // then
        #expect(
            state.wholeWrites == [
                Write(field: "a", value: .integer(1), replaces: []),
                Write(field: "b", value: .text("2"), replaces: []),
                Write(field: "labels", element: .text("x"), value: .boolean(true)),
            ])
        #expect(self.state([[.deletion(false)]]).wholeWrites == [.deletion(false)])
        #expect(RecordState().wholeWrites == [.deletion(false)])
    }

    private static let renamed = Schema(
        id: .zero, name: "x", version: 2,
        collections: [
            CollectionSchema(
                name: "session",
                fields: [
                    FieldSchema(
                        name: "ended", type: .time, strategy: .lastWrite, isSearched: false,
                        formerNames: ["until"]),
                    FieldSchema(
                        name: "labels", type: .set(of: .text), strategy: .union, isSearched: false,
                        formerNames: ["tags"]),
                    FieldSchema(
                        name: "done", type: .boolean, strategy: .lastWrite, isSearched: false),
                ], finishedBy: "ended"),
            CollectionSchema(
                name: "task",
                fields: [
                    FieldSchema(
                        name: "done", type: .boolean, strategy: .lastWrite, isSearched: false)
                ], finishedBy: "done"),
        ])

    @Test("has its values under the names that fields have now")
    func renames() {
        // given
        let state = state([
            [
                Write(field: "until", value: .integer(1)), Write(field: "done", value: .null),
                Write(field: "tags", element: .text("x"), value: .boolean(true)),
            ]
        ])

        // when
        let current = Self.renamed.current(state, in: "session")

        // then
        #expect(Set(current.fields.keys) == ["ended"])
        #expect(current.elements(of: "labels") == [.text("x")])
        #expect(current.sets["tags"] == nil)
        #expect(Self.renamed.current(state, in: "task") == state)
    }

    @Test("is finished by any value of the field, and by a yes where that is a question")
    func finished() throws {
        let session = try #require(Self.renamed.collection("session"))
        let task = try #require(Self.renamed.collection("task"))
        #expect(!session.isFinished { _ in nil })
        #expect(!session.isFinished { _ in .null })
        #expect(session.isFinished { $0 == "ended" ? .integer(0) : nil })
        #expect(!session.isFinished { $0 == "done" ? .boolean(true) : nil })
        #expect(!task.isFinished { _ in .boolean(false) })
        #expect(task.isFinished { _ in .boolean(true) })
        // And where no field finishes a record, each is for others at once.
        #expect(CollectionSchema(name: "c", fields: []).isFinished { _ in nil })
    }
}
