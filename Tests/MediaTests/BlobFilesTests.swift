import Foundation
import Media
import SyncCore
import Testing

@Suite("Blob files")
struct BlobFilesTests {
    private let folder: TemporaryFolder
    private let files: BlobFiles
    private var root: String { folder.path + "/blobs" }

    init() throws {
        folder = try TemporaryFolder()
        files = try BlobFiles(root: folder.path + "/blobs")
    }

    @Test("give back, after import and commit, the bytes that were imported")
    func roundTrip() async throws {
        let bytes = pattern((2 << 20) + 345)
        let imported = try await files.import(folder.write(bytes, "photo"))
        #expect(imported.chunkList == (try BlobHash.chunkList(of: bytes)))
        #expect(files.length(of: imported.id) == nil, "nothing is finished before the commit")

        try await files.commit([imported.id])

        var read: [UInt8] = []
        for index in imported.chunkList.hashes.indices {
            read += try await files.readChunk(
                imported.id, index: index, verifying: imported.chunkList)
        }
        #expect(read == bytes)
        #expect(try await files.list() == [imported.id])
        #expect(try partials().isEmpty)
        #expect(try await files.verify(imported.id) == imported.chunkList)
        await #expect(throws: BlobFilesError.noSuchChunk(3)) {
            try await files.readChunk(imported.id, index: 3)
        }
    }

    @Test("a file system without blocks gives no answer about room")
    func noBlocks() throws {
        #expect(BlobFiles.freeBytes(at: "/proc") == nil)
        #expect(try #require(BlobFiles.freeBytes(at: folder.path)) > 0)
    }

    @Test("are readable by their owner only")
    func rights() async throws {
        let imported = try await files.import(folder.write(pattern(70_000), "photo"))
        try await files.commit([imported.id])
        let name = imported.id.description
        let path = "\(root)/\(name.prefix(2))/\(name)"
        #expect(try rights(path) == 0o600)
        #expect(try rights("\(root)/\(name.prefix(2))") == 0o700)
        #expect(try rights(root) == 0o700)
    }

    @Test("leave small blobs to the database")
    func small() async throws {
        for length in [0, 1, Limits.smallBlobBytes - 1] {
            let imported = try await files.import(folder.write(pattern(length), "small"))
            guard case .bytes(let bytes) = imported.content else {
                Issue.record("\(length) bytes went to a file")
                continue
            }
            #expect(bytes == pattern(length))
        }
        #expect(try partials().isEmpty)
    }

    @Test("say so when a folder cannot be read, instead of calling it empty")
    func unreadableFolder() async throws {
        #expect(try await files.list().isEmpty, "no folder yet, and so no file")
        try FileManager.default.createSymbolicLink(
            atPath: root + "/ab", withDestinationPath: root + "/ab")
        let loop = BlobFilesError.system(call: "open", number: ELOOP)
        await #expect(throws: loop) { try await files.list() }
        await #expect(throws: loop) { try await files.strangeNames() }
    }

    @Test("take only regular files that exist")
    func otherFiles() async throws {
        await #expect(throws: BlobFilesError.notRegularFile(path: folder.path)) {
            try await files.import(folder.path)
        }
        await #expect(throws: BlobFilesError.notRegularFile(path: "/dev/zero")) {
            try await files.import("/dev/zero")
        }
        await #expect(throws: BlobFilesError.system(call: "open", number: ENOENT)) {
            try await files.import(folder.path + "/nothing")
        }
    }

    @Test("notice a source that is written to during the import")
    func changingSource() async throws {
        let path = try folder.write(pattern(24 << 20), "changing")
        // A process of its own: it writes from before the import begins until after its end.
        let writer = Process()
        writer.executableURL = URL(fileURLWithPath: "/bin/sh")
        writer.arguments = [
            "-c", "while :; do printf x | dd of=\"$0\" conv=notrunc status=none; echo; done", path,
        ]
        let written = Pipe()
        writer.standardOutput = written
        try writer.run()
        // The signal that nobody can block: a test's threads may hand on a mask that blocks others.
        defer {
            kill(writer.processIdentifier, SIGKILL)
            writer.waitUntilExit()
        }
        _ = try written.fileHandleForReading.read(upToCount: 1)
        await #expect(throws: BlobFilesError.sourceChanged(path: path)) {
            try await files.import(path)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: root + "/partial").isEmpty)
    }

    @Test("refuse to commit incomplete blobs")
    func incomplete() async throws {
        let list = try BlobHash.chunkList(of: pattern(2 << 20))
        await #expect(throws: BlobFilesError.incomplete(list.blobID)) {
            try await files.commit([list.blobID])
        }
        let partial = try await files.openPartial(list)
        try await partial.write(Array(pattern(2 << 20)[..<(1 << 20)]), chunk: 0)
        await #expect(throws: BlobFilesError.incomplete(list.blobID)) {
            try await files.commit([list.blobID])
        }
    }

    @Test("commit a batch, and again without harm")
    func batch() async throws {
        var ids: [BlobID] = []
        for length in 0..<70 {
            let path = try folder.write(pattern(70_000 + length), "photo")
            ids.append(try await files.import(path).id)
        }
        try await files.commit(ids + ids)
        try await files.commit(ids)
        #expect(try await files.list() == ids.sorted())
    }

    @Test("report bytes on the disk that do not match the id")
    func corruption() async throws {
        let imported = try await files.import(folder.write(pattern(100_000), "photo"))
        try await files.commit([imported.id])
        let name = imported.id.description
        let file = try FileHandle(
            forWritingTo: URL(fileURLWithPath: "\(root)/\(name.prefix(2))/\(name)"))
        try file.seek(toOffset: 5000)
        try file.write(contentsOf: Data([0xAA, 0xBB, 0xCC]))
        try file.close()

        await #expect(throws: BlobFilesError.corrupt(imported.id)) {
            try await files.verify(imported.id)
        }
        await #expect(throws: BlobFilesError.corrupt(imported.id)) {
            try await files.readChunk(imported.id, index: 0, verifying: imported.chunkList)
        }

        // A fresh import of the same photo replaces the broken copy.
        let again = try await files.import(folder.path + "/photo")
        try await files.commit([again.id])
        #expect(try await files.verify(imported.id) == imported.chunkList)
    }

    @Test("are gone when removed, and removing again is no error")
    func removal() async throws {
        let imported = try await files.import(folder.write(pattern(100_000), "photo"))
        try await files.commit([imported.id])
        try await files.remove(imported.id)
        try await files.remove(imported.id)
        #expect(try await files.list().isEmpty)
        await #expect(throws: BlobFilesError.notFound(imported.id)) {
            try await files.readChunk(imported.id, index: 0)
        }
    }

    @Test("lose interrupted imports when opened, and keep what was fetched")
    func reopening() async throws {
        let list = try BlobHash.chunkList(of: pattern(100_000))
        try await files.openPartial(list).write(pattern(100_000), chunk: 0)
        _ = try folder.write([1, 2, 3], "blobs/partial/import-0011223344556677")
        let opened = try BlobFiles(root: root)
        #expect(try partials() == [list.blobID.description])
        #expect(try await opened.openPartial(list).verifiedChunks == [0])
    }

    @Test(
        "report a full disk, and continue when there is room again",
        .enabled(if: geteuid() == 0, "mounting a small file system needs root"))
    func fullDisk() async throws {
        let mount = folder.path + "/small"
        try FileManager.default.createDirectory(
            atPath: mount, withIntermediateDirectories: false)
        try run("/usr/bin/mount", ["-t", "tmpfs", "-o", "size=3m", "peersync-test", mount])
        defer { try? run("/usr/bin/umount", [mount]) }
        let small = try BlobFiles(root: mount + "/blobs", spareBytes: 0)
        let large = try folder.write(pattern(5 << 20), "large")
        await #expect(throws: BlobFilesError.diskFull) { try await small.import(large) }
        await #expect(throws: BlobFilesError.diskFull) {
            try await small.openPartial(BlobHash.chunkList(of: pattern(5 << 20)))
        }

        // A started blob keeps its room, even if another program fills the disk.
        let bytes = pattern(2 << 20)
        let list = try BlobHash.chunkList(of: bytes)
        let partial = try await small.openPartial(list)
        try Data(pattern(900 << 10)).write(to: URL(fileURLWithPath: mount + "/filler"))
        let more = try folder.write(pattern(1 << 20), "fits")
        await #expect(throws: BlobFilesError.diskFull) { try await small.import(more) }
        try await partial.write(Array(bytes[..<(1 << 20)]), chunk: 0)
        try await partial.write(Array(bytes[(1 << 20)...]), chunk: 1)
        #expect(partial.verifiedChunks.count == 2)
        // The space is free again although `partial` still has the file open.
        try await small.discardPartial(list.blobID)
        let fits = try await small.import(more)
        try await small.commit([fits.id])
        #expect(try await small.list() == [fits.id])
    }

    /// Names of the files that are being fetched.
    private func partials() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: root + "/partial")
    }

    private func rights(_ path: String) throws -> Int? {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return (attributes[.posixPermissions] as? NSNumber)?.intValue
    }

    private func run(_ program: String, _ arguments: [String]) throws {
        let process = try Process.run(URL(fileURLWithPath: program), arguments: arguments)
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "\(program) \(arguments)")
    }
}
