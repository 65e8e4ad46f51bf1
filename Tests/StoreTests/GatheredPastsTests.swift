import Store
import SyncCore
import TestKit
import Testing

/// What it costs to put the texts of many records together, and that the outcome is that of each record alone.
@Suite("The pasts of records whose texts are put together at a time") struct GatheredPastsTests {
    private let testLog = TestLog()

    /// Records with so many texts.
    private static func schema(_ texts: Int) -> Schema {
        Schema(
            id: TestPeer.schema.id, name: "texts", version: 1,
            collections: [
                CollectionSchema(
                    name: "memory",
                    fields: (0..<texts).map {
                        FieldSchema(
                            name: "text\($0)", type: .text, strategy: .mergeText, isSearched: false)
                    })
            ])
    }

    private func key(_ number: UInt64) -> RecordKey {
        RecordKey(collection: "memory", record: record(number))
    }

    /// Writes a text to every field of some records, as one commit.
    private func write(
        _ text: String, to numbers: ClosedRange<UInt64>, _ schema: Schema, in space: SpaceID,
        by peer: TestPeer
    ) throws {
        let fields = schema.collections[0].fields
        let operations = numbers.map { number in
            RecordOperation(
                collection: "memory", record: record(number),
                writes: fields.map { Write(field: $0.name, value: .text(text)) })
        }
        try peer.write(operations, to: space)
    }

    /// How many commits are decoded while the texts of all these records come into conflict at once, after so many
    /// commits that each wrote to all of them.
    private func decodings(
        _ numbers: ClosedRange<UInt64>, texts: Int = 1, commits: Int, padding: String = ""
    ) throws -> Int {
        let schema = Self.schema(texts)
        let anna = try TestPeer(testLog, seed: 1, schema: schema)
        let ben = try TestPeer(testLog, seed: 2, schema: schema)
        let space = try anna.found()
        try anna.grant(.editor, to: ben, in: space)
        for number in 0..<commits {
            try write("One. \(number). Three." + padding, to: numbers, schema, in: space, by: anna)
        }
        try ben.pull(space, from: anna)
        let middle = " \(commits - 1). "
        try write("1." + middle + "Three." + padding, to: numbers, schema, in: space, by: anna)
        try write("One." + middle + "3." + padding, to: numbers, schema, in: space, by: ben)
        let known = try #require(anna.store.ledger(of: space)).watermark
        let coming = try ben.commits(of: space, beyond: known)
        let before = testLog.decodedCount
        #expect(try anna.store.log.apply(coming, to: space, now: anna.now).refusal == nil)
        let count = testLog.decodedCount - before
        for number in numbers {
            let state = try #require(try anna.store.records.record(key(number), of: space))
            for field in schema.collections[0].fields {
                let shown = schema.shown(state, in: "memory")?.value(field.name)?.text
                #expect(shown == "1." + middle + "3." + padding)
            }
        }
        return count
    }

    @Test("a commit that wrote to many records in conflict is decoded once for all of them")
    func once() throws {
        // given, when
        let count = try decodings(1...30, commits: 100)
        // then
        #expect(count <= 102 + Limits.keptCommits)
    }

    @Test("more writes than are held at a time are gathered in parts")
    func parts() throws {
        // given
        let (records, texts, commits) = (30, 20, 30)
        #expect(records * texts * commits > Limits.gatheredWrites)
        // when
        let count = try decodings(1...UInt64(records), texts: texts, commits: commits)
        // then
        #expect(commits * 2...(commits + 2) * 2 + Limits.keptCommits ~= count)
    }

    @Test("longer texts than are held at a time are gathered in parts")
    func longTexts() throws {
        // given six records of which four fit into the memory
        let padding = " " + String(repeating: "x", count: 100 << 10)
        let commits = 18
        // when
        let count = try decodings(1...6, commits: commits, padding: padding)
        // then
        #expect(commits * 2...(commits + 2) * 2 + Limits.keptCommits ~= count)
    }

