import Store
import SyncCore
import TestKit
import Testing
import VirtualDisk

/// What a revocation takes back of what is shown.
@Suite struct CutTests {
    private let testLog = TestLog()

    @Test("A cut rebuilds the records that its commits touch, and no others")
    func touchedOnly() throws {
        let anna = try TestPeer(testLog, seed: 1)
        let (space, revocation) = try scene(anna)

        let outcome = try anna.write(
            [], clear: ClearPart(facts: [.revocation(revocation)]), to: space)

        #expect(outcome.reevaluated == 2)
        #expect(outcome.touched == [key(1), key(31)])
        #expect(try title(1, of: anna, space) == .text("by Anna 1"))
        #expect(try title(31, of: anna, space) == nil)
    }

    @Test("A cut is there with all that it takes back, or not at all", arguments: 0..<16)
    func wholeOrNot(place: Int) throws {
        // given a disk that fails in the middle of the commit that cuts
        var random = SeededGenerator(seed: UInt64(place))
        let disk = VirtualDisk(seed: 5)
        let anna = try TestPeer(testLog, seed: 1, on: disk)
        let (space, revocation) = try scene(anna)
        let before = anna.store.ledger(of: space)?.watermark.sequence(of: anna.log) ?? 0
        disk.losePower(after: place, of: .write)
        // when
        #expect(throws: StoreError.self) {
            try anna.write([], clear: ClearPart(facts: [.revocation(revocation)]), to: space)
            // The disk may have had room for this one.
            while true { try anna.write([titled("later", 40)], to: space) }
        }
        disk.mend()
        disk.powerCut(random: &random)
        // then
        let again = try TestPeer(testLog, seed: 1, on: disk)
        let ledger = try #require(again.store.ledger(of: space))
        let isCut = ledger.watermark.sequence(of: anna.log) > before
        #expect(
            try title(1, of: again, space) == .text(isCut ? "by Anna 1" : "by Ben 1"))
        #expect(try title(31, of: again, space) == (isCut ? nil : .text("by Ben 31")))
        #expect(try title(2, of: again, space) == .text("by Anna 2"))
        let void = try again.store.log.history(of: space, limit: .max).count { !$0.isEffective }
        #expect(void == (isCut ? 2 : 0))
    }

    /// Thirty records of Anna, of which Ben changed one; another one is his. The cut lies before both.
    private func scene(_ anna: TestPeer) throws -> (SpaceID, Revocation) {
        let ben = try TestPeer(testLog, seed: 2)
        let space = try anna.found()
        for number in 1...30 as ClosedRange<UInt64> {
            try anna.write([titled("by Anna \(number)", number)], to: space)
        }
        let grant = try anna.grant(.editor, to: ben, in: space)
        try ben.pull(space, from: anna)
        let cut = try #require(ben.store.ledger(of: space)?.watermark)
        for number in [1, 31] as [UInt64] {
            try ben.write([titled("by Ben \(number)", number)], to: space)
        }
        try anna.pull(space, from: ben)
        let revocation = Revocation(
            grant: grant, remaining: [], cut: cut, scope: .device, cascade: .all)
        return (space, revocation)
    }

    private func key(_ number: UInt64) -> RecordKey {
        RecordKey(collection: "memory", record: record(number))
    }

    private func title(_ number: UInt64, of peer: TestPeer, _ space: SpaceID) throws -> Value? {
        try peer.store.records.record(key(number), of: space)?.fields["title"]?.latest?.value
    }
}
