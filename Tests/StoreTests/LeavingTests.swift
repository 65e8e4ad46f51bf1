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

    /// Two spaces, each with a record in the index and one that waits to be indexed.
    private func twoSpaces(of peer: TestPeer) throws -> (left: SpaceID, kept: SpaceID) {
        let spaces = (try peer.found(), try peer.found())
        for space in [spaces.0, spaces.1] { try peer.write([titled("Duomo", 1)], to: space) }
        try peer.store.records.remakeSearch()
        for space in [spaces.0, spaces.1] { try peer.write([titled("Duomo", 2)], to: space) }
        return spaces
    }

    @Test("the index of words loses a space that is left, and gets it back when it is active again")
    func index() throws {
        // given
        let peer = try TestPeer(testLog, seed: 1)
        let (left, kept) = try twoSpaces(of: peer)
        let records = peer.store.records
        func spacesFound() throws -> [SpaceID] { try records.search("duomo").map(\.space) }
        func hasNoFault() throws -> Bool {
            let verdict = try peer.store.examination.compareShown()
            return verdict.faults.isEmpty && !verdict.isIndexBroken
        }
        #expect(try spacesFound().count == 4)
        // when
        try peer.write([titled("Duomo", 3)], to: left, standing: .left)
        // then
        #expect(try Set(spacesFound()) == [kept])
        #expect(try indexed(in: peer.home) == 1)
        #expect(try hasNoFault())
        // Later changes, and what makes the index again, do not bring it back.
        try peer.write([titled("Duomo", 4)], to: left)
        try records.remakeSearch()
        #expect(try indexed(in: peer.home) == 2)
        try records.remakeAll()
        try records.rebuild(left)
        #expect(try Set(spacesFound()) == [kept])
        #expect(try hasNoFault())
        // when
        try peer.store.spaces.setStanding(of: left, to: .offered, now: peer.now)
        #expect(try Set(spacesFound()) == [kept])
        try peer.store.spaces.setStanding(of: left, to: .active, now: peer.now)
        // then
        #expect(try spacesFound().count { $0 == left } == 4)
        #expect(try spacesFound().count { $0 == kept } == 2)
        #expect(try hasNoFault())
    }

    @Test("opening brings the index to where spaces stand, and a rebuild leaves it so")
    func indexAtOpening() throws {
        // given
        let peer = try TestPeer(testLog, seed: 1)
        let (left, kept) = try twoSpaces(of: peer)
        try peer.store.close()
        #expect(try indexed(in: peer.home) == 4)
        // when an earlier program left one
        try execute(
            """
            UPDATE spaces SET standing = 3
            WHERE id = (SELECT MIN(space) FROM commits)
            """, in: peer.home)
        let again = try TestPeer(testLog, seed: 1, home: peer.home)
        // then
        #expect(again.store.spaces.standing(of: left) == .left)
        #expect(try Set(again.store.records.search("duomo").map(\.space)) == [kept])
        #expect(try indexed(in: peer.home) == 2)
        // and when the store is rebuilt
        again.store.requestRebuild()
        try again.store.close()
        let rebuilt = try TestPeer(testLog, seed: 1, home: peer.home)
        #expect(rebuilt.store.rebuilt != nil)
        #expect(rebuilt.store.spaces.standing(of: left) == .left)
        #expect(try Set(rebuilt.store.records.search("duomo").map(\.space)) == [kept])
        // and when an earlier program accepted it
        try rebuilt.store.close()
        #expect(try indexed(in: peer.home) == 2)
        try execute("UPDATE spaces SET standing = 2", in: peer.home)
        let accepted = try TestPeer(testLog, seed: 1, home: peer.home)
        #expect(try accepted.store.records.search("duomo").count == 4)
        let verdict = try accepted.store.examination.compareShown()
        #expect(verdict.faults.isEmpty && !verdict.isIndexBroken)
    }
}
