import Store
import SyncCore
import TestKit
import Testing
import VirtualDisk

/// A dismissed loss is no longer reported; a later loss is.
@Suite struct DismissedDamageTests {
    private let testLog = TestLog()

    /// Anna's space with five changes of hers, all of which Ben has; her store is closed.
    private struct Scene {
        let testLog: TestLog
        let disk = VirtualDisk(seed: 1)
        let space: SpaceID
        let log: LogID
        /// Her home before each of the changes.
        let before: [VirtualDisk.Snapshot]
        /// All in the space, as Ben has it.
        let all: [VerifiedCommit]

        init(_ testLog: TestLog) throws {
            self.testLog = testLog
            let anna = try TestPeer(testLog, seed: 1, on: disk)
            let ben = try TestPeer(testLog, seed: 2)
            (space, log) = (try anna.found(), anna.log)
            try anna.store.close()
            var before: [VirtualDisk.Snapshot] = []
            for number in 1...5 as ClosedRange<UInt64> {
                before.append(disk.snapshot())
                let writer = try TestPeer(testLog, seed: 1, on: disk)
                try writer.write([titled("new", number)], to: space)
                try writer.store.close()
            }
            self.before = before
            let last = try TestPeer(testLog, seed: 1, on: disk)
            try ben.pull(space, from: last)
            try last.store.close()
            all = try ben.commits(of: space, byteLimit: 1 << 20)
        }

        /// Opens her store with the database that it had before the last `count` changes.
        func opened(without count: Int) throws -> TestPeer {
            disk.putBack([VirtualDisk.store], of: before[5 - count])
            return try opened()
        }

        func opened() throws -> TestPeer { try TestPeer(testLog, seed: 1, on: disk) }

        /// Has her device receive her own changes of before, up to one of them.
        func give(_ peer: TestPeer, upTo number: Int) throws {
            // The first commit makes the space.
            let some = all.filter { $0.header.log == log && $0.header.sequence <= number + 1 }
            _ = try peer.store.log.apply(some, to: space, now: peer.now)
        }
    }

    /// Counts of what is lost, and of that what is dismissed.
    private func counts(_ peer: TestPeer) throws -> [[Int]] {
        let lost = try peer.store.stranded.lostChanges()
        return [lost.map(\.count), lost.filter(\.isDismissed).map(\.count)]
    }

    private func dismissAll(_ peer: TestPeer) throws {
        let store = peer.store
        try store.stranded.dismiss(
            try store.stranded.lostChanges(), emptied: store.spaces.emptied)
    }

    @Test("a loss stays dismissed when the store is opened again, until the person takes that back")
    func dismissed() throws {
        // given
        let scene = try Scene(testLog)
        let once = try scene.opened(without: 3)
        #expect(try counts(once) == [[3], []])
        // when
        try dismissAll(once)
        // then
        #expect(try counts(once) == [[3], [3]])
        try once.store.close()
        let twice = try scene.opened()
        #expect(try counts(twice) == [[3], [3]])
        try twice.store.close()
        // The same database again: the loss is the same.
        let third = try scene.opened(without: 3)
        #expect(try counts(third) == [[3], [3]])
        // when
        try third.store.stranded.undismissAll()
        // then
        #expect(try counts(third) == [[3], []])
        #expect(try third.store.settings.value(of: "dismissedDamage") == nil)
    }

    @Test("a greater loss in the same log is reported in full")
    func moreIsLost() throws {
        // given
        let scene = try Scene(testLog)
        let once = try scene.opened(without: 2)
        try dismissAll(once)
        try once.store.close()
        // when
        let twice = try scene.opened(without: 4)
        // then
        #expect(try counts(twice) == [[4], []])
    }

    @Test(
        "changes that came back after their loss was dismissed are reported when they are lost again",
        arguments: [5, 4, 3])
    func lostAgain(given number: Int) throws {
        // given
        let scene = try Scene(testLog)
        let once = try scene.opened(without: 3)
        try dismissAll(once)
        // when the changes of before come, all of them or some
        try scene.give(once, upTo: number)
        // then
        #expect(try counts(once) == (number == 5 ? [[], []] : [[5 - number], [5 - number]]))
        #expect(
            (try once.store.settings.value(of: "dismissedDamage") == nil) == (number == 5))
        try once.store.close()
        // when
        let twice = try scene.opened(without: 3)
        // then
        #expect(try counts(twice) == [[3], []])
    }

    @Test("a loss that changed since it was read is not dismissed")
    func staleReading() throws {
        // given
        let scene = try Scene(testLog)
        let peer = try scene.opened(without: 3)
        let read = try peer.store.stranded.lostChanges()
        // when
        try scene.give(peer, upTo: 3)
        try peer.store.stranded.dismiss(read, emptied: [scene.space])
        // then
        #expect(try counts(peer) == [[2], []])
        #expect(peer.store.stranded.dismissedSpaces == [])
    }

    @Test("a dismissed space that came back is reported when it is lost again")
    func emptied() throws {
        // given
        let scene = try Scene(testLog)
        func openedEmpty() throws -> TestPeer {
            for suffix in ["", "-wal"] { scene.disk.spoil(VirtualDisk.store + suffix) { $0 = [] } }
            return try scene.opened()
        }
        let once = try openedEmpty()
        #expect(once.store.spaces.emptied == [scene.space])
        #expect(once.store.stranded.dismissedSpaces == [])
        // when
        try dismissAll(once)
        try once.store.close()
        // then
        let twice = try openedEmpty()
        #expect(twice.store.spaces.emptied == [scene.space])
        #expect(twice.store.stranded.dismissedSpaces == [scene.space])
        // when
        try scene.give(twice, upTo: 5)
        // then
        #expect(twice.store.stranded.dismissedSpaces == [])
        #expect(try counts(twice) == [[], []])
        try twice.store.close()
        #expect(try openedEmpty().store.stranded.dismissedSpaces == [])
    }

    @Test("the setting has the documented form, and a line that cannot be read dismisses nothing")
    func setting() throws {
        // given
        let scene = try Scene(testLog)
        let peer = try scene.opened(without: 3)
        let incarnation = hexadecimal(scene.log.incarnation.bytes)
        let line = "\(scene.space) \(scene.log.device) \(incarnation) 3 6 3"
        // when
        try dismissAll(peer)
        // then
        #expect(try peer.store.settings.value(of: "dismissedDamage") == line)
        try peer.store.close()
        // when
        for (text, expected) in [
            (line + "\n0aff\n\(scene.space) 3 6 3", [3]), (line + "\n\(scene.space)", [3]),
            ("\(scene.space) \(scene.log.device) \(incarnation) 3 6 2", []),
            ("\(scene.space) \(scene.log.device) \(incarnation) 3 5 3", []),
            ("\(scene.space) \(scene.log.device) \(incarnation) 4 6 3", []),
            ("\(scene.space) \(scene.log.device) \(incarnation) 3 6", []),
        ] as [(String, [Int])] {
            let open = try scene.opened()
            try open.store.settings.set("dismissedDamage", to: text)
            try open.store.close()
            // then
            let again = try scene.opened()
            #expect(try counts(again) == [[3], expected], "\(text)")
            try again.store.close()
        }
    }
}
