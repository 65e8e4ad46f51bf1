import Archive
import Encryption
import Foundation
import SyncCore
import Testing

@Suite("Archives as files")
struct ArchiveTests {
    private static let long = "files/" + String(repeating: "Trasimeno ", count: 12) + ".jpg"
    private static let files: [(name: String, bytes: [UInt8])] = [
        ("index.html", Array("<p>Arezzo".utf8)), ("files/empty", []),
        ("files/Größe 🍝.bin", [UInt8](repeating: 7, count: 2_500_000)),
        (long, Array("long".utf8)),
    ]

    /// Writes all files and their list to a sink; the list.
    @discardableResult
    private func fill(
        _ sink: any ArchiveSink, with files: [(name: String, bytes: [UInt8])] = files
    ) async throws -> Checksums {
        var sums = Checksums()
        for (name, bytes) in files {
            let name = try #require(ArchiveName(name))
            sums.add(name, try sink.add(name, MemoryInput(bytes)) { _ in true })
        }
        let list = try #require(ArchiveName(Checksums.fileName))
        _ = try sink.add(list, MemoryInput(sums.bytes)) { _ in true }
        try await sink.finish { _ in true }
        return sums
    }

    private func verified(_ path: String, _ identities: [AgeIdentity] = []) throws
        -> VerifiedArchive
    {
        let found = try UnverifiedArchive(at: path, identities: identities)
        return try VerifiedArchive(verifying: found) { _, _ in true }
    }

    // MARK: Written and read

