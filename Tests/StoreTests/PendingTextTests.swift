import Dispatch
import Foundation
import Store
import SyncCore
import Synchronization
import TestKit
import Testing
import VirtualDisk

@Suite("Texts that wait to be indexed")
struct PendingTextTests {
    private let testLog = TestLog()

    /// Writes so many records one by one, from another thread.
    private func write(_ numbers: Range<UInt64>, to space: SpaceID, of peer: TestPeer) throws {
        let error = Mutex<(any Error)?>(nil)
        let group = DispatchGroup()
        nonisolated(unsafe) let writer = peer
        DispatchQueue.global().async(group: group) {
            do {
                for number in numbers {
                    try unsafe writer.write([titled("Siena", number)], to: space)
                }
            } catch let thrown {
                error.withLock { $0 = thrown }
            }
        }
        group.wait()
        if let thrown = error.withLock({ $0 }) { throw thrown }
    }

    /// Writes records with a number from one to before another one, each with a commit.
    private func write(
        from first: UInt64, to end: UInt64, in space: SpaceID, of peer: TestPeer
    ) throws {
        for number in first..<end { try peer.write([titled("Duomo", number)], to: space) }
    }

    /// What the first records keep of the index of words.
    private func columns(of count: Int, in home: String) throws -> String {
        try GoldenStore.sqlite([
            "-cmd", ".timeout 30000", home + "/store.sqlite",
            "SELECT hex(record), searched FROM records ORDER BY id LIMIT \(count)",
        ])
    }

    @Test("few short texts wait until there are more, or the store is closed; others do not")
    func waiting() throws {
        // given
        let peer = try TestPeer(testLog, seed: 1)
        let space = try peer.found()
        let most = UInt64(Limits.pendingTexts)
        // when, then
        for number in 0..<most { try peer.write([titled("Duomo", number)], to: space) }
        #expect(try indexed(in: peer.home) == 0)
        #expect(try peer.store.records.search("duomo", limit: .max).count == Int(most))
        try peer.write([titled("Duomo", most)], to: space)
        #expect(try indexed(in: peer.home) == Int(most) + 1)
        // A long text is indexed at once.
        let long = String(repeating: "Siena ", count: Limits.pendingTextBytes)
        try peer.write([titled(long, most + 1)], to: space)
        #expect(try indexed(in: peer.home) == Int(most) + 2)
        // So are many.
        try peer.write((0...most).map { titled("Arezzo", 1_000 + $0) }, to: space)
        #expect(try indexed(in: peer.home) == 2 * Int(most) + 3)
        try peer.write([titled("Duomo", 5_000)], to: space)
        #expect(try indexed(in: peer.home) == 2 * Int(most) + 3)
        try peer.store.close()
        #expect(try indexed(in: peer.home) == 2 * Int(most) + 4)
    }

    @Test("a search finds a record by its latest text, and not by an earlier one")
    func latest() throws {
        // given
        let peer = try TestPeer(testLog, seed: 1)
        let space = try peer.found()
        try peer.write([titled("Duomo", 1), titled("Siena", 2), titled("Siena", 3)], to: space)
        try peer.store.records.remakeSearch()
        #expect(try indexed(in: peer.home) == 3)
        // when
        try peer.write([titled("Fortezza di Siena", 1)], to: space)
        try peer.write([deleted(2)], to: space)
        // then
        func found(_ words: String, skipping: Int = 0, limit: Int = 100) throws -> [RecordID] {
            try peer.store.records.search(words, in: [space], skipping: skipping, limit: limit)
                .map(\.key.record)
        }
        #expect(try found("duomo").isEmpty)
        #expect(try found("fort") == [record(1)])
        #expect(try found("siena") == [record(1), record(3)])
        #expect(try found("siena", limit: 1) == [record(1)])
        #expect(try found("siena", skipping: 1) == [record(3)])
        #expect(try found("siena", skipping: 2).isEmpty)
        #expect(try peer.store.records.search("fort", in: []).isEmpty)
        #expect(try peer.store.records.search("fort", collection: "tag").isEmpty)
        // and the doctor finds no fault
        let verdict = try peer.store.examination.compareShown()
        #expect(verdict.faults == [] && !verdict.isIndexBroken)
        #expect(try indexed(in: peer.home) == 3)
        // and what waits no more is found in the same way
        try peer.store.records.remakeSearch()
        #expect(try indexed(in: peer.home) == 2)
        #expect(try found("duomo").isEmpty)
        #expect(try Set(found("siena")) == [record(1), record(3)])
    }

