import Foundation
import Store
import SyncCore
import Testing

/// Each page of a table that an edit changes is written to the WAL, and most of them once more into the file.
@Suite("Pages that are written") struct WrittenPagesTests {
    private static let frameBytes = 24 + 4_096

    /// The frames of the WAL that each of some edits of one record takes, at least: some fill a page.
    private func frames(
        of peer: TestPeer, in space: SpaceID, _ edit: (Int) -> RecordOperation
    ) throws -> Int? {
        let wal = URL(filePath: peer.home + "/store.sqlite-wal")
        return try (0..<10).map { number in
            let before = try Data(contentsOf: wal).count
            try peer.write([edit(number)], to: space)
            return try (Data(contentsOf: wal).count - before) / WrittenPagesTests.frameBytes
        }.min()
    }

    @Test("an edit of a text writes pages of its record and of the log, and of nothing else")
    func text() throws {
        // given
        let anna = try TestPeer(TestLog(), seed: 1)
        let space = try anna.found()
        try anna.write([written("a text", 1)], to: space)
        // when
        let frames = try frames(of: anna, in: space) { written("a text \($0)", 1) }
        // then: the record, the commit and three of its indexes, and the end of the log
        #expect(frames == 6)
    }

    @Test("an edit of a name writes no page of the index by time")
    func name() throws {
        // given
        let fields: [FieldSchema] = [
            FieldSchema(name: "title", type: .text, strategy: .lastWrite, isSearched: false),
            FieldSchema(name: "time", type: .time, strategy: .lastWrite, isSearched: false),
        ]
        let anna = try TestPeer(
            TestLog(), seed: 1,
            schema: Schema(
                id: TestPeer.schema.id, name: "test", version: 1,
                collections: [CollectionSchema(name: "memory", fields: fields)]))
        let space = try anna.found()
        let time = TimeValue(milliseconds: 5, offsetMinutes: nil)
        let dated = RecordOperation(
            collection: "memory", record: record(1),
            writes: [Write(field: "time", value: .time(time))])
        try anna.write([titled("a title", 1), dated], to: space)
        // when
        let frames = try frames(of: anna, in: space) { titled("a title \($0)", 1) }
        // then: those of every edit, and the index by name
        #expect(frames == 7)
    }

    @Test("a store has no table of texts, their lengths or writes to them, also an older one")
    func tables() throws {
        // given
        let homes = [
            TestPeer.newHome(), try GoldenStore.home(of: 19), try GoldenStore.home(of: 20),
        ]
        for home in homes {
            // when
            try GoldenStore.open(StoreLock(home: home)).close()
            // then
            let query = """
                SELECT COUNT(*) FROM sqlite_schema
                WHERE name IN ('search_content', 'search_docsize', 'text_writes')
                """
            #expect(try GoldenStore.sqlite([home + "/store.sqlite", query]) == "0\n")
        }
    }
}
