import Store
import SyncCore
import TestKit
import Testing
import VirtualDisk

@Suite struct VirtualDiskTests {
    private let testLog = TestLog()

    /// What one run of writes and power cuts came to.
    private struct Cuts {
        /// Power cuts after which something answered was not there, or the store did not open.
        var lossy = 0
        var cuts = 0
        /// Cuts after which a commit was there that had not been answered.
        var ahead = 0
    }

    @Test("what a store has answered survives 200 power cuts, and the store stays sound")
    func powerCuts() throws {
        var total = Cuts()
        for seed in TestSeeds.some(20) {
            let run = try cuts(10, seed: seed)
            #expect(run.lossy == 0, "seed \(seed)")
            total.lossy += run.lossy
            total.cuts += run.cuts
            total.ahead += run.ahead
        }

        #expect(total.cuts == 200)
        #expect(total.lossy == 0)
        // Else the cuts would all have come at moments when nothing was at work.
        #expect(total.ahead > 0)
    }

    @Test("with fsync left out answered commits are lost: the disk notices")
    func canary() throws {
        var lossy = 0
        for seed in 1...20 as ClosedRange<UInt64> {
            lossy += try cuts(1, seed: seed, honoursSync: false).lossy
        }
        #expect(lossy > 5)
    }

    /// Writes, cuts the power in the middle of a write, opens again, and looks.
    private func cuts(_ count: Int, seed: UInt64, honoursSync: Bool = true) throws -> Cuts {
        var random = SeededGenerator(seed: seed)
        var result = Cuts()
        let disk = VirtualDisk(seed: seed)
        var peer = try TestPeer(testLog, seed: seed, on: disk)
        let space = try peer.found()
        disk.setHonoursSync(honoursSync)
        var answered: UInt64 = 1
        for _ in 0..<count {
            if Bool.random(using: &random) {
                disk.losePower(after: Int.random(in: 0..<60, using: &random), of: .write)
            } else {
                disk.losePower(after: Int.random(in: 0..<6, using: &random), of: .sync)
            }
            do {
                while true {
                    let first = UInt64.random(in: 0..<50, using: &random)
                    try peer.write((first..<first + 8).map { titled("\(answered)", $0) }, to: space)
                    answered += 1
                    if !honoursSync && answered > 30 { break }
                }
            } catch is StoreError {}
            disk.mend()
            disk.powerCut(random: &random)
            result.cuts += 1
            do {
                peer = try TestPeer(testLog, seed: seed, on: disk)
            } catch is StoreError {
                result.lossy += 1
                return result
            }
            let kept = peer.store.ledger(of: space)?.watermark.sequence(of: peer.log) ?? 0
            let problems = try peer.store.integrityCheck()
            if kept < answered || !problems.isEmpty { result.lossy += 1 }
            if kept > answered { result.ahead += 1 }
            guard kept >= answered else { return result }
            answered = kept
        }
        return result
    }

    @Test("what is not synced survives in part, and the same seed cuts the same")
    func seededCuts() throws {
        func content(seed: UInt64) throws -> [UInt8] {
            let disk = VirtualDisk(seed: 1)
            let peer = try TestPeer(testLog, seed: 1, on: disk)
            disk.setHonoursSync(false)
            let space = try peer.found()
            try peer.write((0..<100).map { titled("t", $0) }, to: space)
            try peer.store.close()
            var random = SeededGenerator(seed: seed)
            disk.powerCut(random: &random)
            return try disk.place().read("", at: 0, 1 << 20)
        }

        let contents = try (0..<8).map { try content(seed: $0) }

        #expect(try (0..<8).map { try content(seed: $0) } == contents)
        #expect(Set(contents).count > 3)
    }

    @Test("a process that ends loses nothing; a store of before answers with errors")
    func processEnd() throws {
        let disk = VirtualDisk(seed: 1)
        let before = try TestPeer(testLog, seed: 1, on: disk)
        let space = try before.found()
        disk.endProcess()

        let after = try TestPeer(testLog, seed: 1, on: disk)

        #expect(throws: StoreError.self) { try before.write([titled("alt", 1)], to: space) }
        #expect(after.store.opening.newBecause == nil)
        #expect(
            after.store.ledger(of: space)?.watermark == before.store.ledger(of: space)?.watermark)
        try after.write([titled("neu", 1)], to: space)
        #expect(try after.store.integrityCheck() == [])
    }

    @Test("files rolled back in place go on as they were, copied ones in a new incarnation")
    func restoring() throws {
        let disk = VirtualDisk(seed: 1)
        let anna = try TestPeer(testLog, seed: 1, on: disk)
        let space = try anna.found()
        let snapshot = disk.snapshot()
        try anna.write([titled("später", 1)], to: space)

        disk.restore(snapshot, as: .sameFiles)
        let rolledBack = try TestPeer(testLog, seed: 1, on: disk)
        let copied = try TestPeer(
            testLog, seed: 5, on: VirtualDisk(copying: snapshot, seed: 2))
        disk.restore(snapshot, as: .copies)
        let restored = try TestPeer(testLog, seed: 6, on: disk)

        #expect(rolledBack.store.opening.newBecause == nil)
        #expect(rolledBack.log == anna.log)
        #expect(rolledBack.store.ledger(of: space)?.watermark.sequence(of: anna.log) == 1)
        for peer in [copied, restored] {
            #expect(peer.store.opening.newBecause == .fileReplaced)
            #expect(peer.store.ledger(of: space)?.watermark.sequence(of: anna.log) == 1)
        }
        let logs = Set([anna, copied, restored].map(\.log.incarnation))
        #expect(logs.count == 3)
    }

    @Test("on a full virtual disk a write is undone; it goes on once there is room")
    func full() throws {
        let disk = VirtualDisk(seed: 1)
        let anna = try TestPeer(testLog, seed: 1, on: disk)
        let space = try anna.found()
        disk.setCapacity(bytes: disk.usedBytes + 300_000)
        var written: UInt64 = 0
        #expect(throws: StoreError.diskFull) {
            while written < 10_000 {
                try anna.write([titled(String(repeating: "x", count: 9000), written)], to: space)
                written += 1
            }
        }

        #expect(written > 0)
        #expect(anna.store.writeFailure == nil)
        #expect(try anna.store.records.counts(of: space)["memory"] == Int(written))
        disk.setCapacity(bytes: nil)
        try anna.write([titled("Platz", 0)], to: space)
        #expect(anna.store.ledger(of: space)?.watermark.sequence(of: anna.log) == written + 2)
        #expect(try anna.store.integrityCheck() == [])
    }
}
