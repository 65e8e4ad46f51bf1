import Archive
import Foundation
import Glibc
import Testing

/// Losses that must not pass in silence, and the remains of killed restores.
extension BackupTests {
    private static let day: Int64 = 86_400_000

    @Test("Removing backups removes no file while a manifest is unreadable, and names its backup")
    func unreadableManifest() throws {
        // given
        let (one, two) = (try file(1), try file(2))
        try backUp("first", [one], made: 1_790_000_000_000)
        let other = try backUp("other", [two], made: 1_790_000_000_000 + 1000, device: "ben")
        let last = try backUp("second", [], made: 1_790_000_000_000 + 3 * Self.day)
        let place = try BackupPlace(at: folder)
        let backup = "\(folder)/backups/\(other.name)"
        // The disk lost the end of the list as well: only the manifest tells of it.
        let lines = try #require(read("\(backup)/SHA256SUMS")).split(separator: UInt8(ascii: "\n"))
        try Data(lines.dropLast().flatMap { $0 + [UInt8(ascii: "\n")] })
            .write(to: URL(filePath: "\(backup)/SHA256SUMS"))
        try Data("{".utf8).write(to: URL(filePath: "\(backup)/backup.json"))
        // when
        let gone = try place.remove(
            of: "ann", notKeptBy: #require(BackupRetention("1d")), latest: last.name)
        // then
        #expect(gone == BackupRemoval(backups: 1, bytes: 0, unreadable: other.name))
        #expect([one, two].allSatisfy { place.has($0.0, length: UInt64($0.1.count)) })
        let faults = try place.verify(nil) { _, _ in true }.faults
        #expect(faults.map(\.file) == ["backups/\(other.name)/backup.json"])
    }

    @Test("Removes no backup while the manifest of the latest is unreadable, and names it")
    func unreadableLatest() throws {
        // given
        try backUp("first", [], made: 1_790_000_000_000)
        let last = try backUp("second", [], made: 1_790_000_000_000 + 3 * Self.day)
        let place = try BackupPlace(at: folder)
        try FileManager.default.removeItem(atPath: "\(folder)/backups/\(last.name)/backup.json")
        // when
        let gone = try place.remove(
            of: "ann", notKeptBy: #require(BackupRetention("1d")), latest: last.name)
        // then
        #expect(gone == BackupRemoval(unreadable: last.name))
        #expect(try place.entries().count == 2)
    }

    @Test("Missing, damaged and unreadable files are told apart, by verifying and by restoring")
    func flaws() throws {
        // given
        let (missing, damaged, unreadable) = (try file(1), try file(2), try file(3))
        let made = try backUp("first", [missing, damaged, unreadable], made: 1_790_000_000_000)
        try Data([1]).write(to: URL(filePath: path(of: damaged.0)))
        for gone in [missing, unreadable] {
            try FileManager.default.removeItem(atPath: path(of: gone.0))
        }
        // Nobody can open a socket as a file, not even root.
        let isMade = unsafe mknod(path(of: unreadable.0), S_IFSOCK | 0o600, 0) == 0
        #expect(isMade)
        let place = try BackupPlace(at: folder)
        // when
        let faults = try place.verify(nil) { _, _ in true }.faults
        let lacking = try place.restore(made.name, to: scratch.file("home"), key: nil) { _, _ in
            true
        }
        // then
        let flaws: [BackupFlaw] = [.missing, .damaged, .unreadable(code: ENXIO)]
        #expect(Set(faults.map(\.flaw)) == Set(flaws))
        #expect(
            lacking == [missing.0: flaws[0], damaged.0: flaws[1], unreadable.0: flaws[2]])
    }

    @Test("A restore removes the part of a killed one beside the home, but not that of a live one")
    func remains() throws {
        // given
        let made = try backUp("first", [], made: 1_790_000_000_000)
        let place = try BackupPlace(at: folder)
        func part(_ name: String) throws -> String {
            let path = scratch.file(name)
            try FileManager.default.createDirectory(
                atPath: path + "/blobs", withIntermediateDirectories: true)
            return path
        }
        let dead = try part(".peersync-restore-1f.part")
        let ofAnArchive = try part(".peersync-1f.part")
        let live = try part(".peersync-restore-2f.part")
        let lock = unsafe open(live, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { close(lock) }
        #expect(flock(lock, LOCK_EX | LOCK_NB) == 0)
        // when
        _ = try place.restore(made.name, to: scratch.file("home"), key: nil) { _, _ in true }
        // then
        #expect(!FileManager.default.fileExists(atPath: dead))
        #expect(FileManager.default.fileExists(atPath: live))
        #expect(FileManager.default.fileExists(atPath: ofAnArchive))
    }

    @Test("A restore holds a lock on its part while it works")
    func lockedPart() throws {
        // given
        let made = try backUp("first", [], made: 1_790_000_000_000)
        let place = try BackupPlace(at: folder)
        var isLocked: [Bool] = []
        // when
        _ = try place.restore(made.name, to: scratch.file("home"), key: nil) { _, _ in
            let names = try? FileManager.default.contentsOfDirectory(atPath: scratch.path)
            for name in names ?? [] where name.hasPrefix(".peersync-restore-") {
                let other = unsafe open(scratch.file(name), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
                isLocked.append(flock(other, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
                close(other)
            }
            return true
        }
        // then
        #expect(!isLocked.isEmpty && isLocked.allSatisfy(\.self))
    }
}
