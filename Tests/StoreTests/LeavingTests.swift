import Store
import SyncCore
import TestKit
import Testing
import VirtualDisk

@Suite struct LeavingTests {
    private let testLog = TestLog()

    @Test("a space is left with the commit that says so, or not at all", arguments: 0..<4)
    func atomic(place: Int) throws {
        // given a disk that fails in the middle of that commit
        var random = SeededGenerator(seed: 5)
        let disk = VirtualDisk(seed: 5)
        let anna = try TestPeer(testLog, seed: 1, on: disk)
        let space = try anna.found()
        disk.losePower(after: place, of: .write)
        // when
        #expect(throws: StoreError.self) {
            try anna.write([titled("last", 1)], to: space, standing: .left)
            // The disk may have had room for this one.
            while true { try anna.write([titled("later", 1)], to: space) }
        }
        disk.mend()
        disk.powerCut(random: &random)
        // then
        let again = try TestPeer(testLog, seed: 1, on: disk)
        let ledger = try #require(again.store.ledger(of: space))
        let isSaid = ledger.watermark.sequence(of: anna.log) > 1
        #expect(again.store.spaces.standing(of: space) == (isSaid ? .left : .active))
    }
}
