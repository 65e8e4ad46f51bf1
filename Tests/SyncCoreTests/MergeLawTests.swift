import SyncCore
import TestKit
import Testing

/// The laws of merging, for all strategies, sets and deletions at once, on bytes.
@Suite("The laws of merging") struct MergeLawTests {
    /// Three devices that wrote into one record, and heard of each other now and then.
    private func devices(_ random: inout SeededGenerator) throws -> [MergingReplica] {
        let devices = (1...3).map { TestDevice($0, person: $0) }
        var replicas = devices.map { _ in MergingReplica() }
        for step in 0..<24 as Range<UInt64> {
            let index = Int.random(in: 0..<3, using: &random)
            if Int.random(in: 0..<3, using: &random) == 0 {
                let other = replicas[Int.random(in: 0..<3, using: &random)]
                replicas[index] = try replicas[index].merged(with: other)
            } else {
                let commit = commit(step, of: devices[index], on: replicas[index], &random)
                try replicas[index].apply(commit)
            }
        }
        return replicas
    }

    private func commit(
        _ step: UInt64, of device: TestDevice, on replica: MergingReplica,
        _ random: inout SeededGenerator
    ) -> LawCommit {
        let known = replica.known
        let sequence = (known[device.log] ?? 0) + 1
        // Clocks that lie: what counts is what was seen.
        let clock = HybridTime(raw: UInt64.random(in: 0..<50, using: &random))
        let header = CommitHeader(
            space: .zero, log: device.log, sequence: sequence, previous: .zero, clock: clock,
            seen: [], grant: .none, schema: TestCommit.schema.schema, schemaVersion: 1,
            clearHash: .zero, operationsHash: .zero)
        let id = CommitID(sha256(device.id.bytes + bigEndian(step) + bigEndian(random.next())))
        let writes = (0..<Int.random(in: 1...2, using: &random)).map { _ in
            write(on: replica, &random)
        }
        return LawCommit(
            applied: AppliedCommit(
                id: id, header: header, clock: header.clock, seen: known), seen: known,
            clock: clock,
            operation: RecordOperation(1, writes))
    }

    private func write(
        on replica: MergingReplica, _ random: inout SeededGenerator
    ) -> Write {
        let word = ["sea", "Berg", "caf\u{E9}", "cafe\u{301}", "👋", ""][
            Int.random(in: 0..<6, using: &random)]
        let number = Int.random(in: 1...3, using: &random)
        var write: Write
        switch UInt8.random(in: 0..<9, using: &random) {
        case 0: write = Write(field: "last", value: .text(word))
        case 1:
            let text = String(repeating: word, count: number)
            write = Write(field: "longest", value: .text(text))
        case 2:
            let place = PositionValue(
                latitude: 48, longitude: 16, radiusMetres: number == 3 ? nil : Double(number))
            write = Write(field: "place", value: .position(place))
        case 3: write = Write(field: "choice", value: .integer(Int64(number)))
        case 4:
            return Write(
                field: "tags", element: .text(word), value: .boolean(Bool.random(using: &random)))
        case 5: return .deletion(Bool.random(using: &random))
        default: write = Write(field: "text", value: edited(replica, word, &random))
        }
        if Bool.random(using: &random) {
            let shown = MergingReplica.schema.shown(replica.state, in: "memory")
            write.replaces = shown?.writes(write.field) ?? []
            if Bool.random(using: &random) { write.replaces = write.replaces?.dropLast() }
        }
        let ranks: [Precedence] = [.user, .user, .user, .user, .dataSet, .authority]
        write.precedence = ranks[Int.random(in: 0..<6, using: &random)].rawValue
        return write
    }

    private func edited(
        _ replica: MergingReplica, _ word: String, _ random: inout SeededGenerator
    ) -> Value {
        if Int.random(in: 0..<9, using: &random) == 0 { return .null }
        let shown = MergingReplica.schema.shown(replica.state, in: "memory")
        var words = (shown?.value("text")?.text ?? "a b c d e").split(
            separator: " ", omittingEmptySubsequences: false)
        let place = Int.random(in: 0..<max(1, words.count), using: &random)
        if Bool.random(using: &random), place < words.count {
            words[place] = word[...]
        } else {
            words.insert(word[...], at: place)
        }
        return .text(words.prefix(12).joined(separator: " "))
    }

    @Test("replicas that know the same show the same, whatever the order", arguments: 0..<4)
    func laws(part: Int) throws {
        var merged = 0
        for seed in 0..<150 {
            let number = TestSeeds.first + UInt64(part * 1_000 + seed)
            var random = SeededGenerator(seed: number)
            let replicas = try devices(&random)
            let (one, two, three) = (replicas[0], replicas[1], replicas[2])
            // Commutative,
            let pair = try one.merged(with: two)
            #expect(try two.merged(with: one).state == pair.state)
            // idempotent,
            var again = pair.state
            try again.mergeFromHistory(under: MergingReplica.collection, from: pair)
            #expect(again == pair.state)
            #expect(try pair.merged(with: one).state == pair.state)
            // associative.
            let all = try pair.merged(with: three)
            let other = try one.merged(with: two.merged(with: three))
            #expect(other.state == all.state)
            #expect(other.shownBytes == all.shownBytes)
            merged += all.state.merged.count
        }
        // Otherwise the texts were never in question.
        #expect(merged > 10)
    }

    @Test("what is shown is the same at every commit, whatever order it came in", arguments: 0..<4)
    func orders(part: Int) throws {
        for seed in 0..<40 {
            let number = TestSeeds.first + UInt64(9_000 + part * 1_000 + seed)
            var random = SeededGenerator(seed: number)
            let replicas = try devices(&random)
            let all = try replicas[0].merged(with: replicas[1]).merged(with: replicas[2])
            var rest = all.commits
            var again = MergingReplica()
            while !rest.isEmpty {
                let known = again.known
                let ready = rest.indices.filter { index in
                    (known[rest[index].log] ?? 0) + 1 == rest[index].applied.sequence
                        && rest[index].seen.allSatisfy { known[$0] ?? 0 >= $1 }
                }
                let next = try #require(ready.randomElement(using: &random))
                try again.apply(rest.remove(at: next))
            }
            #expect(again.state == all.state)
            #expect(again.shownBytes == all.shownBytes)
        }
    }
}
