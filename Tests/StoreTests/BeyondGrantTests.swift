import Foundation
import Store
import SyncCore
import Testing

/// What its author had no right to write, and never can have had, takes no room here.
@Suite struct BeyondGrantTests {
    private let testLog = TestLog()

    @Test("A viewer who writes with a program of its own takes no room on anybody's disk")
    func viewer() throws {
        // given a viewer
        let anna = try TestPeer(testLog, seed: 1)
        let ben = try TestPeer(testLog, seed: 2)
        let space = try anna.found()
        let grant = try anna.grant(.read, to: ben, in: space)
        try ben.pull(space, from: anna)
        // when it writes 60 commits of 900 kB
        let text = String(repeating: "x", count: 900_000)
        var commits: [VerifiedCommit] = []
        var header = try ben.nextHeader(in: space, under: grant)
        for number in 0..<60 as Range<UInt64> {
            commits.append(testLog.commit(header, ClearPart(), [titled(text, number)]))
            header.sequence += 1
            header.previous = commits.last?.id ?? .zero
            header.seen = []
        }
        let before = try bytes(of: anna)
        let outcome = try anna.store.log.apply(commits, to: space, now: anna.now)
        // then the first is refused, and nothing is kept
        #expect(outcome.stored.isEmpty)
        #expect(outcome.refusal?.reason == .misbehaved(.beyondGrant))
        #expect(try bytes(of: anna) - before < 100_000)
        #expect(anna.store.ledger(of: space)?.watermark.sequence(of: ben.log) == 0)
        // and what a reader may write is taken
        let leaving = Revocation(
            grant: grant, remaining: [], cut: Watermark(), scope: .device, cascade: .none)
        try ben.write([], clear: ClearPart(facts: [.revocation(leaving)]), to: space)
        #expect(try anna.pull(space, from: ben).membershipChanged)
    }

    private func bytes(of peer: TestPeer) throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: peer.home).reduce(0) { sum, name in
            let path = peer.home + "/" + name
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            return sum + ((attributes[.size] as? NSNumber)?.intValue ?? 0)
        }
    }
}
