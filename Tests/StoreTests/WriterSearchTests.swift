import Store
import SyncCore
import TestKit
import Testing

/// What saving a record costs whose texts are put together, and where it is not known who wrote to it.
@Suite("The search for the commits that wrote to a record") struct WriterSearchTests {
    private let testLog = TestLog()
    private let home = TestPeer.newHome()

    private static let schema = Schema(
        id: TestPeer.schema.id, name: "texts", version: 1,
        collections: [
            CollectionSchema(
                name: "memory",
                fields: ["text", "notes"].map {
                    FieldSchema(name: $0, type: .text, strategy: .mergeText, isSearched: false)
                })
        ])

    private func peer(_ seed: UInt64, home: String = TestPeer.newHome()) throws -> TestPeer {
        try TestPeer(testLog, seed: seed, home: home, schema: Self.schema)
    }

    /// Both texts of a record.
    private func texts(_ text: String, _ number: UInt64) -> RecordOperation {
        RecordOperation(
            collection: "memory", record: record(number),
            writes: ["text", "notes"].map { Write(field: $0, value: .text(text)) })
    }

    private func shown(_ number: UInt64, _ space: SpaceID, of peer: TestPeer) throws -> [String] {
        let key = RecordKey(collection: "memory", record: record(number))
        let state = try #require(try peer.store.records.record(key, of: space))
        let shown = Self.schema.shown(state, in: "memory")
        return ["text", "notes"].compactMap { shown?.value($0)?.text }
    }

    /// How many commits are decoded while these are applied.
    private func decodings(
        applying coming: [VerifiedCommit], to space: SpaceID, of peer: TestPeer
    ) throws -> Int {
        let before = testLog.decodedCount
        #expect(try peer.store.log.apply(coming, to: space, now: peer.now).refusal == nil)
        return testLog.decodedCount - before
    }

    private func coming(
        _ space: SpaceID, from other: TestPeer, to peer: TestPeer
    ) throws -> [VerifiedCommit] {
        try other.commits(of: space, beyond: peer.store.ledger(of: space)?.watermark ?? Watermark())
    }

    /// A peer with that home and another one, both with records 1 to 3.
    private func two() throws -> (anna: TestPeer, ben: TestPeer, space: SpaceID) {
        let (anna, ben) = (try peer(1, home: home), try peer(2))
        let space = try anna.found()
        try anna.grant(.editor, to: ben, in: space)
        try anna.write((1...3).map { texts("One. Two. Three.", $0) }, to: space)
        try ben.pull(space, from: anna)
        return (anna, ben, space)
    }

    /// Notes every commit that writes to records as one that was sealed and opened.
    private static let sealing = """
        INSERT INTO sealed (commit_row, space, epoch, contents)
        SELECT id, space, zeroblob(32), \(CommitContents.opened.rawValue) FROM commits
        WHERE length(operations) > 0;
        """

    @Test("sealed commits of a space are listed once for a search, not for each commit")
    func sealed() throws {
        // given a space with very much that is sealed
        let anna = try peer(1, home: home)
        let space = try anna.found()
        for number in 1...100 as ClosedRange<UInt64> {
            try anna.write([texts("a", number)], to: space)
        }
        try anna.store.close()
        try execute(
            """
            UPDATE records SET writers = NULL;
            WITH RECURSIVE numbers (number) AS (
                SELECT 1000000 UNION ALL SELECT number + 1 FROM numbers WHERE number < 1060000)
            INSERT INTO sealed (commit_row, space, epoch, contents)
            SELECT number, (SELECT space FROM commits), zeroblob(32),
                \(CommitContents.opened.rawValue) FROM numbers
            """, in: home)
        let again = try peer(1, home: home)
        let key = RecordKey(collection: "memory", record: record(1))
        // when
        var found = 0
        let seconds = try ProcessorTime.seconds {
            found = try again.store.past.commits(writingTo: [key], in: space).count
        }
        // then: a list for each of these commits takes more than a second
        #expect(found == 1)
        #expect(seconds < 0.5)
    }

