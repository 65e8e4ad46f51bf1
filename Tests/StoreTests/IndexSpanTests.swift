import Store
import SyncCore
import Testing

@Suite("Reading a collection part by part")
struct IndexSpanTests {
    private let testLog = TestLog()

    /// The records of each part, until there is none.
    private func parts(
        _ peer: TestPeer, _ space: SpaceID, _ all: IndexSpan, by limit: Int,
        includeDeleted: Bool = false
    ) throws -> [[RecordID]] {
        var parts: [[RecordID]] = []
        var rest: IndexSpan? = all
        while let span = rest {
            let part = try peer.store.records.list(
                of: space, in: "memory", span, includeDeleted: includeDeleted, limit: limit)
            parts.append(part.records.map(\.record))
            rest = part.rest
        }
        return parts
    }

    @Test(
        "by name: those of one name together, deleted ones on request, those without a name apart")
    func names() throws {
        // Given
        let peer = try TestPeer(testLog, seed: 1)
        let space = try peer.found()
        for (number, title) in ["b", "a", "c", "B", " ", "d"].enumerated() {
            try peer.write([titled(title, UInt64(number))], to: space)
        }
        try peer.write([deleted(5)], to: space)
        let ids = (0..<6).map { record(UInt64($0)) }
        let both = [ids[0], ids[3]].sorted()

        // Then
        #expect(
            try parts(peer, space, .allNames, by: 1) == [[ids[1]], both, [ids[2]]])
        #expect(try parts(peer, space, .allNames, by: 2) == [[ids[1]] + both, [ids[2]]])
        #expect(
            try parts(peer, space, .allNames, by: 9, includeDeleted: true) == [
                [ids[1]] + both + [ids[2], ids[5]]
            ])
        #expect(
            try peer.store.records.list(of: space, in: "memory", outside: .allNames).map(\.record)
                == [ids[4]])
    }

    @Test("nothing is left when a part ends with the last record, or with others at its place")
    func lastPart() throws {
        // Given two of one name, the last one
        let peer = try TestPeer(testLog, seed: 1)
        let space = try peer.found()
        for (number, title) in ["a", "b", "b"].enumerated() {
            try peer.write([titled(title, UInt64(number))], to: space)
        }

        // Then
        for limit in 2...4 {
            let part = try peer.store.records.list(
                of: space, in: "memory", .allNames, limit: limit)
            #expect(part.records.count == 3 && part.rest == nil, "at most \(limit)")
        }
    }

    @Test("records that stay come once, whatever is added, deleted or renamed between the parts")
    func changes() throws {
        // Given
        let peer = try TestPeer(testLog, seed: 1)
        let space = try peer.found()
        let names = ["a", "c", "e", "g", "i", "k"]
        for (number, title) in names.enumerated() {
            try peer.write([titled(title, UInt64(number))], to: space)
        }

        // When between the parts one is added before and one behind the place, one on each side is deleted, and
        // one on each side gets a name on its own side
        let first = try peer.store.records.list(of: space, in: "memory", .allNames, limit: 3)
        try peer.write(
            [
                titled("b", 10), titled("h", 11), deleted(0), deleted(3), titled("aa", 1),
                titled("z", 4),
            ], to: space)
        let rest = try #require(first.rest)
        let second = try peer.store.records.list(of: space, in: "memory", rest, limit: 9)

        // Then
        #expect(first.records.map(\.record) == [0, 1, 2].map { record($0) })
        #expect(second.records.map(\.record) == [11, 5, 4].map { record($0) })
        #expect(second.rest == nil)
    }

    @Test("by time and id: no part is longer than asked for, however many records have one time")
    func timesAndIDs() throws {
        // Given
        let time = FieldSchema(
            name: "time", type: .time, strategy: .lastWrite, isSearched: false)
        let peer = try TestPeer(
            testLog, seed: 1,
            schema: Schema(
                id: TestPeer.schema.id, name: "test", version: 1,
                collections: [CollectionSchema(name: "memory", fields: [time])]))
        let space = try peer.found()
        func at(_ time: Int64, _ number: UInt64) -> RecordOperation {
            RecordOperation(
                collection: "memory", record: record(number),
                writes: [
                    Write(
                        field: "time",
                        value: .time(TimeValue(milliseconds: time, offsetMinutes: nil)))
                ])
        }
        let times: [Int64] = [5, 7, 5, 5, .min, .max, 5, .max]
        try peer.write(
            times.enumerated().map { at($1, UInt64($0)) } + [titled("no time", 20)], to: space)
        let sorted = times.enumerated().map { (time: $1, id: record(UInt64($0))) }
            .sorted { ($0.time, $0.id) < ($1.time, $1.id) }.map(\.id)

        // Then
        for limit in 1...9 {
            let parts = try parts(peer, space, .allTimesAndIDs, by: limit)
            #expect(parts.flatMap(\.self) == sorted)
            #expect(parts.dropLast().allSatisfy { $0.count == limit })
        }
        #expect(
            try peer.store.records.list(of: space, in: "memory", outside: .allTimesAndIDs)
                .map(\.record) == [record(20)])
    }

    @Test("by id: each record once")
    func ids() throws {
        // Given
        let peer = try TestPeer(testLog, seed: 1)
        let space = try peer.found()
        try peer.write((0..<5 as Range<UInt64>).map { titled("x", $0) }, to: space)
        let ids = (0..<5 as Range<UInt64>).map { record($0) }.sorted()

        // When
        let parts = try parts(peer, space, .allIDs, by: 2)

        // Then
        #expect(parts == [Array(ids[0...1]), Array(ids[2...3]), [ids[4]]])
        #expect(try self.parts(peer, space, .allIDs, by: 5) == [ids])
        #expect(try self.parts(peer, space, .allIDs, by: .max) == [ids])
        #expect(try peer.store.records.list(of: space, in: "memory", outside: .allIDs).isEmpty)
    }
}
