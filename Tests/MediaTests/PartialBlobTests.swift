import Foundation
import Glibc
import Media
import SyncCore
import Testing

@Suite("A blob being fetched")
struct PartialBlobTests {
    private let folder: TemporaryFolder
    private let bytes = pattern((4 << 20) + 99)
    private let list: ChunkList
    private var root: String { folder.path + "/blobs" }
    private var partialPath: String { "\(root)/partial/\(list.blobID)" }

    init() throws {
        folder = try TemporaryFolder()
        list = try BlobHash.chunkList(of: bytes)
    }

    private func chunk(_ index: Int) throws -> [UInt8] {
        let bounds = try #require(list.bounds(ofChunk: index))
        return Array(bytes[Int(bounds.lowerBound)..<Int(bounds.upperBound)])
    }

    @Test("takes chunks in any order, several at once, and is then committed")
    func anyOrder() async throws {
        let files = try BlobFiles(root: root)
        let partial = try await files.openPartial(list)
        #expect(partial.verifiedChunks.isEmpty)
        try await withThrowingTaskGroup { group in
            for index in [4, 2, 0, 3, 1, 2] {
                group.addTask { try await partial.write(chunk(index), chunk: index) }
            }
            try await group.waitForAll()
        }
        #expect(partial.verifiedChunks == [0, 1, 2, 3, 4])
        try await files.commit([list.blobID])
        #expect(try await files.verify(list.blobID) == list)
    }

    @Test("does not start without room for all of it, and leaves nothing behind")
    func noRoom() async throws {
        let files = try BlobFiles(root: root, spareBytes: 1 << 60)
        #expect(!files.hasRoom(for: 1))
        await #expect(throws: BlobFilesError.diskFull) { try await files.openPartial(list) }
        #expect(!FileManager.default.fileExists(atPath: partialPath))
    }

    @Test("reserves its room on the disk at the start")
    func reserved() async throws {
        let partial = try await BlobFiles(root: root).openPartial(list)
        var status = stat()
        #expect(unsafe stat(partialPath, &status) == 0)
        #expect(status.st_blocks * 512 >= bytes.count)
        #expect(status.st_size == 0)
        #expect(partial.verifiedChunks.isEmpty)
    }

    @Test("is found whole after a crash between its commit and the record of it")
    func finishedBefore() async throws {
        // given a finished file that the database does not know of
        let files = try BlobFiles(root: root)
        let partial = try await files.openPartial(list)
        for index in 0..<5 { try await partial.write(chunk(index), chunk: index) }
        #expect(await !files.hasFinished(list))
        try await files.commit([list.blobID])
        // when it is opened again
        let opened = try BlobFiles(root: root)
        // then it need not be fetched, only committed
        #expect(await opened.hasFinished(list))
        try await opened.commit([list.blobID])
        // unless it is damaged
        let path = "\(root)/\(list.blobID.description.prefix(2))/\(list.blobID)"
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try file.write(contentsOf: Data("X".utf8))
        try file.close()
        #expect(await !opened.hasFinished(list))
    }

    @Test("refuses chunks that do not match its list")
    func wrongChunks() async throws {
        let partial = try await BlobFiles(root: root).openPartial(list)
        var altered = try chunk(1)
        altered[77] ^= 1
        await #expect(throws: BlobFilesError.wrongChunk(1)) {
            try await partial.write(altered, chunk: 1)
        }
        await #expect(throws: BlobFilesError.wrongChunk(1)) {
            try await partial.write(chunk(0), chunk: 1)
        }
        await #expect(throws: BlobFilesError.wrongChunk(4)) {
            try await partial.write(chunk(0), chunk: 4)
        }
        await #expect(throws: BlobFilesError.wrongChunk(0)) {
            try await partial.write([], chunk: 0)
        }
        for index in [-1, 5, .max] {
            await #expect(throws: BlobFilesError.noSuchChunk(index)) {
                try await partial.write(chunk(0), chunk: index)
            }
        }
        #expect(partial.verifiedChunks.isEmpty)
        #expect(try contents(partialPath).isEmpty)
    }

    @Test("resumes with the chunks that verify, after the file was cut and changed")
    func resume() async throws {
        do {
            let partial = try await BlobFiles(root: root).openPartial(list)
            for index in 0..<5 {
                try await partial.write(chunk(index), chunk: index)
            }
        }
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: partialPath))
        try file.seek(toOffset: (1 << 20) + 3)
        try file.write(contentsOf: Data([0, 1, 2, 3, 4]))
        try file.truncate(atOffset: (3 << 20) + 500)
        try file.close()

        let files = try BlobFiles(root: root)
        let resumed = try await files.openPartial(list)
        #expect(resumed.verifiedChunks == [0, 2])
        for index in [1, 3, 4] {
            try await resumed.write(chunk(index), chunk: index)
        }
        try await files.commit([list.blobID])
        #expect(try await files.verify(list.blobID) == list)
    }

    @Test("that was complete before a restart is committed after it without a fetch")
    func completeBeforeRestart() async throws {
        do {
            let partial = try await BlobFiles(root: root).openPartial(list)
            for index in 0..<5 {
                try await partial.write(chunk(index), chunk: index)
            }
        }
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: partialPath))
        try file.seekToEnd()
        try file.write(contentsOf: Data(repeating: 7, count: 100))
        try file.close()

        let files = try BlobFiles(root: root)
        #expect(try await files.openPartial(list).verifiedChunks.count == 5)
        try await files.commit([list.blobID])
        #expect(try await files.verify(list.blobID) == list)
    }

    @Test("is one object for all its fetchers")
    func shared() async throws {
        let files = try BlobFiles(root: root)
        let first = try await files.openPartial(list)
        let second = try await files.openPartial(list)
        try await first.write(chunk(3), chunk: 3)
        #expect(second.verifiedChunks == [3])
    }

    @Test("behind a symbolic link is not followed")
    func link() async throws {
        let files = try BlobFiles(root: root)
        let target = try folder.write([1, 2, 3], "precious")
        try FileManager.default.createSymbolicLink(
            atPath: partialPath, withDestinationPath: target)
        await #expect(throws: BlobFilesError.system(call: "open", number: ELOOP)) {
            try await files.openPartial(list)
        }
        #expect(try contents(target) == [1, 2, 3])
    }

    @Test("accepts nothing once discarded, and starts empty when opened again")
    func discarded() async throws {
        let files = try BlobFiles(root: root)
        let partial = try await files.openPartial(list)
        for index in 0..<4 {
            try await partial.write(chunk(index), chunk: index)
        }
        try await files.discardPartial(list.blobID)
        await #expect(throws: BlobFilesError.notFound(list.blobID)) {
            try await partial.write(chunk(4), chunk: 4)
        }
        let again = try await files.openPartial(list)
        #expect(again !== partial)
        #expect(again.verifiedChunks.isEmpty)
        await #expect(throws: BlobFilesError.incomplete(list.blobID)) {
            try await files.commit([list.blobID])
        }
    }

    @Test("is finished by an import of the same file, with any chunks before")
    func importedMeanwhile() async throws {
        let files = try BlobFiles(root: root)
        let partial = try await files.openPartial(list)
        try await partial.write(chunk(2), chunk: 2)
        let imported = try await files.import(folder.write(bytes, "photo"))
        #expect(imported.id == list.blobID)
        try await partial.write(chunk(0), chunk: 0)
        try await files.commit([list.blobID])
        #expect(try await files.verify(list.blobID) == list)
    }
}
