import Foundation
import Store
import SyncCore
import Testing

/// Each page of a table that an edit changes is written to the WAL, and most of them once more into the file.
@Suite("Pages that are written") struct WrittenPagesTests {
    private static let frameBytes = 24 + 4_096

    @Test("an edit of a text writes pages of its record and of the log, and of nothing else")
    func edit() throws {
        // given
        let anna = try TestPeer(TestLog(), seed: 1)
        let space = try anna.found()
        try anna.write([written("a text", 1)], to: space)
        func walBytes() throws -> Int {
            try Data(contentsOf: URL(filePath: anna.home + "/store.sqlite-wal")).count
        }
        // when
        let frames = try (0..<10).map { number in
            let before = try walBytes()
            try anna.write([written("a text \(number)", 1)], to: space)
            return (try walBytes() - before) / WrittenPagesTests.frameBytes
        }
        // then: the record, the commit and two of its indexes, and the end of the log
        #expect(frames.min() == 5)
    }

    @Test("a store of format 19 loses what no store has that is made now")
    func tables() throws {
        // given
        let homes = [TestPeer.newHome(), try GoldenStore.home(of: 19)]
        for home in homes {
            // when
            try GoldenStore.open(StoreLock(home: home)).close()
            // then
            let query = """
                SELECT COUNT(*) FROM sqlite_schema
                WHERE name IN ('search_docsize', 'text_writes', 'former_search', 'commits_of_space')
                """
            #expect(try GoldenStore.sqlite([home + "/store.sqlite", query]) == "0\n")
        }
    }
}
