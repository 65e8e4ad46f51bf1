import Store
import SyncCore
import TestKit
import Testing
import VirtualDisk

/// A home that was put back from an older copy and written to again: its log has two branches, and the positions
/// in one are those in the other.
@Suite struct SecondLifeTests {
    private let testLog = TestLog()

    /// Anna's closed home after each of two lives that began from the same copy.
    private struct Scene {
        let testLog: TestLog
        let disk = VirtualDisk(seed: 1)
        let space: SpaceID
        let log: LogID
        /// With the changes of the first life.
        let first: VirtualDisk.Snapshot
        /// Another device that received the changes of the second life alone.
        let ben: TestPeer

        init(_ testLog: TestLog, firstChanges: UInt64, secondChanges: UInt64) throws {
            self.testLog = testLog
            ben = try TestPeer(testLog, seed: 2)
            let anna = try TestPeer(testLog, seed: 1, on: disk)
            (space, log) = (try anna.found(), anna.log)
            try anna.grant(.editor, to: ben, in: space)
            try anna.store.close()
            let common = disk.snapshot()
            try Scene.live(on: disk, testLog) { [space] anna in
                for number in 1...firstChanges as ClosedRange<UInt64> {
                    try anna.write([titled("first \(number)", number)], to: space)
                }
            }
            first = disk.snapshot()
            disk.restore(common, as: .sameFiles)
            try Scene.live(on: disk, testLog) { [space, ben] anna in
                for number in 1...secondChanges as ClosedRange<UInt64> {
                    try anna.write([titled("second \(number)", number)], to: space)
                }
                try ben.pull(space, from: anna)
            }
        }

        private static func live(
            on disk: VirtualDisk, _ testLog: TestLog, _ body: (TestPeer) throws -> Void
        ) throws {
            let anna = try TestPeer(testLog, seed: 1, on: disk)
            anna.now = Milliseconds(anna.now.value + 1000)
            try body(anna)
            try anna.store.close()
        }

        func opened() throws -> TestPeer { try TestPeer(testLog, seed: 1, on: disk) }

        /// Puts the database of the first life back, and leaves what lies beside it.
        func putBackFirst() { disk.putBack([VirtualDisk.store], of: first) }
    }

    @Test(
        "the changes of the second life are missed when the database of the first one is put back",
        arguments: [1, 2] as [UInt64])
    func databaseOfFirstLife(firstChanges: UInt64) throws {
        // given
        let scene = try Scene(testLog, firstChanges: firstChanges, secondChanges: 1)
        // when
        scene.putBackFirst()
        // then
        let again = try scene.opened()
        #expect(try again.titles(scene.space, 1) == [.text("first 1")])
        let lost = try again.store.stranded.lostChanges()
        #expect(lost.map(\.log) == [scene.log])
        #expect(lost.map(\.count) == [1])
        let incarnation = try again.store.incarnation()
        #expect(incarnation != scene.log.incarnation)
        try again.store.close()
        // It is not forgotten with the next opening, and begins no other log.
        let third = try scene.opened()
        #expect(try third.store.stranded.lostChanges() == lost)
        #expect(try third.store.incarnation() == incarnation)
        // when they come from a device that has them
        let theirs = try scene.ben.commits(of: scene.space, byteLimit: 1 << 20)
        _ = try third.store.log.apply(theirs, to: scene.space, now: third.now)
        // then both lives wait to be recovered
        #expect(try third.store.stranded.lostChanges() == [])
        let waiting = try third.store.orphans.counts(in: scene.space).map(\.waiting)
        #expect(waiting == [Int(firstChanges) + 1])
    }

    @Test("nothing is missed where the whole home of one life is there")
    func wholeHome() throws {
        // given
        let scene = try Scene(testLog, firstChanges: 1, secondChanges: 1)
        // when the whole home of either life is there
        let second = try scene.opened()
        #expect(try second.store.stranded.lostChanges() == [])
        try second.store.close()
        scene.disk.restore(scene.first, as: .sameFiles)
        // then
        let first = try scene.opened()
        #expect(try first.store.stranded.lostChanges() == [])
        #expect(try first.store.incarnation() == scene.log.incarnation)
    }

    @Test(
        "no sequence is used a second time where an older database comes back twice",
        arguments: [nil, "store.mark", "store.heads"])
    func olderTwice(without lost: String?) throws {
        // given
        let disk = VirtualDisk(seed: 1)
        let anna = try TestPeer(testLog, seed: 1, on: disk)
        let space = try anna.found()
        try anna.store.close()
        let older = disk.snapshot()
        let writer = try TestPeer(testLog, seed: 1, on: disk)
        writer.log = anna.log
        try writer.write([titled("new", 1)], to: space)
        try writer.store.close()
        // when it comes back, the loss is told, and it comes back again
        disk.putBack([VirtualDisk.store], of: older)
        let once = try TestPeer(testLog, seed: 1, on: disk)
        let told = try once.store.stranded.lostChanges()
        try once.store.close()
        if let lost { disk.spoil(lost) { $0 = [] } }
        disk.putBack([VirtualDisk.store], of: older)
        // then
        let twice = try TestPeer(testLog, seed: 1, on: disk)
        #expect(told.map(\.count) == [1])
        #expect(try twice.store.stranded.lostChanges() == told)
        #expect(try twice.store.incarnation() != anna.log.incarnation)
    }
}