    @Test(
        "many records together are put together as each alone, from one batch and from many",
        arguments: TestSeeds.some(8))
    func asEachAlone(seed: UInt64) throws {
        // given three devices that write to many records at a time, and pull at random
        var random = SeededGenerator(seed: seed)
        let schema = Self.schema(2)
        func peer(_ number: UInt64) throws -> TestPeer {
            try TestPeer(testLog, seed: seed * 10 + number, schema: schema)
        }
        let peers = try (1...3).map { try peer($0) }
        let space = try peers[0].found()
        for other in peers[1...] {
            try peers[0].grant(.editor, to: other, in: space)
            try other.pull(space, from: peers[0])
        }
        for _ in 0..<50 {
            let author = peers[Int.random(in: peers.indices, using: &random)]
            if Bool.random(using: &random) {
                try author.pull(space, from: peers[Int.random(in: peers.indices, using: &random)])
            } else {
                try author.write(try edits(by: author, schema, in: space, &random), to: space)
            }
        }
        for other in peers[1...] { try peers[0].pull(space, from: other) }
        // when one device receives all at once, and another one commit after the other
        let all = try peers[0].commits(of: space)
        let (whole, single) = (try peer(8), try peer(9))
        #expect(try whole.store.log.apply(all, to: space, now: whole.now).refusal == nil)
        for commit in all {
            #expect(try single.store.log.apply([commit], to: space, now: single.now).refusal == nil)
        }
        // then
        for peer in [whole, single] {
            #expect(
                try peer.store.records.digest(of: space, under: schema)
                    == peers[0].store.records.digest(of: space, under: schema))
            for number in 1...6 as ClosedRange<UInt64> {
                let commits = try peer.store.past.commits(writingTo: [key(number)], in: space)
                let alone = try LonePast(of: key(number), commits).state(under: schema)
                #expect(try peer.store.records.record(key(number), of: space) ?? .init() == alone)
            }
            #expect(try peer.store.examination.compareShown().faults == [])
        }
    }

    /// Words more or less in texts of some records, or a deletion.
    private func edits(
        by peer: TestPeer, _ schema: Schema, in space: SpaceID, _ random: inout SeededGenerator
    ) throws -> [RecordOperation] {
        try (1...6 as ClosedRange<UInt64>).filter { _ in Int.random(in: 0..<3, using: &random) > 0 }
            .map { number in
                if Int.random(in: 0..<16, using: &random) == 0 {
                    return deleted(number, Bool.random(using: &random))
                }
                let shown = try peer.store.records.record(key(number), of: space)
                    .flatMap { schema.shown($0, in: "memory") }
                let writes = schema.collections[0].fields.map { field in
                    var words = (shown?.value(field.name)?.text ?? "").split(separator: " ")
                        .prefix(20).map(String.init)
                    words.insert(
                        "w\(UInt8.random(in: 0..<6, using: &random))",
                        at: Int.random(in: 0...words.count, using: &random))
                    let isSeen = Bool.random(using: &random)
                    return Write(
                        field: field.name, value: .text(words.joined(separator: " ")),
                        replaces: isSeen ? shown?.writes(field.name) : nil)
                }
                return RecordOperation(
                    collection: "memory", record: record(number), writes: writes)
            }
    }
}

/// The past of one record, from commits that were read for it alone.
private struct LonePast: RecordHistory {
    private struct Written {
        let id: WriteID
        let write: Write
        let commit: AppliedCommit
    }

    private var written: [Written] = []
    private var applied = RecordState()

    init(of key: RecordKey, _ commits: [PastCommit]) {
        for commit in commits where commit.isEffective {
            var index: UInt32 = 0
            for operation in commit.stored.commit.operations {
                if operation.record == key.record {
                    applied.apply(operation, firstIndex: index, of: commit.applied)
                }
                for write in operation.writes {
                    let id = WriteID(commit: commit.applied.id, index: index)
                    if operation.record == key.record {
                        written.append(Written(id: id, write: write, commit: commit.applied))
                    }
                    index += 1
                }
            }
        }
    }

    func state(under schema: Schema) throws -> RecordState {
        var state = applied
        try state.mergeFromHistory(under: schema.collection("memory"), from: self)
        return state
    }

    func history(of field: String) -> RegisterHistory? {
        let own = written.filter { $0.write.field == field }
        let logs = Set(own.map(\.commit.log))
        return RegisterHistory(
            own.map { entry in
                RegisterHistory.Entry(
                    id: entry.id, log: entry.commit.log, sequence: entry.commit.sequence,
                    clock: entry.commit.clock, precedence: entry.write.precedence,
                    replaces: entry.write.replaces,
                    seen: logs.reduce(into: [:]) { $0[$1] = entry.commit.seen($1) })
            })
    }

    func value(of write: WriteID) -> Value? { written.first { $0.id == write }?.write.value }

    func seen(by write: SurvivingWrite, of log: LogID) -> UInt64 {
        written.first { $0.id == write.id }?.commit.seen(log) ?? 0
    }
}