    @Test("a folder has all added files, and sha256sum agrees")
    func folder() async throws {
        let scratch = try Scratch()
        try await fill(try FolderSink(scratch.file("Arezzo")))
        let archive = try verified(scratch.file("Arezzo"))
        for (name, bytes) in Self.files {
            #expect(try archive.contents(of: name, upTo: 1 << 30) == bytes)
        }
        #expect(
            try scratch.run("env", "-C", "Arezzo", "sha256sum", "-c", "--strict", "SHA256SUMS").code
                == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path) == ["Arezzo"])
    }

    @Test(
        "an encrypted one is a tar file for age and tar, and is read without unpacking")
    func encrypted() async throws {
        let scratch = try Scratch()
        let identity = try AgeIdentity.random()
        let sink = try AgeSink(
            scratch.file("a.tar.age"), top: "Arezzo", recipients: [identity.recipient],
            modified: 1_224_685_680)
        try await fill(sink)
        let archive = try verified(scratch.file("a.tar.age"), [identity])
        for (name, bytes) in Self.files {
            #expect(try archive.contents(of: name, upTo: 1 << 30) == bytes)
        }
        try Data(identity.text.utf8).write(to: URL(filePath: scratch.file("key")))
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/age") else { return }
        #expect(try scratch.run("age", "-d", "-i", "key", "-o", "a.tar", "a.tar.age").code == 0)
        #expect(try scratch.run("tar", "xf", "a.tar").code == 0)
        #expect(
            try scratch.run("env", "-C", "Arezzo", "sha256sum", "-c", "--strict", "SHA256SUMS").code
                == 0)
        // After repacking by tar it still is an archive, in each of tar's formats.
        for format in ["gnu", "pax", "ustar"] where format != "ustar" {
            try scratch.run("tar", "cf", "again.tar", "--format", format, "./Arezzo")
            let again = try verified(scratch.file("again.tar"))
            #expect(try again.contents(of: Self.long, upTo: 100) == Array("long".utf8))
        }
    }

    @Test("only recipients can read it")
    func locked() async throws {
        let scratch = try Scratch()
        let (identity, other) = (try AgeIdentity.random(), try AgeIdentity.random())
        let path = scratch.file("a.tar.age")
        try await fill(
            try AgeSink(path, top: "Arezzo", recipients: [identity.recipient], modified: 0))
        #expect(throws: ArchiveError.locked) { try verified(path) }
        #expect(throws: ArchiveError.locked) { try verified(path, [other]) }
        let bytes = try Data(contentsOf: URL(filePath: path))
        #expect(bytes.range(of: Data("Arezzo".utf8)) == nil)
        #expect(bytes.range(of: Data("index.html".utf8)) == nil)
    }

    // MARK: Whole or not at all

    @Test("an unfinished archive leaves nothing, and existing files stay")
    func unfinished() async throws {
        let scratch = try Scratch()
        do {
            let sink = try FolderSink(scratch.file("Arezzo"))
            let name = try #require(ArchiveName("files/a"))
            #expect(throws: ArchiveError.stopped) {
                try sink.add(name, MemoryInput([1])) { _ in false }
            }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path).isEmpty)
        try await fill(try FolderSink(scratch.file("Arezzo")))
        #expect(throws: ArchiveError.alreadyExists) { try FolderSink(scratch.file("Arezzo")) }
        let identity = try AgeIdentity.random()
        #expect(throws: ArchiveError.alreadyExists) {
            try AgeSink(
                scratch.file("Arezzo"), top: "a", recipients: [identity.recipient], modified: 0)
        }
    }

    @Test("remains of a killed program are removed by path, and no other file")
    func left() async throws {
        let scratch = try Scratch()
        let sink = try FolderSink(scratch.file("Arezzo"))
        let name = try #require(ArchiveName("files/a"))
        _ = try sink.add(name, MemoryInput([1])) { _ in true }
        #expect(FileManager.default.fileExists(atPath: sink.part + "/files/a"))
        try ArchivePart.remove(sink.part)
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path).isEmpty)
        // Nothing is there any more; another one's file stays.
        try ArchivePart.remove(sink.part)
        try Data([1]).write(to: URL(filePath: scratch.file("mine.part")))
        try ArchivePart.remove(scratch.file("mine.part"))
        #expect(FileManager.default.fileExists(atPath: scratch.file("mine.part")))
    }

    @Test("of two archives for one destination, one appears whole")
    func race() async throws {
        let scratch = try Scratch()
        let (one, other) = (
            try FolderSink(scratch.file("Arezzo")), try FolderSink(scratch.file("Arezzo"))
        )
        try await fill(one)
        await #expect(throws: ArchiveError.alreadyExists) { try await fill(other) }
        #expect(
            try verified(scratch.file("Arezzo")).length(of: #require(ArchiveName("index.html")))
                == 9)
    }

    // MARK: Damage

    @Test("a changed byte is found, with its file")
    func changed() async throws {
        let scratch = try Scratch()
        try await fill(try FolderSink(scratch.file("Arezzo")))
        let path = scratch.file("Arezzo/index.html")
        try Data("<p>Firenz".utf8).write(to: URL(filePath: path))
        #expect(throws: ArchiveError.changed("index.html")) { try verified(scratch.file("Arezzo")) }
        try FileManager.default.removeItem(atPath: path)
        #expect(throws: ArchiveError.missing("index.html")) { try verified(scratch.file("Arezzo")) }
        // A link to a file with the right bytes is no file of the archive.
        try Data("<p>Arezzo".utf8).write(to: URL(filePath: scratch.file("outside")))
        try FileManager.default.createSymbolicLink(
            atPath: path, withDestinationPath: scratch.file("outside"))
        #expect(throws: ArchiveError.notAFile("index.html")) {
            try verified(scratch.file("Arezzo"))
        }
    }

    @Test("an encrypted archive that was cut or changed anywhere is refused")
    func damaged() async throws {
        let scratch = try Scratch()
        let identity = try AgeIdentity.random()
        let path = scratch.file("a.tar.age")
        try await fill(
            try AgeSink(path, top: "Arezzo", recipients: [identity.recipient], modified: 0))
        let whole = try Data(contentsOf: URL(filePath: path))
        for length in [0, 10, 300, whole.count / 2, whole.count - 65_552, whole.count - 1] {
            try whole.prefix(length).write(to: URL(filePath: path))
            #expect(throws: ArchiveError.self, "\(length)") { try verified(path, [identity]) }
        }
        for place in stride(from: 250, to: whole.count, by: whole.count / 20) {
            var changed = whole
            changed[place] ^= 1
            try changed.write(to: URL(filePath: path))
            #expect(throws: ArchiveError.self, "\(place)") { try verified(path, [identity]) }
        }
    }

    @Test(
        "a list with a file outside is refused",
        arguments: ["../outside", "/etc/passwd", "files/../../outside", "files//a", "./a", "a\\b"])
    func outside(name: String) async throws {
        let scratch = try Scratch()
        try FileManager.default.createDirectory(
            atPath: scratch.file("Arezzo"), withIntermediateDirectories: false)
        try Data("secret".utf8).write(to: URL(filePath: scratch.file("outside")))
        let hash = hexadecimal(sha256(Array("secret".utf8)).bytes)
        try Data("\(hash)  \(name)\n".utf8).write(
            to: URL(filePath: scratch.file("Arezzo/SHA256SUMS")))
        #expect(throws: ArchiveError.unsafeName) { try verified(scratch.file("Arezzo")) }
        #expect(ArchiveName(name) == nil)
    }

    @Test("other files are reported as no archive")
    func noArchive() async throws {
        let scratch = try Scratch()
        #expect(throws: ArchiveError.notFound) { try verified(scratch.file("nothing")) }
        #expect(throws: ArchiveError.notAnArchive) { try verified(scratch.path) }
        try Data("a picture".utf8).write(to: URL(filePath: scratch.file("photo")))
        #expect(throws: ArchiveError.notAnArchive) { try verified(scratch.file("photo")) }
        #expect(throws: ArchiveError.notAnArchive) { try verified("/dev/null") }
        for list in ["", "x", "abc  file\n", "\u{0}\n"] {
            #expect(throws: ArchiveError.notAnArchive) { try Checksums(parsing: Array(list.utf8)) }
        }
        let line = String(repeating: "0", count: 64) + "  a\n"
        #expect(throws: ArchiveError.listedTwice("a")) {
            try Checksums(parsing: Array((line + line).utf8))
        }
        #expect(try Checksums(parsing: Array(line.utf8)).bytes == Array(line.utf8))
    }
}
