import Store
import SyncCore
import TestKit
import Testing

/// The store and its double in memory, side by side.
@Suite struct StoreDoubleTests {
    @Test("A history amounts to the same in both, commit by commit", arguments: TestSeeds.some(8))
    func sameHistory(seed: UInt64) throws {
        // given what three devices wrote, of which one lives twice and another is removed
        var history = try StoreHistory(seed: seed)
        for _ in 0..<50 { try history.act() }
        let stores = try TestedStore.allCases.map {
            try $0.make(history.testLog, seed: seed * 10 + 9, for: history.space)
        }
        // when
        for batch in history.batches() {
            let before = stores[0].watermark
            let reports = try stores.map { try $0.apply(batch) }
            // then
            for store in stores {
                let left = before.limited(by: store.ledger?.forks ?? [:])
                #expect(store.watermark.covers(left), "seed \(seed)")
            }
            #expect(reports[0].stored.map(\.id) == reports[1].stored.map(\.id), "seed \(seed)")
            #expect(reports[0].refusals == reports[1].refusals, "seed \(seed)")
            #expect(reports[0].found.newForks == reports[1].found.newForks, "seed \(seed)")
            #expect(reports[0].found.branched == reports[1].found.branched, "seed \(seed)")
            #expect(stores[0].watermark == stores[1].watermark, "seed \(seed)")
            #expect(stores[0].ledger?.forks == stores[1].ledger?.forks, "seed \(seed)")
        }
        #expect(try stores[0].records() == stores[1].records(), "seed \(seed)")
        let (kept, doubled) = (try stores[0].commits(), try stores[1].commits())
        #expect(kept.map(\.encoded) == doubled.map(\.encoded), "seed \(seed)")
        #expect(kept.count > 10, "seed \(seed)")
    }
}

/// Random writes of three devices. The first lives twice: its lives write one log.
private struct StoreHistory {
    let testLog = TestLog()
    let space: SpaceID
    private let peers: [TestPeer]
    private let grants: [FactReference]
    /// In the order of writing, which is causal.
    private var written: [VerifiedCommit] = []
    private var random: SeededGenerator

    init(seed: UInt64) throws {
        random = SeededGenerator(seed: seed)
        let seeds: [UInt64] = [1, 1, 2, 3]
        peers = try seeds.map { [testLog] in try TestPeer(testLog, seed: seed * 10 + $0) }
        peers[1].log = peers[0].log
        space = try peers[0].found()
        grants = [
            try peers[0].grant(.all, to: peers[2], in: space),
            try peers[0].grant(.editor, to: peers[3], in: space),
        ]
        written = try peers[0].commits(of: space)
        for peer in peers[1...] { try peer.pull(space, from: peers[0]) }
    }

    mutating func act() throws {
        let index = Int.random(in: peers.indices, using: &random)
        let peer = peers[index]
        let ledger = peer.store.ledger(of: space)
        guard ledger?.forks[peer.log] == nil,
            ledger?.membership.writingGrant(of: peer.device) != nil
        else { return try hear(index) }
        let report: ApplyReport
        switch Int.random(in: 0..<20, using: &random) {
        case 0 where index == 2:
            let cut = ledger?.watermark ?? Watermark()
            let revocation = Revocation(
                grant: grants[1], remaining: [], cut: cut, scope: .device, cascade: .none)
            let clear = ClearPart(facts: [.revocation(revocation)])
            report = try peer.write([], clear: clear, to: space)
        case 0..<8: return try hear(index)
        case 8, 9:
            let parts = [[operation()], [operation()], [operation()]]
            report = try peer.write(group: parts, to: space)
        default: report = try peer.write([operation()], to: space)
        }
        written += report.stored.map(testLog.verified)
    }

    private mutating func hear(_ index: Int) throws {
        try peers[index].receive(space, from: peers[Int.random(in: peers.indices, using: &random)])
    }

    private mutating func operation() -> RecordOperation {
        let number = UInt64.random(in: 0..<4, using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: return deleted(number, Bool.random(using: &random))
        case 1: return tagged("t\(number)", number, Bool.random(using: &random))
        default: return titled("w\(UInt8.random(in: 0..<9, using: &random))", number)
        }
    }

    /// All that was written, in batches, one of them too early; and everything once more.
    mutating func batches() -> [[VerifiedCommit]] {
        var batches: [[VerifiedCommit]] = []
        var rest = written[...]
        while !rest.isEmpty {
            batches.append(Array(rest.prefix(Int.random(in: 1...5, using: &random))))
            rest = rest.dropFirst(batches.last?.count ?? 0)
        }
        let early = batches.randomElement(using: &random) ?? []
        batches.insert(early, at: 1)
        return batches + batches
    }
}