    @Test("a search in a snapshot finds what waited then, also when it is indexed meanwhile")
    func snapshot() throws {
        // given
        let peer = try TestPeer(testLog, seed: 1)
        let space = try peer.found()
        try peer.write([titled("Duomo", 1)], to: space)
        let records = peer.store.records
        try peer.store.snapshot { _ in
            #expect(try records.search("duomo").map(\.key.record) == [record(1)])
            // when
            try write(2..<UInt64(Limits.pendingTexts) + 3, to: space, of: peer)
            #expect(try indexed(in: peer.home) > 0)
            // then
            #expect(try records.search("duomo").map(\.key.record) == [record(1)])
            #expect(try records.search("siena").isEmpty)
        }
        #expect(try records.search("duomo").map(\.key.record) == [record(1)])
        #expect(try records.search("siena", limit: .max).count == Limits.pendingTexts + 1)
    }

    @Test("what waits is found after a kill, on a full disk, and when the store was closed there")
    func killed() throws {
        // given
        let disk = VirtualDisk(seed: 1)
        var peer: TestPeer? = try TestPeer(testLog, seed: 1, on: disk)
        let space = try #require(try peer?.found())
        try peer?.write([titled("Duomo", 1)], to: space)
        func expectFound(_ place: Comment) throws {
            #expect(try peer?.store.records.search("duomo").count == 1, place)
        }
        // when, then
        disk.endProcess()
        peer = nil
        peer = try TestPeer(testLog, seed: 1, on: disk)
        try expectFound("after a kill")
        disk.setCapacity(bytes: disk.usedBytes)
        #expect(throws: StoreError.diskFull) {
            try peer?.store.settings.set("long", to: String(repeating: "x", count: 1 << 20))
        }
        try expectFound("on a full disk")
        try peer?.store.close()
        disk.setCapacity(bytes: nil)
        peer = try TestPeer(testLog, seed: 1, on: disk)
        try expectFound("after closing there")
        try peer?.store.close()
        peer = try TestPeer(testLog, seed: 1, on: disk)
        try expectFound("after closing with room")
    }

    @Test("a batch writes no record again, and what it indexed counts as indexed from then on")
    func batches() throws {
        // given
        let home = TestPeer.newHome()
        var peer = try TestPeer(testLog, seed: 1, home: home)
        let space = try peer.found()
        let most = UInt64(Limits.pendingTexts)
        try write(from: 0, to: most, in: space, of: peer)
        let waiting = try columns(of: Int(most), in: home)
        // when
        try write(from: most, to: most + 1, in: space, of: peer)
        // then
        #expect(try indexed(in: home) == Int(most) + 1)
        #expect(try columns(of: Int(most), in: home) == waiting)
        func found(_ word: String) throws -> [RecordID] {
            try peer.store.records.search(word, limit: .max).map(\.key.record)
        }
        func expectSound() throws {
            let verdict = try peer.store.examination.compareShown()
            #expect(verdict.faults == [] && !verdict.isIndexBroken)
        }
        try expectSound()
        // when some of them change, and wait for the next batch
        try peer.write([titled("Siena", 0), deleted(1)], to: space)
        // then
        #expect(try indexed(in: home) == Int(most) + 1)
        #expect(try found("duomo").count == Int(most) - 1)
        #expect(try found("siena") == [record(0)])
        try expectSound()
        // when that was done, and once more
        for word in ["Arezzo", "Lucca"] {
            let now = peer.now
            try peer.store.close()
            peer = try TestPeer(testLog, seed: 1, home: home)
            peer.now = now
            #expect(try indexed(in: home) == Int(most))
            #expect(try found("duomo").count == Int(most) - 1)
            try expectSound()
            try peer.write([titled(word, 0)], to: space)
            #expect(try found(word) == [record(0)] && found("siena").isEmpty)
        }
    }

    @Test("a batch that a power cut interrupts leaves each text to be found", arguments: 0..<4)
    func interrupted(place: Int) throws {
        // given
        var random = SeededGenerator(seed: 3)
        let disk = VirtualDisk(seed: 3)
        let peer = try TestPeer(testLog, seed: 1, on: disk)
        let space = try peer.found()
        let most = UInt64(Limits.pendingTexts)
        try write(from: 0, to: most, in: space, of: peer)
        // when
        disk.losePower(after: place, of: .write)
        #expect(throws: StoreError.self) {
            try write(from: most, to: .max, in: space, of: peer)
        }
        disk.mend()
        disk.powerCut(random: &random)
        // then
        let again = try TestPeer(testLog, seed: 1, on: disk)
        again.now = peer.now
        let records = again.store.records
        let ledger = try #require(again.store.ledger(of: space))
        let count = ledger.watermark.sequence(of: peer.log) - 1
        #expect(count >= most)
        #expect(try records.search("duomo", limit: .max).count == Int(count))
        // and after the next batch
        try again.write([titled("Siena", 0)], to: space)
        try write(from: count, to: count + most + 1, in: space, of: again)
        #expect(try records.search("duomo", limit: .max).count == Int(count + most))
        #expect(try records.search("siena").map(\.key.record) == [record(0)])
    }

    @Test("texts of a group are indexed, though its first commits were stored before a batch")
    func group() throws {
        // given
        let anna = try TestPeer(testLog, seed: 1)
        let ben = try TestPeer(testLog, seed: 2)
        let space = try anna.found()
        try anna.grant(.editor, to: ben, in: space)
        try anna.write([titled("alt", 1)], to: space)
        try ben.pull(space, from: anna)
        try anna.write(group: [[titled("Siena", 1)], [titled("Siena", 2)]], to: space)
        let coming = try anna.commits(
            of: space, beyond: ben.store.ledger(of: space)?.watermark ?? Watermark())
        _ = try ben.store.log.apply(Array(coming.prefix(1)), to: space, now: ben.now)
        let most = UInt64(Limits.pendingTexts)
        try write(from: 1_000, to: 1_001 + most, in: space, of: ben)
        #expect(try indexed(in: ben.home) > Int(most))
        func found(_ word: String) throws -> Set<RecordID> {
            Set(try ben.store.records.search(word).map(\.key.record))
        }
        #expect(try found("siena").isEmpty && found("alt") == [record(1)])
        // when
        _ = try ben.store.log.apply(Array(coming.suffix(1)), to: space, now: ben.now)
        // then, while they wait and when they are indexed
        for _ in 0..<2 {
            #expect(try found("siena") == [record(1), record(2)] && found("alt").isEmpty)
            #expect(try ben.store.examination.compareShown().faults == [])
            try write(from: 2_000, to: 2_001 + most, in: space, of: ben)
        }
    }

    @Test("a space that is built again from its log leaves no text in the index")
    func rebuilt() throws {
        // given
        let peer = try TestPeer(testLog, seed: 1)
        let space = try peer.found()
        try peer.write([titled("Duomo", 1), titled("Siena", 2)], to: space)
        try peer.store.records.remakeSearch()
        try peer.write([titled("Arezzo", 1)], to: space)
        // when
        try peer.store.records.rebuild(space)
        // then
        #expect(try indexed(in: peer.home) == 0)
        #expect(try peer.store.records.search("duomo").isEmpty)
        #expect(try peer.store.records.search("arezzo").count == 1)
        #expect(try peer.store.examination.compareShown().faults == [])
    }
}

/// The number of records in the index of words of a store, open or not.
func indexed(in home: String) throws -> Int {
    let answer = try GoldenStore.sqlite([
        "-cmd", ".timeout 30000", home + "/store.sqlite",
        """
        CREATE VIRTUAL TABLE temp.words USING fts5vocab('main', 'search', 'instance');
        SELECT COUNT(DISTINCT doc) FROM temp.words
        """,
    ])
    return try #require(Int(answer.trimmingCharacters(in: .newlines)))
}
