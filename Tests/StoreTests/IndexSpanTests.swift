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
            try parts(peer, space, .allNames, by: 1) == [[ids[1]], both, [ids[2]], []])
        #expect(try parts(peer, space, .allNames, by: 2) == [[ids[1]] + both, [ids[2]]])
        #expect(
            try parts(peer, space, .allNames, by: 9, includeDeleted: true) == [
                [ids[1]] + both + [ids[2], ids[5]]
            ])
        #expect(
            try peer.store.records.list(of: space, in: "memory", outside: .allNames).map(\.record)
                == [ids[4]])
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
        #expect(try peer.store.records.list(of: space, in: "memory", outside: .allIDs).isEmpty)
    }
}
