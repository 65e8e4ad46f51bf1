import Store
import SyncCore
import TestKit
import Testing
import VirtualDisk

/// A place of `store.heads` that belongs to no row any more, as after a rebuild.
@Suite struct StaleHeadTests {
    private let testLog = TestLog()

    /// A closed store; with `isStale` its heads name a log of which nothing is here.
    private func closedDisk(isStale: Bool) throws -> (disk: VirtualDisk, log: LogID) {
        let disk = VirtualDisk(seed: 1)
        let anna = try TestPeer(testLog, seed: 1, on: disk)
        let space = try anna.found()
        try anna.write([titled("here", 1)], to: space)
        try anna.store.close()
        let ben = try TestPeer(testLog, seed: 2)
        if isStale {
            let head =
                space.bytes + ben.device.bytes + ben.log.incarnation.bytes + bigEndian(9)
                + [UInt8](repeating: 0, count: 8)
            disk.spoil("store.heads") { $0 += head + sha256(head).bytes }
        }
        return (disk, ben.log)
    }

    private func syncsOfOpening(_ disk: VirtualDisk) throws -> Int {
        let before = disk.count(of: .sync)
        let peer = try TestPeer(testLog, seed: 1, on: disk)
        let syncs = disk.count(of: .sync) - before
        try peer.store.close()
        return syncs
    }

    @Test("the loss is noted once, and later openings write nothing for it")
    func notedOnce() throws {
        // given
        let sound = try syncsOfOpening(try closedDisk(isStale: false).disk)
        let (disk, log) = try closedDisk(isStale: true)
        // when
        #expect(try syncsOfOpening(disk) > sound)
        // then
        for _ in 0..<2 { #expect(try syncsOfOpening(disk) == sound) }
        let anna = try TestPeer(testLog, seed: 1, on: disk)
        #expect(try anna.store.stranded.lostChanges().map(\.log) == [log])
    }

    @Test("on a full disk it opens for reading, and the loss is noted once there is room")
    func fullDisk() throws {
        // given
        let (sound, stale) = (try closedDisk(isStale: false), try closedDisk(isStale: true))
        let closed = (sound: sound.disk.snapshot(), stale: stale.disk.snapshot())
        func opened(
            _ disk: VirtualDisk, _ snapshot: VirtualDisk.Snapshot, _ room: UInt64
        ) -> TestPeer? {
            disk.endProcess()
            disk.setCapacity(bytes: nil)
            disk.restore(snapshot, as: .sameFiles)
            disk.setCapacity(bytes: disk.usedBytes + room)
            return try? TestPeer(testLog, seed: 1, on: disk)
        }
        var unnoted = 0
        for room in stride(from: 0, through: 128 << 10, by: 4096) as StrideThrough<UInt64> {
            guard opened(sound.disk, closed.sound, room) != nil else { continue }
            // when
            let peer = opened(stale.disk, closed.stale, room)
            // then
            let space = try #require(try peer?.store.spaces.all().first?.space, "\(room)")
            #expect(try peer?.titles(space, 1) == [.text("here")], "\(room)")
            guard peer?.store.writeFailure != nil else { continue }
            unnoted += 1
            #expect(peer?.store.writeFailure == .diskFull, "\(room)")
            #expect(throws: StoreError.diskFull, "\(room)") {
                try peer?.store.settings.set("a", to: "b")
            }
            // when there is room
            stale.disk.endProcess()
            stale.disk.setCapacity(bytes: nil)
            let again = try TestPeer(testLog, seed: 1, on: stale.disk)
            // then
            #expect(again.store.writeFailure == nil, "\(room)")
            #expect(try again.store.stranded.lostChanges().map(\.log) == [stale.log], "\(room)")
        }
        #expect(unnoted > 0)
    }
}
