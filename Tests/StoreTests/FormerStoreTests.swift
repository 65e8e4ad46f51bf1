import Foundation
import Store
import SyncCore
import TestKit
import Testing
import VirtualDisk

/// Before a format is raised the store is kept beside as it was, until the new format was opened twice.
@Suite struct FormerStoreTests {
    private static let copy = "store.sqlite.format-15"

    @Test(
        "the store of before is kept beside, for its owner only, until the new one was opened twice",
        arguments: [6, 12, 15])
    func kept(format: Int) throws {
        // given
        let home = try GoldenStore.home(of: format)
        let copy = home + "/store.sqlite.format-\(format)"
        let before = try bytes(home + "/store.sqlite")
        // when it is brought up to date, and opened once more, then the one of before lies beside it
        for _ in 1...2 {
            try GoldenStore.open(StoreLock(home: home)).close()
            #expect(try bytes(copy) == before)
            let attributes = try FileManager.default.attributesOfItem(atPath: copy)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
        // when the new one was opened twice, then it goes
        try GoldenStore.open(StoreLock(home: home)).close()
        #expect(try names(home).filter { $0.contains("format") } == [])
        try GoldenStore.open(StoreLock(home: home)).close()
        #expect(try names(home).filter { $0.contains("format") } == [])
    }

    @Test("beside a store of today's format nothing is kept")
    func today() throws {
        let home = try GoldenStore.home(of: try #require(try GoldenStore.formats().last))
        try GoldenStore.open(StoreLock(home: home)).close()
        #expect(try names(home).filter { $0.contains("format") } == [])
    }

    @Test("a copy that is gone is not missed")
    func gone() throws {
        let home = try GoldenStore.home(of: 15)
        try GoldenStore.open(StoreLock(home: home)).close()
        try FileManager.default.removeItem(atPath: home + "/" + FormerStoreTests.copy)
        for _ in 1...3 {
            let store = try GoldenStore.open(StoreLock(home: home))
            #expect(try store.log.history(of: GoldenStore.space, limit: .max).count == 11)
            try store.close()
        }
    }

    @Test("a copy that is not whole, or of another day, is made again")
    func madeAgain() throws {
        let home = try GoldenStore.home(of: 15)
        let before = try bytes(home + "/store.sqlite")
        for name in [FormerStoreTests.copy, FormerStoreTests.copy + ".new"] {
            try (before.prefix(5000) + [1]).write(to: URL(filePath: home + "/" + name))
        }

        try GoldenStore.open(StoreLock(home: home)).close()

        #expect(try bytes(home + "/" + FormerStoreTests.copy) == before)
        #expect(try !names(home).contains(FormerStoreTests.copy + ".new"))
    }

    @Test("what stands only in the WAL is in the copy, which is one file")
    func fromWAL() throws {
        // given a store whose program was killed in the middle of its work
        let (open, home) = (try GoldenStore.home(of: 15), try newFolder())
        _ = try GoldenStore.sqlite([
            open + "/store.sqlite", "INSERT INTO settings VALUES ('user.late', x'31')",
            ".shell cp '\(open)/store.sqlite' '\(open)/store.sqlite-wal' '\(home)'",
        ])
        try PageSeal.seal(home + "/store.sqlite")
        try #require(try !bytes(home + "/store.sqlite-wal").isEmpty)
        // when
        try GoldenStore.open(StoreLock(home: home)).close()
        // then
        let alone = try newFolder()
        try FileManager.default.copyItem(
            atPath: home + "/" + FormerStoreTests.copy, toPath: alone + "/store.sqlite")
        #expect(try format(inHeadOf: alone + "/store.sqlite") == 15)
        let store = try GoldenStore.open(StoreLock(home: alone))
        #expect(store.rebuilt == nil)
        #expect(try store.settings.value(of: "late") == "1")
        #expect(try store.integrityCheck() == [])
    }

    @Test("an updated store goes on in its log; its copy, put back in its place, begins a new one")
    func putBack() throws {
        // given a store that knows its file and machine
        let home = try GoldenStore.home(of: 15)
        let lock = try StoreLock(home: home)
        let known = [("file", try lock.fingerprint()), ("machine", lock.machineID)]
        for (key, value) in known {
            try execute(
                """
                UPDATE settings SET value = x'\(hexadecimal(value.utf8))' WHERE key = '\(key)'
                """, in: home)
        }
        // when
        let store = try GoldenStore.open(lock)
        // then
        #expect(store.opening.newBecause == nil)
        try store.close()
        // when
        for suffix in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: home + "/store.sqlite" + suffix)
        }
        try FileManager.default.moveItem(
            atPath: home + "/" + FormerStoreTests.copy, toPath: home + "/store.sqlite")
        // then
        let again = try GoldenStore.open(StoreLock(home: home))
        #expect(again.opening.newBecause == .fileReplaced)
        #expect(again.opening.incarnation != store.opening.incarnation)
        #expect(try again.log.history(of: GoldenStore.space, limit: .max).count == 11)
    }

