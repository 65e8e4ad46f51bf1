import Foundation
import Store
import SyncCore
import TestKit
import Testing
import VirtualDisk

@Suite("Opening on a full disk")
struct FullDiskTests {
    private let testLog = TestLog()
    /// Bytes of the memory that connections share: with these alone a closed store is only read.
    private static let sharedBytes: UInt64 = 32 << 10

    /// The files of a snapshot again, with room for so many bytes more.
    private func restore(
        _ snapshot: VirtualDisk.Snapshot, with room: UInt64, _ disk: VirtualDisk
    ) {
        disk.endProcess()
        disk.setCapacity(bytes: nil)
        disk.restore(snapshot, as: .sameFiles)
        disk.setCapacity(bytes: disk.usedBytes + room)
    }

    /// What another program does to the database of a closed store.
    private func executeElsewhere(_ statements: String, on disk: VirtualDisk) throws {
        let home = TestPeer.newHome()
        try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
        let file = URL(filePath: home + "/" + VirtualDisk.store)
        try Data(disk.contents(of: VirtualDisk.store)).write(to: file)
        try execute(statements, in: home)
        let changed = [UInt8](try Data(contentsOf: file))
        disk.spoil(VirtualDisk.store) { $0 = changed }
    }

    @Test("a damaged store is only replaced by one that was written, and stays until then")
    func rebuilding() throws {
        // given a device without spaces: a rebuild has nothing to take in
        let disk = VirtualDisk(seed: 1)
        let before = try TestPeer(testLog, seed: 1, on: disk)
        try before.store.settings.set("key", to: "kept")
        try before.store.close()
        disk.spoil(VirtualDisk.store) { bytes in
            // In the last page.
            for place in bytes.indices.suffix(3_000).prefix(100) { bytes[place] ^= 0xA5 }
        }
        let damaged = disk.contents(of: VirtualDisk.store)
        let snapshot = disk.snapshot()
        var refused = 0
        for room in stride(from: 0, through: 1 << 20, by: 2_048) as StrideThrough<UInt64> {
            restore(snapshot, with: room, disk)
            do {
                // when
                let peer = try TestPeer(testLog, seed: 1, on: disk)
                // then
                #expect(peer.store.rebuilt != nil, "\(room)")
                #expect(!peer.store.isOpenedForReading, "\(room)")
                #expect(try peer.store.settings.value(of: "key") == "kept", "\(room)")
                #expect(try peer.store.rebuiltFiles.areUnnoted, "\(room)")
            } catch {
                refused += 1
                #expect(error as? StoreError == .diskFull, "\(room)")
                disk.endProcess()
                #expect(disk.contents(of: VirtualDisk.store) == damaged, "\(room)")
                #expect(disk.contents(of: "store.damaged.1.sqlite").isEmpty, "\(room)")
            }
        }
        #expect(refused > 0)
    }

    @Test("a rebuilt store waits for its files to be looked for, however often it is opened first")
    func unnotedFiles() throws {
        // given
        let disk = VirtualDisk(seed: 1)
        let before = try TestPeer(testLog, seed: 1, on: disk)
        let space = try before.found()
        try before.write([titled("here", 1)], to: space)
        #expect(try !before.store.rebuiltFiles.areUnnoted)
        before.store.requestRebuild()
        try before.store.close()
        // when it is rebuilt, and only read afterwards
        let rebuilt = try TestPeer(testLog, seed: 1, on: disk)
        #expect(rebuilt.store.rebuilt != nil)
        try rebuilt.store.close()
        disk.setCapacity(bytes: disk.usedBytes + Self.sharedBytes)
        let reading = try TestPeer(testLog, seed: 1, on: disk)
        #expect(reading.store.isOpenedForReading)
        try reading.store.close()
        disk.setCapacity(bytes: nil)
        // then
        let again = try TestPeer(testLog, seed: 1, on: disk)
        #expect(again.store.rebuilt == nil)
        #expect(try again.store.rebuiltFiles.areUnnoted)
        // when they were looked for
        try again.store.rebuiltFiles.setNoted()
        try again.store.close()
        // then
        #expect(try !TestPeer(testLog, seed: 1, on: disk).store.rebuiltFiles.areUnnoted)
    }

