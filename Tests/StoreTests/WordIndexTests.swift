import Foundation
import Store
import SyncCore
import TestKit
import Testing

/// The index of words keeps no texts: it has to be told the text that it had of a record.
@Suite("The index of words") struct WordIndexTests {
    private let testLog = TestLog()

    /// All words of the index of a closed store, each with its row and its place in the text.
    private func words(in home: String) throws -> String {
        try GoldenStore.sqlite([
            home + "/store.sqlite",
            """
            CREATE VIRTUAL TABLE temp.words USING fts5vocab('main', 'search', 'instance');
            SELECT term, doc, offset FROM temp.words
            """,
        ])
    }

    private func expectSound(_ peer: TestPeer, _ place: Comment) throws {
        let verdict = try peer.store.examination.compareShown()
        #expect(verdict.faults == [] && !verdict.isIndexBroken, place)
    }

    /// One of all the changes after which the index has another text of a record, or another number of them.
    private func change(
        _ space: SpaceID, of peer: TestPeer, using random: inout SeededGenerator
    ) throws {
        let text = (0..<3).map { _ in "w\(Int.random(in: 0..<8, using: &random))" }
            .joined(separator: " ")
        let number = UInt64.random(in: 1..<6, using: &random)
        switch Int.random(in: 0..<11, using: &random) {
        case 0...3: try peer.write([titled(text, number)], to: space)
        case 4: try peer.write([tagged(text, number, .random(using: &random))], to: space)
        case 5: try peer.write([deleted(number, .random(using: &random))], to: space)
        case 6:
            let long = String(repeating: text + " ", count: Limits.pendingTextBytes)
            try peer.write([titled(long, number)], to: space)
        case 7:
            let numbers = 1...UInt64(Limits.pendingTexts) + 1
            try peer.write(numbers.map { titled(text, $0) }, to: space)
        case 8 where peer.store.spaces.standing(of: space) == .active:
            try peer.write([titled(text, number)], to: space, standing: .left)
        case 8:
            try peer.store.spaces.setStanding(of: space, to: .offered, now: peer.now)
            try peer.store.spaces.setStanding(of: space, to: .active, now: peer.now)
        case 9: try peer.store.records.rebuild(space)
        default: try peer.store.records.remakeSearch()
        }
    }

    @Test(
        "after changes in any order it has the words of an index built from nothing",
        arguments: 1..<7 as Range<UInt64>)
    func anyOrder(seed: UInt64) throws {
        // given
        var random = SeededGenerator(seed: seed)
        let home = TestPeer.newHome()
        var peer = try TestPeer(testLog, seed: 1, home: home)
        let spaces = [try peer.found(), try peer.found()]
        for round in 0..<4 {
            let place = Comment("seed \(seed), round \(round)")
            // when
            for space in (0..<15).map({ spaces[$0 % 2] }) {
                try change(space, of: peer, using: &random)
            }
            // then
            try expectSound(peer, place)
            try peer.store.close()
            let kept = try words(in: home)
            let again = try TestPeer(testLog, seed: 1, home: home)
            try again.store.records.remakeSearch()
            try again.store.close()
            #expect(try words(in: home) == kept, place)
            let now = peer.now
            peer = try TestPeer(testLog, seed: 1, home: home)
            peer.now = now
        }
    }

    @Test("it loses the words it has, also when this program would make others from the record")
    func otherProgram() throws {
        // given
        let home = TestPeer.newHome()
        let before = try TestPeer(testLog, seed: 1, home: home)
        let space = try before.found()
        try before.write([titled("Duomo", 1), titled("Siena", 2)], to: space)
        try before.store.close()
        #expect(try !words(in: home).isEmpty)
        let title = FieldSchema(
            name: "title", type: .text, strategy: .lastWrite, isSearched: false)
        let other = Schema(
            id: TestPeer.schema.id, name: "test", version: 1,
            collections: [CollectionSchema(name: "memory", fields: [title])])
        let peer = try TestPeer(testLog, seed: 1, home: home, schema: other)
        peer.now = before.now
        // when
        try peer.write([titled("Arezzo", 1)], to: space)
        try peer.store.records.rebuild(space)
        try peer.store.close()
        // then
        #expect(try words(in: home).isEmpty)
    }

    @Test(
        "a former text is kept as what differs from the latest one, and read back byte by byte",
        arguments: [
            ("", ""), ("", "Duomo"), ("Duomo", ""), ("Duomo", "Duomo"),
            ("aa", "aaa"), ("aaa", "aa"), ("Grüße", "Größe"), ("e\u{301}", "\u{e9}"),
            ("Up to the Fortezza", "Up to the Duomo, and back"),
        ])
    func formerText(former: String, text: String) throws {
        // when
        let bytes = FormerText.encode(former, before: text)
        // then
        let decoded = try FormerText.decode(bytes, before: text)
        #expect(decoded.utf8.elementsEqual(former.utf8))
        #expect(bytes.count <= former.utf8.count + 3)
        // and none is made from bytes that are none
        for broken in [[], Array(bytes.dropLast()), bytes + [0], [100, 0, 0], [0, 100, 0]] {
            #expect(throws: RecordCodec.Malformed.self) {
                try FormerText.decode(broken, before: text)
            }
        }
    }

    @Test("a row that waits takes up what differs, and no whole text more")
    func rows() throws {
        // given
        let peer = try TestPeer(testLog, seed: 1)
        let space = try peer.found()
        let text = String(repeating: "Siena ", count: 100)
        try peer.write([titled(text, 1)], to: space)
        try peer.store.records.remakeSearch()
        // when
        try peer.write([titled(text + "Duomo", 1)], to: space)
        // then
        let length = try GoldenStore.sqlite([
            "-cmd", ".timeout 30000", peer.home + "/store.sqlite",
            "SELECT LENGTH(former_text) FROM records",
        ])
        #expect(length == "4\n")
    }

    @Test(
        "a store of format 20 is indexed by its records, also where one waits or the index is damaged",
        arguments: [
            "UPDATE search SET text = 'old' WHERE rowid = 1", "DELETE FROM search_config",
            "DELETE FROM search_data WHERE id > 9",
        ])
    func formatWithTexts(state: String) throws {
        // given
        let home = try GoldenStore.home(of: 20)
        try execute(
            """
            \(state); UPDATE records SET searched = 3 WHERE id = 1;
            INSERT INTO settings VALUES ('pending_texts', x'01');
            """, in: home)
        // when
        let store = try GoldenStore.open(StoreLock(home: home))
        // then
        #expect(try store.records.search("wind").map(\.key) == [GoldenStore.memory])
        #expect(try store.records.search("old").isEmpty)
        let verdict = try store.examination.compareShown()
        #expect(verdict.faults == [] && !verdict.isIndexBroken)
        try store.close()
        let again = try GoldenStore.open(StoreLock(home: home))
        #expect(try again.records.search("wind").map(\.key) == [GoldenStore.memory])
    }
}
