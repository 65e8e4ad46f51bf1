import Store
import SyncCore
import TestKit
import Testing
import VirtualDisk

/// Every call of a disk goes wrong once, in every place of a small sync run.
@Suite struct DiskTroubleTests {
    private let testLog = TestLog()

    /// How many calls of a kind a run without trouble has made at the end of each step.
    private func callCounts(_ call: VirtualDisk.Call) throws -> [Int] {
        var run = try SmallRun(testLog)
        let counts = try (1...SmallRun.stepCount).map { end in
            try run.go(until: end)
            return run.disk.count(of: call)
        }
        try run.conclude()
        return counts
    }

    /// What happens after a call has failed.
    enum Sequel {
        case powerCut, reopening
        /// Reopening, and a power cut before the store is closed the next time.
        case latePowerCut
    }

    @Test(
        "the Nth call fails: the store says so, loses nothing, and goes on after reopening",
        arguments: [
            (VirtualDisk.Call.sync, [Sequel.powerCut, .reopening, .latePowerCut]),
            (.write, [.powerCut]), (.open, [.reopening]), (.read, [.reopening]),
            (.truncate, [.latePowerCut]), (.delete, [.powerCut]), (.map, [.reopening]),
        ])
    func failing(call: VirtualDisk.Call, sequels: [Sequel]) throws {
        for sequel in sequels { try failing(call, sequel) }
    }

