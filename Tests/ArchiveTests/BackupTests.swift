import Archive
import Encryption
import Foundation
import SyncCore
import Testing

@Suite("Backups")
struct BackupTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    var folder: String { scratch.file("backups of ann") }

    /// Some bytes, and the id that they have as a file.
    func file(_ number: UInt8, bytes: Int = 100_000) throws -> (BlobID, [UInt8]) {
        let content = [UInt8](repeating: number, count: bytes)
        var hash = BlobHash()
        try hash.update(content)
        return (try hash.finish().blobID, content)
    }

    private func manifest(
        made: Int64, device: String = "ann", hasKeys: Bool = true, files: Int = 2
    ) -> BackupManifest {
        BackupManifest(
            program: "1", made: made, device: device, deviceName: "ann-pc", personName: "Ann",
            hasKeys: hasKeys, trips: [BackupManifest.Trip(id: "t", name: "Crete", schema: nil)],
            files: files, originals: 1, bytes: 7)
    }

    /// Backs up a database that has this text, and these files.
    @discardableResult
    func backUp(
        _ text: String, _ files: [(BlobID, [UInt8])], made: Int64, device: String = "ann",
        readsAll: Bool = false, hasKeys: Bool = true
    ) throws -> (name: String, written: Int) {
        let place = try BackupPlace(making: folder, words: "About.")
        let writer = try BackupWriter(place, made: made, readsAll: readsAll)
        try Data(text.utf8).write(to: URL(filePath: writer.storePath))
        try writer.addStore { _ in true }
        try writer.add(card: Array("card".utf8))
        if hasKeys { try writer.add(key: Array("key".utf8)) }
        for (id, content) in files {
            #expect(try writer.add(id, MemoryInput(content)) { _ in true })
        }
        let name = try writer.finish(
            manifest(made: made, device: device, hasKeys: hasKeys, files: writer.files))
        return (name, writer.written.count)
    }

    func read(_ path: String) -> [UInt8]? {
        FileManager.default.contents(atPath: path).map { Array($0) }
    }

    func path(of file: BlobID) -> String {
        "\(folder)/files/\(file.description.prefix(2))/\(file)"
    }

    @Test("A backup holds everything, each file once, and sha256sum agrees")
    func made() throws {
        let (one, two, three) = (try file(1), try file(2), try file(3))

        let first = try backUp("first", [one, two], made: 1_790_000_000_000)
        let second = try backUp("second", [one, two, three], made: 1_790_000_100_000)

        #expect(first.name == "2026-09-21T14-13-20Z" && first.written == 2)
        #expect(second.written == 1)
        let place = try BackupPlace(at: folder)
        #expect(try place.entries().map(\.name) == [second.name, first.name])
        #expect(try place.entries().map(\.manifest?.trips.first?.name) == ["Crete", "Crete"])
        for name in [first.name, second.name] {
            let checked = try scratch.run(
                "env", "-C", "\(folder)/backups/\(name)", "sha256sum", "-c", "--strict",
                "SHA256SUMS")
            #expect(checked.code == 0, "\(checked.output)")
        }
        let verdict = try place.verify(nil) { _, _ in true }
        #expect(verdict.faults.isEmpty && verdict.backups == 2)
        // Four own files and the list's three shared ones, each read once.
        #expect(verdict.files == 4 + 4 + 3)
    }

    @Test("In a folder that holds something else, backups have a folder of their own")
    func inside() throws {
        try Data("x".utf8).write(to: URL(filePath: scratch.file("photo.jpg")))

        let made = try BackupPlace(making: scratch.path, words: "About.")

        #expect(made.path == scratch.file("peersync-backup"))
        #expect(try BackupPlace(at: scratch.path).path == made.path)
        #expect(throws: BackupError.busy) {
            try BackupPlace(making: scratch.path, words: "About.")
        }
        #expect(throws: BackupError.notFound) { try BackupPlace(at: scratch.file("none")) }
        #expect(throws: BackupError.notABackup) { try BackupPlace(at: "/usr") }
        withExtendedLifetime(made) {}
    }

    @Test("One folder is made for backups, but none in a missing folder or in place of a file")
    func folders() throws {
        // given
        try Data("x".utf8).write(to: URL(filePath: scratch.file("file")))
        // when
        let made = try BackupPlace(making: folder, words: "About.")
        // then
        #expect(made.isNewFolder)
        #expect(throws: BackupError.noFolderAround(scratch.file("none"))) {
            try BackupPlace(making: scratch.file("none/backups"), words: "About.")
        }
        #expect(throws: BackupError.notAFolder) {
            try BackupPlace(making: scratch.file("file"), words: "About.")
        }
        #expect(!FileManager.default.fileExists(atPath: scratch.file("none")))
        withExtendedLifetime(made) {}
    }

    @Test("A folder with an empty mark, as a full disk left it, is used again")
    func emptyMark() throws {
        // given
        for name in ["", "/files", "/backups"] {
            try FileManager.default.createDirectory(
                atPath: folder + name, withIntermediateDirectories: false)
        }
        try Data().write(to: URL(filePath: "\(folder)/BACKUP.txt"))
        // when
        let made = try backUp("again", [], made: 1_790_000_000_000)
        // then
        let place = try BackupPlace(at: folder)
        #expect(place.path == folder && !place.isNewFolder)
        #expect(try place.entries().map(\.name) == [made.name])
    }

    @Test("An interrupted run leaves no backup, and the next continues from there")
    func interrupted() throws {
        let (one, two) = (try file(1), try file(2))
        do {
            let place = try BackupPlace(making: folder, words: "About.")
            let writer = try BackupWriter(place, made: 1_790_000_000_000, readsAll: false)
            #expect(try writer.add(one.0, MemoryInput(one.1)) { _ in true })
            #expect(throws: BackupError.stopped) {
                try writer.add(two.0, MemoryInput(two.1)) { _ in false }
            }
            #expect(try place.entries().isEmpty)
        }
        // As a process that was killed leaves it.
        try FileManager.default.createDirectory(
            atPath: "\(folder)/files/\(one.0.description.prefix(2))",
            withIntermediateDirectories: true)
        try Data(one.1).write(to: URL(filePath: path(of: one.0)))
        try FileManager.default.createDirectory(
            atPath: "\(folder)/backups/.2026-09-21T14-13-20Z.part",
            withIntermediateDirectories: true)

        let made = try backUp("again", [one, two], made: 1_790_000_000_000)

        #expect(made.written == 1)
        #expect(try BackupPlace(at: folder).verify(nil) { _, _ in true }.faults.isEmpty)
        let left = try FileManager.default.contentsOfDirectory(atPath: "\(folder)/backups")
        #expect(left == [made.name])
    }

    @Test("A file that does not match its name is not backed up")
    func wrongContent() throws {
        let place = try BackupPlace(making: folder, words: "About.")
        let writer = try BackupWriter(place, made: 1_790_000_000_000, readsAll: false)
        let (one, two) = (try file(1), try file(2))

        #expect(try !writer.add(one.0, MemoryInput(two.1)) { _ in true })

        #expect(writer.files == 0 && !place.has(one.0, length: UInt64(one.1.count)))
    }

    @Test("A file that is damaged or gone is found, and written again by a full backup")
    func damaged() throws {
        let (one, two) = (try file(1), try file(2))
        let first = try backUp("first", [one, two], made: 1_790_000_000_000)
        let second = try backUp("second", [one], made: 1_790_000_100_000)
        var spoiled = one.1
        spoiled[5] ^= 1
        try Data(spoiled).write(to: URL(filePath: path(of: one.0)))
        try FileManager.default.removeItem(atPath: path(of: two.0))

        let place = try BackupPlace(at: folder)
        let faults = try place.verify(nil) { _, _ in true }.faults

        #expect(Set(faults.map { Set($0.backups) }) == [[first.name, second.name], [first.name]])
        #expect(faults.count { $0.flaw == .missing } == 1)
        #expect(try place.verify(second.name) { _, _ in true }.faults.count == 1)
        #expect(throws: BackupError.noSuchBackup) { try place.verify("x") { _, _ in true } }
        // A file that cannot be opened hides nothing about the others.
        let link = path(of: two.0)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: link)
        #expect(try place.verify(nil) { _, _ in true }.faults.count == 2)
        try FileManager.default.removeItem(atPath: link)
        // An ordinary one goes by the length, a full one reads.
        #expect(try backUp("third", [one, two], made: 1_790_000_200_000).written == 1)
        #expect(try !place.verify(nil) { _, _ in true }.faults.isEmpty)
        #expect(
            try backUp("fourth", [one, two], made: 1_790_000_300_000, readsAll: true).written == 1)
        #expect(try place.verify(nil) { _, _ in true }.faults.isEmpty)
    }

    // MARK: Restoring

    @Test("A device is restored as it was, except for damaged files")
    func restored() throws {
        let (one, two) = (try file(1), try file(2))
        let first = try backUp("first", [one], made: 1_790_000_000_000)
        try backUp("second", [one, two], made: 1_790_000_100_000)
        try Data([1]).write(to: URL(filePath: path(of: two.0)))
        let place = try BackupPlace(at: folder)
        let home = scratch.file("new/home")

        let latest = try place.entry(nil)
        let lost = try place.restore(latest.name, to: home, key: nil) { _, _ in true }

        #expect(lost == [two.0: .damaged])
        #expect(read(home + "/store.sqlite") == Array("second".utf8))
        #expect(read(home + "/device.key") == Array("key".utf8))
        #expect(read(home + "/device.card") == Array("card".utf8))
        #expect(read("\(home)/blobs/\(one.0.description.prefix(2))/\(one.0)") == one.1)
        #expect(throws: BackupError.notEmpty) {
            try place.restore(first.name, to: home, key: nil) { _, _ in true }
        }
        let key = Array("another".utf8)
        let other = scratch.file("other")
        _ = try place.restore(first.name, to: other, key: key) { _, _ in true }
        #expect(read(other + "/store.sqlite") == Array("first".utf8))
        #expect(read(other + "/device.key") == key)
    }

    @Test("A failed restore leaves nothing behind")
    func refused() throws {
        let made = try backUp("first", [], made: 1_790_000_000_000, hasKeys: false)
        try backUp("second", [], made: 1_790_000_100_000, device: "ben")
        let place = try BackupPlace(at: folder)
        let home = scratch.file("home")
        func restore(_ name: String, key: [UInt8]? = nil) throws {
            _ = try place.restore(name, to: home, key: key) { _, _ in true }
        }

        #expect(throws: BackupError.noKeys) { try restore(made.name) }
        // Of two devices it has to be said which.
        #expect(throws: BackupError.noSuchBackup) { try place.entry(nil) }
        try Data("First".utf8).write(
            to: URL(filePath: "\(folder)/backups/\(made.name)/store.sqlite"))
        #expect(throws: BackupError.damaged("store.sqlite")) { try restore(made.name, key: [1]) }
        try Data("no list\n".utf8).write(
            to: URL(filePath: "\(folder)/backups/\(made.name)/SHA256SUMS"))
        #expect(throws: BackupError.damaged("SHA256SUMS")) { try restore(made.name, key: [1]) }

        #expect(read(home + "/device.card") == nil)
        let left = try FileManager.default.contentsOfDirectory(atPath: scratch.path)
        #expect(left == ["backups of ann"])
    }

    @Test("A list that lost its last line is damaged, and what it still names is restored")
    func cutList() throws {
        // given
        let files = try (1...3).map { try file($0) }.sorted { $0.0 < $1.0 }
        let day: Int64 = 86_400_000
        try backUp("first", [], made: 1_790_000_000_000)
        let other = try backUp("other", files, made: 1_790_000_000_000 + 1000, device: "ben")
        let last = try backUp("second", [], made: 1_790_000_000_000 + 3 * day)
        let list = "\(folder)/backups/\(other.name)/SHA256SUMS"
        let lines = try #require(read(list)).split(separator: UInt8(ascii: "\n"))
        try Data(lines.dropLast().flatMap { $0 + [UInt8(ascii: "\n")] })
            .write(to: URL(filePath: list))
        let place = try BackupPlace(at: folder)
        let home = scratch.file("home")
        // when
        let faults = try place.verify(nil) { _, _ in true }.faults
        let removal = try place.remove(
            of: "ann", notKeptBy: #require(BackupRetention("1d")), latest: last.name)
        let lost = try place.restore(other.name, to: home, key: nil) { _, _ in true }
        // then
        #expect(faults.map(\.file) == ["backups/\(other.name)/SHA256SUMS"])
        #expect(removal == BackupRemoval(backups: 1, bytes: 0, unreadable: other.name))
        #expect(files.allSatisfy { place.has($0.0, length: UInt64($0.1.count)) })
        #expect(lost.isEmpty)
        #expect(try place.unlistedFiles(of: place.entry(other.name)) == 1)
        let first = files[0].0
        #expect(read("\(home)/blobs/\(first.description.prefix(2))/\(first)") == files[0].1)
    }

    @Test("A list that points out of the folder is refused")
    func leadsOut() throws {
        let made = try backUp("first", [], made: 1_790_000_000_000)
        let list = "\(folder)/backups/\(made.name)/SHA256SUMS"
        let before = try #require(read(list))
        let line = String(repeating: "0", count: 64) + "  ../../../../etc/passwd\n"
        try Data(before + Array(line.utf8)).write(to: URL(filePath: list))

        let place = try BackupPlace(at: folder)

        #expect(throws: BackupError.damaged("SHA256SUMS")) {
            try place.restore(made.name, to: scratch.file("home"), key: nil) { _, _ in true }
        }
        #expect(try place.verify(nil) { _, _ in true }.faults.count == 1)
    }

    // MARK: Retention

    @Test(
        "Keeps the latest of each of the last days, weeks and months that have one",
        arguments: [
            ("2d", [0, 2]), ("1w", [0]), ("2w", [0, 3]), ("2m", [0, 4]), ("1d,2m", [0, 4]),
            ("1000y", [0]), ("3d,2w", [0, 2, 3]),
        ])
    func kept(_ text: String, _ expected: [Int]) throws {
        let hour: Int64 = 3_600_000
        // Wednesday, 2026-09-23 12:00 UTC; twice that day, the day before, ten days and a month before.
        let noon: Int64 = 1_790_164_800_000
        let made = [noon, noon - hour, noon - 24 * hour, noon - 240 * hour, noon - 720 * hour]

        let retention = try #require(BackupRetention(text))

        #expect(retention.kept(made, in: "UTC").sorted() == expected)
    }

    @Test("A backup that a wrong clock dated later does not count, and stays")
    func wrongClock() throws {
        let day: Int64 = 86_400_000
        let future = try backUp("future", [], made: 1_790_000_000_000 + 3650 * day)
        let old = try backUp("old", [], made: 1_790_000_000_000 - 2 * day)
        let last = try backUp("now", [], made: 1_790_000_000_000)
        let place = try BackupPlace(at: folder)

        let gone = try place.remove(
            of: "ann", notKeptBy: #require(BackupRetention("1d")), latest: last.name)

        #expect(gone.backups == 1)
        #expect(try place.entries().map(\.name) == [future.name, last.name])
        #expect(try !place.entries().map(\.name).contains(old.name))
        #expect(throws: BackupError.noSuchBackup) {
            try place.entry(nil, now: 1_790_000_000_000 + day)
        }
    }

    @Test("A file that is lost here stays in later backups while an earlier one has it")
    func keptFile() throws {
        let (one, two) = (try file(1), try file(2))
        try backUp("first", [one, two], made: 1_790_000_000_000)
        let place = try BackupPlace(making: folder, words: "About.")
        let writer = try BackupWriter(place, made: 1_790_000_100_000, readsAll: false)
        try Data("second".utf8).write(to: URL(filePath: writer.storePath))
        try writer.addStore { _ in true }
        try writer.add(card: [1])
        #expect(try writer.add(one.0, MemoryInput(one.1)) { _ in true })
        #expect(writer.holds(one.0) && !writer.holds(two.0))
        #expect(try writer.keep(two.0, length: UInt64(two.1.count)) { _ in true })
        #expect(try !writer.keep(try file(3).0, length: 100_000) { _ in true })

        let name = try writer.finish(manifest(made: 1_790_000_100_000, hasKeys: false))

        #expect(writer.files == 2)
        #expect(try place.verify(name) { _, _ in true }.files == 3 + 2)
    }

    @Test(
        "Refuses an invalid text for the backups to keep",
        arguments: ["", "7", "d", "0d", "7x", "7d,7d", "-1d"])
    func badRetention(_ text: String) {
        #expect(BackupRetention(text) == nil)
    }

    @Test("Removing backups leaves those of other devices, and the files that any backup has")
    func removed() throws {
        let (one, two, three) = (try file(1), try file(2), try file(3))
        let day: Int64 = 86_400_000
        try backUp("first", [one, two], made: 1_790_000_000_000)
        let other = try backUp("other", [two], made: 1_790_000_000_000 + 1000, device: "ben")
        let last = try backUp("second", [three], made: 1_790_000_000_000 + 3 * day)
        let place = try BackupPlace(at: folder)

        let gone = try place.remove(
            of: "ann", notKeptBy: #require(BackupRetention("1d")), latest: last.name)

        #expect(gone.backups == 1 && gone.bytes == UInt64(one.1.count))
        #expect(try place.entries().map(\.name) == [last.name, other.name])
        #expect(try place.verify(nil) { _, _ in true }.faults.isEmpty)
        #expect(!place.has(one.0, length: UInt64(one.1.count)))
        #expect(gone.unreadable == nil)
    }

    @Test(
        "Removing backups removes no file while the list of a backup cannot be read, and names that one"
    )
    func unreadableList() throws {
        // given
        let (one, two, three) = (try file(1), try file(2), try file(3))
        let day: Int64 = 86_400_000
        let first = try backUp("first", [one], made: 1_790_000_000_000)
        let other = try backUp("other", [two], made: 1_790_000_000_000 + 1000, device: "ben")
        let last = try backUp("second", [three], made: 1_790_000_000_000 + 3 * day)
        let place = try BackupPlace(at: folder)
        try Data("no list".utf8).write(
            to: URL(filePath: "\(folder)/backups/\(other.name)/SHA256SUMS"))

        // when
        let gone = try place.remove(
            of: "ann", notKeptBy: #require(BackupRetention("1d")), latest: last.name)

        // then
        #expect(gone == BackupRemoval(backups: 1, bytes: 0, unreadable: other.name))
        #expect(try !place.entries().contains { $0.name == first.name })
        #expect([one, two, three].allSatisfy { place.has($0.0, length: UInt64($0.1.count)) })
    }
}