    @Test("for all records of a transaction, and all their texts, the log is searched once")
    func once() throws {
        // given three records of which nobody knows who wrote to them, among sealed commits
        var (anna, ben, space) = try two()
        for number in 10..<110 as Range<UInt64> { try anna.write([texts("a", number)], to: space) }
        try anna.write((1...3).map { texts("1. Two. Three.", $0) }, to: space)
        try ben.write((1...3).map { texts("One. Two. 3.", $0) }, to: space)
        try anna.store.close()
        try execute("UPDATE records SET writers = NULL;" + Self.sealing, in: home)
        anna = try peer(1, home: home)
        // when
        let first = try decodings(
            applying: coming(space, from: ben, to: anna), to: space, of: anna)
        // then
        #expect(100..<130 ~= first)
        for number in 1...3 as ClosedRange<UInt64> {
            #expect(try shown(number, space, of: anna) == ["1. Two. 3.", "1. Two. 3."])
        }
        // when they are written to again, then it is known
        try ben.write((1...3).map { texts("One. Two. 33.", $0) }, to: space)
        let second = try decodings(
            applying: coming(space, from: ben, to: anna), to: space, of: anna)
        #expect(second < 20)
        for number in 1...3 as ClosedRange<UInt64> {
            #expect(try shown(number, space, of: anna) == ["1. Two. 33.", "1. Two. 33."])
        }
        #expect(try anna.store.examination.compareShown().faults == [])
    }

    @Test("each commit of a record is decoded once for all its texts and their values")
    func values() throws {
        // given
        let (anna, ben, space) = try two()
        for number in 0..<40 { try anna.write([texts("One. Two. \(number).", 1)], to: space) }
        try ben.pull(space, from: anna)
        try anna.write([texts("1. Two. 39.", 1)], to: space)
        try ben.write([texts("One. Two. end.", 1)], to: space)
        // when
        let count = try decodings(
            applying: coming(space, from: ben, to: anna), to: space, of: anna)
        // then
        #expect(try shown(1, space, of: anna) == ["1. Two. end.", "1. Two. end."])
        #expect(count <= 43)
    }

    @Test("who wrote stands in the row of a record for as long as its texts are put together")
    func keptWhileMerging() throws {
        // given
        var (anna, ben, space) = try two()
        for number in 0..<Limits.keptWriters {
            try anna.write([texts("One. Two. \(number).", 1)], to: space)
        }
        try ben.pull(space, from: anna)
        try anna.write([texts("1. Two. \(Limits.keptWriters - 1).", 1)], to: space)
        try ben.write([texts("One. Two. final.", 1)], to: space)
        func isKept() throws -> Bool {
            try anna.store.close()
            let count = try GoldenStore.sqlite([
                home + "/store.sqlite",
                "SELECT count(*) FROM records WHERE length(writers) > \(Limits.keptWriters)",
            ])
            anna = try peer(1, home: home)
            return count == "1\n"
        }
        #expect(try !isKept())
        // when
        try anna.pull(space, from: ben)
        // then
        #expect(try isKept())
        #expect(try shown(1, space, of: anna) == ["1. Two. final.", "1. Two. final."])
        #expect(try anna.store.examination.compareShown().faults == [])
        // when somebody saves what is shown
        try anna.write([texts("1. Two. final.", 1)], to: space)
        // then
        #expect(try !isKept())
        #expect(try anna.store.examination.compareShown().faults == [])
    }

    @Test("texts are not put together while a commit between them cannot be opened any more")
    func closed() throws {
        // given a sealed commit that was opened, and whose key went
        var (anna, ben, space) = try two()
        let middle = try #require(
            try anna.write([texts("One. Two. Four.", 1)], to: space).stored.first?.id)
        try ben.pull(space, from: anna)
        try anna.write([texts("1. Two. Four.", 1)], to: space)
        ben.now = Milliseconds(anna.now.value + 1_000)
        try ben.write([texts("One. Two. 4.", 1)], to: space)
        let both = try coming(space, from: ben, to: anna)
        try anna.store.close()
        try execute(Self.sealing, in: home)
        anna = try peer(1, home: home)
        testLog.close(middle)
        // when
        _ = try anna.store.log.apply(both, to: space, now: ben.now)
        // then the last one is shown, and somebody has to look at it
        #expect(try shown(1, space, of: anna) == ["One. Two. 4.", "One. Two. 4."])
        #expect(try anna.store.records.conflicts(of: space).map(\.record) == [record(1)])
    }
}
