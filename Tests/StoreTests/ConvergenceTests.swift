import Store
import SyncCore
import TestKit
import Testing

@Suite struct ConvergenceTests {
    @Test(
        "devices that write at the same time show the same, whatever the order",
        arguments: TestSeeds.some(12))
    func convergence(seed: UInt64) throws {
        // Given three devices that write and pull at random,
        let testLog = TestLog()
        var random = SeededGenerator(seed: seed)
        let peers = try (1...3 as ClosedRange<UInt64>).map {
            try TestPeer(testLog, seed: seed * 10 + $0)
        }
        let space = try peers[0].found()
        try peers[0].grant(.all, to: peers[1], in: space)
        try peers[0].grant(.editor, to: peers[2], in: space)
        for peer in peers[1...] { try peer.pull(space, from: peers[0]) }
        for _ in 0..<60 { try act(one(of: peers, &random), among: peers, in: space, &random) }

        // when all have everything, and a fourth takes it in another causal order,
        for _ in 0..<2 {
            for peer in peers {
                for other in peers where other.device != peer.device {
                    #expect(try peer.pull(space, from: other).refusal == nil)
                }
            }
        }
        let late = try TestPeer(testLog, seed: seed * 10 + 9)
        for commit in try shuffled(try peers[0].commits(of: space), &random) {
            #expect(try late.store.log.apply([commit], to: space, now: late.now).refusal == nil)
        }

        // then they show the same, from the same bytes, and so does a rebuilt one.
        let digest = try late.digest(space)
        let states = try late.states(space)
        for peer in peers {
            #expect(try peer.digest(space) == digest)
            #expect(try peer.states(space) == states)
        }
        try late.store.records.rebuild(space)
        #expect(try late.states(space) == states)
        #expect(
            try late.store.records.conflicts(of: space)
                == peers[0].store.records.conflicts(of: space))
        #expect(try late.store.integrityCheck() == [])
        for peer in peers + [late] {
            #expect(try peer.store.examination.compareShown().faults == [])
            #expect(try peer.store.examination.verifyLogs().faults == 0)
        }
    }

    private func one(of peers: [TestPeer], _ random: inout SeededGenerator) -> TestPeer {
        peers[Int.random(in: peers.indices, using: &random)]
    }

    /// Mostly it writes or pulls.
    private func act(
        _ peer: TestPeer, among peers: [TestPeer], in space: SpaceID,
        _ random: inout SeededGenerator
    ) throws {
        if Int.random(in: 0..<12, using: &random) == 0 {
            // Its clock is set to another day.
            let days = UInt64.random(in: 0..<6, using: &random)
            peer.now = Milliseconds(1_700_000_000_000 + days * 86_400_000)
        } else if Int.random(in: 0..<12, using: &random) == 0 {
            let device = one(of: peers, &random).device
            try peer.write([], clear: redating(device, &random), to: space)
        } else if Bool.random(using: &random) {
            try peer.write(try operations(on: peer, space, &random), to: space)
        } else {
            try peer.pull(space, from: one(of: peers, &random))
        }
    }

    /// Of some days, by some days; not everybody may.
    private func redating(_ device: DeviceID, _ random: inout SeededGenerator) -> ClearPart {
        let day = 86_400_000 as UInt64
        let first = 1_700_000_000_000 - day + UInt64.random(in: 0..<6, using: &random) * day
        let span = first...first + UInt64.random(in: 0..<6, using: &random) * day
        let offset = Int64.random(in: -3...3, using: &random) * Int64(day)
        return ClearPart(facts: [
            .redating(Redating(device: device, span: span, offsetMilliseconds: offset))
        ])
    }

    private func operations(
        on peer: TestPeer, _ space: SpaceID, _ random: inout SeededGenerator
    ) throws -> [RecordOperation] {
        try (0..<Int.random(in: 1...3, using: &random)).map { _ in
            let number = UInt64.random(in: 0..<4, using: &random)
            let word = "w\(UInt16.random(in: 0..<6, using: &random))"
            switch UInt8.random(in: 0..<10, using: &random) {
            case 6, 7, 8: return try edit(number, word, on: peer, space, &random)
            case 9:
                let name = String(repeating: word, count: Int.random(in: 1...3, using: &random))
                let radius = Double(Int.random(in: 1...3, using: &random))
                let place = PositionValue(latitude: 48, longitude: 16, radiusMetres: radius)
                return RecordOperation(
                    collection: "memory", record: record(number),
                    writes: [
                        Write(field: "name", value: .text(name)),
                        Write(field: "place", value: .position(place)),
                    ])
            case 0: return deleted(number, Bool.random(using: &random))
            case 1, 2: return tagged(word, number, Bool.random(using: &random))
            case 3:
                // What another device might be looking at, seen here or not.
                let key = RecordKey(collection: "memory", record: record(number))
                let writes =
                    try peer.store.records.record(key, of: space)?.fields["title"]?.writes ?? []
                return titled(word, number, replaces: writes.dropLast().map(\.id))
            default: return titled(word, number)
            }
        }
    }

    /// A word more or less in the text that is shown, or in an older one that was looked at.
    private func edit(
        _ number: UInt64, _ word: String, on peer: TestPeer, _ space: SpaceID,
        _ random: inout SeededGenerator
    ) throws -> RecordOperation {
        let shown = try peer.shown(number, in: space)
        var words = (shown?.value("text")?.text ?? "").split(separator: " ").map(String.init)
        let place = Int.random(in: 0...words.count, using: &random)
        if place < words.count, Bool.random(using: &random) {
            words[place] = word
        } else {
            words.insert(word, at: place)
        }
        let seen: [WriteID]? =
            switch UInt8.random(in: 0..<3, using: &random) {
            case 0: nil
            case 1: Array((shown?.writes("text") ?? []).dropLast())
            default: shown?.writes("text") ?? []
            }
        return written(words.prefix(30).joined(separator: " "), number, replaces: seen)
    }

    /// A random order in which every commit comes after what it has seen.
    private func shuffled(
        _ commits: [VerifiedCommit], _ random: inout SeededGenerator
    ) throws -> [VerifiedCommit] {
        var rest = commits
        var known = Watermark()
        var ordered: [VerifiedCommit] = []
        while !rest.isEmpty {
            let ready = rest.indices.filter { index in
                let header = rest[index].header
                let knowsGrant =
                    header.isGenesis || ordered.contains { $0.id == header.grant.commit }
                return known.sequence(of: header.log) + 1 == header.sequence && knowsGrant
                    && header.seen.allSatisfy { known.covers($0.log, $0.head.sequence) }
            }
            let index = try #require(ready.randomElement(using: &random))
            let commit = rest.remove(at: index)
            known.advance(
                commit.header.log,
                to: LogHead(sequence: commit.header.sequence, commit: commit.id))
            ordered.append(commit)
        }
        return ordered
    }
}