    @Test("records whose schema became known are read as they are, and rebuilt once there is room")
    func learnedSchema() throws {
        // given
        let disk = VirtualDisk(seed: 1)
        let blind = try TestPeer(testLog, seed: 1, on: disk, schema: nil)
        let space = try blind.found()
        try blind.write([titled("here", 1)], to: space)
        try blind.store.close()
        disk.setCapacity(bytes: disk.usedBytes + Self.sharedBytes)
        // when
        let reading = try TestPeer(testLog, seed: 1, on: disk)
        // then
        #expect(reading.store.isOpenedForReading)
        #expect(try reading.store.records.remakeOutdated() == 0)
        #expect(try reading.titles(space, 1) == [.text("here")])
        try reading.store.close()
        // when there is room
        disk.setCapacity(bytes: nil)
        let again = try TestPeer(testLog, seed: 1, on: disk)
        // then
        #expect(try again.store.records.remakeOutdated() == 1)
        #expect(try again.store.records.search("here").count == 1)
    }

    @Test("an older format is read as it was shown, and rebuilt once there is room")
    func olderFormat() throws {
        // given a store whose records are to be rebuilt at its opening; there are none yet
        let disk = VirtualDisk(seed: 1)
        let before = try TestPeer(testLog, seed: 1, on: disk)
        let space = try before.found()
        try before.write([titled("here", 1)], to: space)
        try before.store.close()
        try executeElsewhere(
            "DELETE FROM records; INSERT INTO settings (key, value) VALUES ('outdated', x'01')",
            on: disk)
        let snapshot = disk.snapshot()
        var only = 0
        let rooms = stride(from: Self.sharedBytes, through: 1 << 20, by: 16 << 10)
        for room in rooms {
            restore(snapshot, with: room, disk)
            // when
            let peer = try TestPeer(testLog, seed: 1, on: disk)
            // then
            let isReadOnly = peer.store.isOpenedForReading
            #expect(try peer.titles(space, 1) == (isReadOnly ? [] : [.text("here")]), "\(room)")
            only += isReadOnly ? 1 : 0
            guard isReadOnly else { continue }
            try peer.store.close()
            // when there is room
            disk.setCapacity(bytes: nil)
            let again = try TestPeer(testLog, seed: 1, on: disk)
            // then
            #expect(try again.titles(space, 1) == [.text("here")], "\(room)")
        }
        #expect(only > 0 && only < Array(rooms).count)
    }

    @Test("texts that search cannot find for lack of room are told, and found once there is room")
    func words() throws {
        // given a space that an earlier program accepted again, and another one
        let disk = VirtualDisk(seed: 1)
        let before = try TestPeer(testLog, seed: 1, on: disk)
        let (space, other) = (try before.found(), try before.found())
        for number in 1...50 as ClosedRange<UInt64> {
            let words = (0..<200).map { "word\(Int(number) * 1000 + $0)" }.joined(separator: " ")
            try before.write([titled("Duomo \(words)", number)], to: space)
        }
        try before.store.spaces.setStanding(of: space, to: .left, now: before.now)
        try before.store.close()
        try executeElsewhere("UPDATE spaces SET standing = 2", on: disk)
        let snapshot = disk.snapshot()
        var waiting = 0
        let rooms = stride(from: Self.sharedBytes, through: 2 << 20, by: 32 << 10)
        for room in rooms {
            restore(snapshot, with: room, disk)
            // when
            let peer = try TestPeer(testLog, seed: 1, on: disk)
            let records = peer.store.records
            // then
            let isWaiting = try records.lacksWords(of: [space])
            #expect(try records.search("duomo").count == (isWaiting ? 0 : 50), "\(room)")
            #expect(try !records.lacksWords(of: [other]), "\(room)")
            guard isWaiting, !peer.store.isOpenedForReading else { continue }
            waiting += 1
            // when there is room, and another space is left first
            disk.setCapacity(bytes: nil)
            try peer.store.spaces.setStanding(of: other, to: .left, now: peer.now)
            #expect(try records.lacksWords(of: [space]), "\(room)")
            try records.indexAsRoomAllows()
            // then
            #expect(try !records.lacksWords(of: [space]), "\(room)")
            #expect(try records.search("duomo").count == 50, "\(room)")
        }
        #expect(waiting > 0 && waiting < Array(rooms).count)
    }
}