    @Test("when an update fails, it is said where the store of before lies, and nothing is changed")
    func failing() throws {
        let home = try GoldenStore.home(of: 15)
        try execute("CREATE TABLE reversals (a)", in: home)

        let error = #expect(throws: StoreError.self) {
            try GoldenStore.open(StoreLock(home: home))
        }

        guard case .notUpdated(let why, let former) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(why.contains("reversals"))
        #expect(former == home + "/" + FormerStoreTests.copy)
        #expect(try format(inHeadOf: former) == 15)
        #expect(try format(inHeadOf: home + "/store.sqlite") == 15)
    }

    // MARK: On a virtual disk

    private static let before = Result {
        let home = try GoldenStore.home(of: 15)
        return [UInt8](try Data(contentsOf: URL(filePath: home + "/store.sqlite")))
    }

    private func disk(seed: UInt64) throws -> (disk: VirtualDisk, before: [UInt8]) {
        let before = try FormerStoreTests.before.get()
        let disk = VirtualDisk(seed: seed)
        try disk.place().replace(with: before)
        return (disk, before)
    }

    private func contents(_ name: String, of disk: VirtualDisk) throws -> [UInt8] {
        try disk.place().beside(name).read("", at: 0, 1 << 20)
    }

    @Test("without room for the copy nothing is changed, and it is said how much is needed")
    func withoutRoom() throws {
        let (disk, before) = try disk(seed: 1)
        let needed = UInt64(before.count) * Limits.updateRoom
        let path = disk.place().path
        let folder = String(path.dropLast("/store.sqlite".count))
        disk.setCapacity(bytes: disk.usedBytes + needed - 1)

        #expect(
            throws: StoreError.noRoomToUpdate(folder: folder, needed: needed, free: needed - 1)
        ) { try GoldenStore.open(disk.place()) }

        #expect(try contents(VirtualDisk.store, of: disk) == before)
        #expect(try contents(FormerStoreTests.copy, of: disk).isEmpty)
        disk.setCapacity(bytes: nil)
        try GoldenStore.open(disk.place()).close()
        #expect(try contents(FormerStoreTests.copy, of: disk) == before)
    }

    @Test(
        "whenever the power goes, a whole copy lies beside a store of the new format",
        arguments: [VirtualDisk.Call.open, .write, .sync, .aside, .delete])
    func powerCuts(call: VirtualDisk.Call) throws {
        let (whole, before) = try disk(seed: 1)
        try GoldenStore.open(whole.place()).close()
        let total = whole.count(of: call)
        for place in 0..<total {
            // given
            let seed = TestSeeds.first + UInt64(place)
            var random = SeededGenerator(seed: seed)
            let comment = Comment("\(call) \(place), seed \(seed)")
            let disk = try disk(seed: seed).disk
            disk.losePower(after: place, of: call)
            // when
            _ = try? GoldenStore.open(disk.place()).close()
            disk.mend()
            disk.powerCut(random: &random)
            // then what has the copy's name is whole, and the next opening has one
            let copy = try contents(FormerStoreTests.copy, of: disk)
            #expect(copy.isEmpty || copy == before, comment)
            let store = try GoldenStore.open(disk.place())
            let digest = try store.records.digest(of: GoldenStore.space, under: GoldenStore.schema)
            #expect(digest == GoldenStore.digest, comment)
            try expectKept(on: disk, seed, comment)
        }
    }

    /// The copy holds all of the store of before.
    private func expectKept(on disk: VirtualDisk, _ seed: UInt64, _ comment: Comment) throws {
        let alone = VirtualDisk(seed: seed)
        try alone.place().replace(with: contents(FormerStoreTests.copy, of: disk))
        #expect(try contents(VirtualDisk.store, of: alone).dropFirst(63).first == 15, comment)
        let store = try GoldenStore.open(alone.place())
        #expect(store.rebuilt == nil, comment)
        #expect(try store.integrityCheck() == [], comment)
        #expect(try store.log.history(of: GoldenStore.space, limit: .max).count == 11, comment)
    }

    @Test("each call of the disk fails once while the copy is made: the store opens the next time")
    func failingCalls() throws {
        for call in [VirtualDisk.Call.sync, .aside, .read] {
            let whole = try disk(seed: 1).disk
            try GoldenStore.open(whole.place()).close()
            for place in 0..<whole.count(of: call) {
                let disk = try disk(seed: 1).disk
                disk.fail(after: place, of: call)
                do {
                    try GoldenStore.open(disk.place()).close()
                } catch is StoreError {
                    disk.mend()
                    disk.endProcess()
                    try GoldenStore.open(disk.place()).close()
                }
                disk.mend()
                try expectKept(on: disk, 1, "\(call) \(place)")
            }
        }
    }

    // MARK: Files

    private func bytes(_ path: String) throws -> Data {
        try Data(contentsOf: URL(filePath: path))
    }

    private func names(_ home: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: home)
    }

    private func newFolder() throws -> String {
        let folder = TestPeer.newHome()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        return folder
    }
}