    private func failing(_ call: VirtualDisk.Call, _ sequel: Sequel) throws {
        let counts = try callCounts(call)
        let total = try #require(counts.last)
        #expect(total > 1)
        for place in 0..<total {
            let step = counts.count { $0 <= place }
            let isReported = try fail(call, after: place, sequel)
            #expect(
                isReported || SmallRun.tolerant.contains(step), "\(call) \(place) in step \(step)")
        }
    }

    @Test(
        "writing beside the store may fail: only what makes a space is refused, and nothing is lost"
    )
    func failingAside() throws {
        let counts = try callCounts(.aside)
        let total = try #require(counts.last)
        #expect(total > 1)
        var refused: Set<Int> = []
        for place in 0..<total where try fail(.aside, after: place, .powerCut) {
            refused.insert(counts.count { $0 <= place })
        }
        // It is answered only once the mark beside the store can say it.
        #expect(refused == [SmallRun.making])
    }

    /// Returns whether the store reported the failure.
    private func fail(
        _ call: VirtualDisk.Call, after place: Int, _ sequel: Sequel
    ) throws -> Bool {
        var random = SeededGenerator(seed: TestSeeds.first + UInt64(place))
        var run = try SmallRun(testLog)
        var isReported = false
        run.disk.fail(after: place, of: call)
        do {
            try run.go()
        } catch let error as StoreError {
            isReported = true
            expectStop(run.anna, error, "\(call) \(place)")
            run.disk.mend()
            if sequel == .powerCut {
                run.disk.powerCut(random: &random)
            } else {
                run.disk.endProcess()
            }
            try run.reopen()
            if sequel == .latePowerCut {
                let step = run.step
                try run.go(until: SmallRun.closing.first { $0 >= step } ?? step)
                run.disk.powerCut(random: &random)
                try run.reopen()
            }
            try run.go()
        }
        try run.conclude()
        return isReported
    }

    /// A store that does not know what is durable writes nothing.
    private func expectStop(_ peer: TestPeer?, _ error: StoreError, _ place: String) {
        guard let peer else { return }
        #expect(peer.store.writeFailure != nil, "\(place): \(error)")
        #expect(throws: StoreError.self, "\(place)") {
            try peer.store.settings.set("other", to: "value")
        }
    }

    @Test("the disk is full at every point: the write is undone, and it goes on with room")
    func full() throws {
        var whole = try SmallRun(testLog)
        let used = try (1...SmallRun.stepCount).map { end in
            try whole.go(until: end)
            return whole.disk.usedBytes
        }
        var refused = 0
        for capacity in stride(from: 0, through: used.max() ?? 0, by: 8192) {
            var run = try SmallRun(testLog)
            run.disk.setCapacity(bytes: capacity)
            do {
                try run.go()
            } catch let error as StoreError {
                refused += 1
                #expect(error == .diskFull, "\(capacity) bytes, step \(run.step)")
                // What was opened without room is only read, and opened again once there is room.
                let isReadOnly = run.anna?.store.isOpenedForReading == true && run.step == 7
                #expect(
                    run.anna?.store.writeFailure == nil || isReadOnly,
                    "\(capacity) bytes, step \(run.step)")
                run.disk.setCapacity(bytes: nil)
                if isReadOnly {
                    run.disk.endProcess()
                    try run.reopen()
                }
                try run.go()
            }
            run.disk.setCapacity(bytes: nil)
            try run.conclude()
        }
        #expect(refused > 20)
    }

    @Test(
        "a store that was closed opens for reading on a full disk, and for writing once there is room",
        arguments: [VirtualDisk.Restoring.sameFiles, .copies])
    func openedWithoutRoom(restoring: VirtualDisk.Restoring) throws {
        // given
        let disk = VirtualDisk(seed: 1)
        let before = try TestPeer(testLog, seed: 1, on: disk)
        let space = try before.found()
        try before.write([titled("here", 1)], to: space)
        try before.store.close()
        disk.restore(disk.snapshot(), as: restoring)
        // Room for the memory that connections share, not for the first pages of a WAL.
        disk.setCapacity(bytes: disk.usedBytes + (32 << 10))
        for _ in 0..<2 {
            // when
            let peer = try TestPeer(testLog, seed: 1, on: disk)
            // then
            #expect(peer.store.isOpenedForReading)
            #expect(peer.log == before.log && peer.store.opening.newBecause == nil)
            #expect(try peer.titles(space, 1) == [.text("here")])
            #expect(throws: StoreError.diskFull) { try peer.store.settings.set("a", to: "b") }
            try peer.store.close()
        }
        // when there is room
        disk.setCapacity(bytes: nil)
        let again = try TestPeer(testLog, seed: 1, on: disk)
        // then
        #expect(again.store.writeFailure == nil)
        #expect(again.store.opening.newBecause == (restoring == .copies ? .fileReplaced : nil))
        #expect(try again.titles(space, 1) == [.text("here")])
        try again.write([titled("later", 2)], to: space)
    }

    @Test("a store that was killed on a full disk opens, reads, and closes there")
    func openedWhileFull() throws {
        let long = String(repeating: "x", count: 1 << 19)
        var run = try SmallRun(testLog)
        try run.go(until: 5)
        try run.anna?.store.settings.set("long", to: long)
        // Room for what a database pool writes when it opens, not for what stands in the WAL.
        run.disk.setCapacity(bytes: run.disk.usedBytes + (64 << 10))
        run.disk.endProcess()
        try run.reopen()
        #expect(throws: StoreError.diskFull) {
            try run.anna?.store.settings.set("other", to: long)
        }
        try run.anna?.store.close()
        try run.reopen()
        #expect(try run.anna?.store.settings.value(of: "long") == long)
        run.disk.setCapacity(bytes: nil)
        try run.go()
        try run.conclude()
    }

    @Test("the power goes while a store is made: it is made again")
    func creation() throws {
        let whole = VirtualDisk(seed: 1)
        _ = try TestPeer(testLog, seed: 1, on: whole)
        for call in [VirtualDisk.Call.open, .write, .sync, .truncate, .delete] {
            for place in 0..<whole.count(of: call) {
                for seed in TestSeeds.some(4) {
                    var random = SeededGenerator(seed: seed)
                    let disk = VirtualDisk(seed: seed)
                    disk.losePower(after: place, of: call)
                    _ = try? TestPeer(testLog, seed: 1, on: disk)
                    disk.powerCut(random: &random)
                    disk.mend()
                    #expect(throws: Never.self, "\(call) \(place), seed \(seed)") {
                        let peer = try TestPeer(testLog, seed: 1, on: disk)
                        let space = try peer.found()
                        try peer.write([titled("da", 1)], to: space)
                    }
                }
            }
        }
    }

    /// Writes until SQLite has written its log back into the database file.
    private struct BigLog {
        let disk = VirtualDisk(seed: 1)
        let peer: TestPeer
        let space: SpaceID
        var written: UInt64 = 0
        /// The syncs, counted from 0, of commits that took more than one.
        var checkpoints: Range<Int> = 0..<0

        init(_ testLog: TestLog) throws {
            peer = try TestPeer(testLog, seed: 1, on: disk)
            space = try peer.found()
        }

        mutating func write() throws {
            let text = String(repeating: "x", count: 60_000)
            while checkpoints.isEmpty && written < 200 {
                let before = disk.count(of: .sync)
                try peer.write([titled(text, written)], to: space)
                written += 1
                let after = disk.count(of: .sync)
                if after > before + 1 { checkpoints = before..<after }
            }
        }
    }

    @Test("a sync that fails while the log is written back is reported, and nothing is lost")
    func checkpoint() throws {
        var whole = try BigLog(testLog)
        try whole.write()
        #expect(whole.checkpoints.count > 1)
        for place in whole.checkpoints {
            var random = SeededGenerator(seed: TestSeeds.first + UInt64(place))
            var log = try BigLog(testLog)
            log.disk.fail(after: place - log.disk.count(of: .sync), of: .sync)
            // The commit before is durable, so its write may have been answered.
            do { try log.write() } catch is StoreError {}
            #expect(log.peer.store.writeFailure != nil, "sync \(place)")
            #expect(throws: StoreError.self) { try log.peer.store.settings.set("a", to: "b") }
            try log.peer.store.close()
            log.disk.powerCut(random: &random)
            let again = try TestPeer(testLog, seed: 1, on: log.disk)
            let kept = again.store.ledger(of: log.space)?.watermark.sequence(of: again.log) ?? 0
            #expect(kept >= log.written + 1, "sync \(place)")
            #expect(try again.store.integrityCheck() == [])
        }
    }
}
