import Foundation
import Store
import SyncCore
import Testing

@Suite("Finding single records by index")
struct RecordFindingTests {
    private let testLog = TestLog()

    private func found(
        _ hint: StoredRecords.NameHint, in space: SpaceID, of peer: TestPeer, limit: Int = .max
    ) throws -> [RecordID] {
        try peer.store.records.list(of: space, in: "memory", fitting: hint, limit: limit).map(
            \.record)
    }

    @Test("the newest are found first where more records match than are ranked")
    func manyMatches() throws {
        // Given as many records as are ranked, all of one name
        let peer = try TestPeer(testLog, seed: 1)
        let space = try peer.found()
        let most = UInt64(Limits.rankedMatches)
        for first in stride(from: 0, to: most, by: 1_000) {
            try peer.write((first..<first + 1_000).map { titled("Duomo", $0) }, to: space)
        }

        // When there is one more
        try peer.write([titled("Duomo", most)], to: space)

        // Then it comes first, and the others behind it
        #expect(
            try peer.store.records.search("duomo", limit: 1).map(\.key.record) == [record(most)])
        #expect(try peer.store.records.search("duomo", limit: .max).count == Int(most) + 1)
    }

    @Test("pages of more matches than are ranked are parts of one answer, whatever is wanted")
    func pagesOfManyMatches() throws {
        // Given more records than are ranked, in two spaces, of which some wait to be indexed
        let peer = try TestPeer(testLog, seed: 1)
        var spaces = [try peer.found()]
        peer.now = Milliseconds(peer.now.value + 5)
        spaces.append(try peer.found())
        let most = UInt64(Limits.rankedMatches)
        for first in stride(from: 0, to: most, by: 1_000) {
            try peer.write((first..<first + 1_000).map { titled("Duomo", $0) }, to: spaces[0])
        }
        try peer.write((0..<400).map { titled("Duomo", most + $0) }, to: spaces[1])
        for number in 0..<5 as Range<UInt64> {
            try peer.write([titled("Duomo \(number)", 7 * number)], to: spaces[0])
        }
        for wanted in [nil, spaces, [spaces[0]], [spaces[1]]] as [[SpaceID]?] {
            func found(_ collection: String?, _ skipped: Int, _ limit: Int) throws -> [RecordID] {
                try peer.store.records.search(
                    "duomo", in: wanted, collection: collection, skipping: skipped, limit: limit
                ).map(\.key.record)
            }
            for collection in [nil, "memory", "tag"] {
                // When all are wanted at once
                let all = try found(collection, 0, .max)

                // Then each page is a part of them
                for (skipped, limit) in [(0, 1), (0, 21), (21, 200), (221, 200), (390, 21)] {
                    #expect(
                        try found(collection, skipped, limit)
                            == Array(all.dropFirst(skipped).prefix(limit)))
                }
            }
        }
    }

    @Test("files are found by the beginning of an id, as their space first names them")
    func filesByBeginning() throws {
        // Given files that two spaces name, some of them twice
        let peer = try TestPeer(testLog, seed: 1)
        let space = try peer.found()
        peer.now = Milliseconds(peer.now.value + 5)
        let other = try peer.found()
        func name(_ numbers: some Sequence<UInt64>, size: UInt64, in space: SpaceID) throws {
            let blobs = numbers.map {
                NamedBlob(blob: BlobID(sha256(bigEndian($0))), size: size, kind: .original)
            }
            try peer.write([], clear: ClearPart(blobs: blobs), to: space)
        }
        try name(1...60, size: 10, in: space)
        try name(50...70, size: 20, in: space)
        try name(60...90, size: 30, in: other)
        for place in [space, other] {
            let all = try peer.store.files.named(of: place).sorted { $0.blob < $1.blob }
            for file in all {
                for length in [1, 2, 5, 64] {
                    let digits = String(file.blob.description.prefix(length))
                    // When
                    let found = try peer.store.files.named(of: place, beginning: digits)
                    // Then
                    let wanted = all.filter { $0.blob.description.hasPrefix(digits) }
                    #expect(found.map(\.blob) == wanted.map(\.blob))
                    #expect(found.map(\.size) == wanted.map(\.size))
                }
            }
        }
    }

    @Test("neighbours that begin with the same bytes are found in every space, deleted ones too")
    func neighbours() throws {
        // Given ids that begin with the same four bytes, and others, in two spaces
        let peer = try TestPeer(testLog, seed: 1)
        let space = try peer.found()
        peer.now = Milliseconds(peer.now.value + 5)
        let other = try peer.found()
        func id(_ first: UInt8, _ last: UInt8) throws -> RecordID {
            let bytes = [first, 1, 2, 3] + Array(repeating: 0, count: 11) + [last]
            return try #require(RecordID(bytes: bytes))
        }
        func write(_ id: RecordID, _ write: Write, to space: SpaceID) throws {
            let record = RecordOperation(collection: "memory", record: id, writes: [write])
            try peer.write([record], to: space)
        }
        let title = Write(field: "title", value: .text("a"))
        let ids = try [id(5, 1), id(5, 2), id(5, 3), id(5, 4), id(6, 1), id(7, 1)]
        for id in [ids[0], ids[1], ids[3], ids[4]] { try write(id, title, to: space) }
        try write(ids[2], title, to: other)
        try write(ids[5], title, to: other)
        try write(ids[3], .deletion(true), to: space)
        func found(_ wanted: [RecordID], in collection: String = "memory") throws -> [RecordID] {
            try peer.store.records.neighbours(of: wanted, in: collection, sharing: 4).sorted()
        }

        // Then
        #expect(try found([ids[0]]) == [ids[1], ids[2]])
        #expect(try found([ids[1]]) == [ids[0], ids[2], ids[3]])
        #expect(try found([ids[4], ids[5]]).isEmpty)
        #expect(try found([ids[4], ids[0]]) == [ids[1], ids[2]])
        #expect(try found([ids[0]], in: "tag").isEmpty)
        #expect(try found([]).isEmpty)
    }

    @Test("a name that is not shown as it is written stands apart from the others")
    func unusualNames() throws {
        let peer = try TestPeer(testLog, seed: 1)
        let space = try peer.found()
        for (number, title) in ["Duomo", "Du\u{7}omo", "Du\u{200B}omo"].enumerated() {
            try peer.write([titled(title, UInt64(number))], to: space)
        }
        #expect(try found(.name("Duomo"), in: space, of: peer) == [record(0)])
        #expect(try found(.name("Du\u{7}omo"), in: space, of: peer) == [record(1)])
        #expect(Set(try found(.unusual, in: space, of: peer)) == [record(1), record(2)])
        #expect(Set(try found(.any, in: space, of: peer)) == [record(0), record(1), record(2)])
        #expect(try found(.any, in: space, of: peer, limit: 2).count == 2)
    }

    @Test("names are found whatever their case and accents, by their beginnings, and by ids")
    func names() throws {
        let peer = try TestPeer(testLog, seed: 1)
        let space = try peer.found()
        let long = String(repeating: "é", count: 200)
        let titles = ["Piazza Grande", " piazza GRANDE\n", "Piazza", "Caf\u{65}\u{301}", "", long]
        for (number, title) in titles.enumerated() {
            try peer.write([titled(title, UInt64(number))], to: space)
        }
        let ids = titles.indices.map { record(UInt64($0)) }

        #expect(Set(try found(.name("PIAZZA grande "), in: space, of: peer)) == Set(ids[0...1]))
        #expect(try found(.name("caf\u{E9}"), in: space, of: peer) == [ids[3]])
        #expect(try found(.name(long), in: space, of: peer) == [ids[5]])
        #expect(try found(.name(" "), in: space, of: peer).isEmpty)
        #expect(Set(try found(.nameStart("pia"), in: space, of: peer)) == Set(ids[0...2]))
        #expect(try found(.nameStart("pia"), in: space, of: peer, limit: 2).count == 2)
        for length in [1, 4, 7, 32] {
            let start = String(ids[2].description.prefix(length))
            #expect(try found(.idStart(start), in: space, of: peer).contains(ids[2]))
        }
        #expect(try found(.idStart(ids[2].description), in: space, of: peer) == [ids[2]])
        for digits in ["xyz", ids[2].description + "0", "é"] {
            #expect(try found(.idStart(digits), in: space, of: peer).isEmpty)
        }

        // Another name, and a deletion: the index follows, and a deleted record is still found.
        try peer.write([titled("Fortezza", 2), deleted(0)], to: space)
        #expect(try found(.name("piazza"), in: space, of: peer).isEmpty)
        #expect(try found(.name("fortezza"), in: space, of: peer) == [ids[2]])
        #expect(try found(.name("piazza grande"), in: space, of: peer).contains(ids[0]))
        #expect(try peer.store.examination.compareShown().faults == [])
    }

    @Test("records that mention another one are found until they do no more, in sets too")
    func mentions() throws {
        let peer = try TestPeer(testLog, seed: 1)
        let space = try peer.found()
        func refer(_ number: UInt64, _ write: Write) throws {
            let operation = RecordOperation(
                collection: "memory", record: record(number), writes: [write])
            try peer.write([operation], to: space)
        }
        func mentioning(_ number: UInt64) throws -> [RecordID] {
            try peer.store.records.list(of: space, in: "memory", linkingToAny: [record(number)])
                .map(\.record)
        }
        try refer(1, Write(field: "near", value: .reference(record(9))))
        try refer(
            2, Write(field: "tags", element: .reference(record(9)), value: .boolean(true)))
        try refer(3, Write(field: "near", value: .reference(record(8))))
        #expect(try Set(mentioning(9)) == [record(1), record(2)])
        #expect(try mentioning(8) == [record(3)])

        try refer(1, Write(field: "near", value: .reference(record(8))))
        #expect(try mentioning(9) == [record(2)])
        #expect(try Set(mentioning(8)) == [record(1), record(3)])
        // Deleted ones count too: they may come back.
        try peer.write([deleted(3)], to: space)
        #expect(try Set(mentioning(8)) == [record(1), record(3)])
        #expect(try peer.store.examination.compareShown().faults == [])

        // What is made anew finds the same, and what is missing is noticed.
        try peer.store.records.remakeAll()
        #expect(try Set(mentioning(8)) == [record(1), record(3)])
        try peer.store.records.rebuild(space)
        #expect(try mentioning(9) == [record(2)])
    }

    @Test("a reference or a name that the index lacks is noticed, and put right from the log")
    func lostIndex() throws {
        let home = try closedStore()
        try execute("DELETE FROM mentions", in: home)
        let peer = try TestPeer(testLog, seed: 1, home: home)
        let fault = try #require(try peer.store.examination.compareShown().faults.first)
        #expect(fault.changed == 1)
        try peer.store.records.remakeAll()
        #expect(try peer.store.examination.compareShown().faults == [])
    }

    /// Of one record that refers to another.
    private func closedStore() throws -> String {
        let peer = try TestPeer(testLog, seed: 1)
        let write = Write(field: "near", value: .reference(record(9)))
        let operation = RecordOperation(
            collection: "memory", record: record(1), writes: [write])
        try peer.write([operation], to: try peer.found())
        try peer.store.close()
        return peer.home
    }
}
