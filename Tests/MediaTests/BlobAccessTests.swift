import Foundation
import Media
import SyncCore
import Testing

@Suite("Blob files that the disk does not show")
struct BlobAccessTests {
    private let folder: TemporaryFolder
    private let files: BlobFiles
    private var root: String { folder.path + "/blobs" }

    init() throws {
        folder = try TemporaryFolder()
        files = try BlobFiles(root: folder.path + "/blobs")
    }

    private func stored() async throws -> ImportedBlob {
        let imported = try await files.import(folder.write(pattern(70_000), "photo"))
        try await files.commit([imported.id])
        return imported
    }

    @Test("A file is gone when its name or its end is, and not when the folder of all files is")
    func gone() async throws {
        // given
        let (file, lost) = (try await stored(), BlobID(sha256([1])))
        #expect(!files.access.isGone(file.id, bytes: file.length))
        #expect(files.access.isGone(file.id, bytes: file.length + 1))
        #expect(files.access.isGone(lost, bytes: 70_000))
        // when
        try FileManager.default.moveItem(atPath: root, toPath: root + "-away")
        // then
        for id in [file.id, lost] {
            #expect(!files.access.isGone(id, bytes: file.length))
            #expect(throws: BlobFilesError.noAccess(path: root)) {
                try files.access.find(id, bytes: file.length)
            }
        }
        await #expect(throws: BlobFilesError.noAccess(path: root)) {
            try await files.verify(file.id)
        }
    }

    @Test(
        "The folder below a disk that went away is not that of the files, even if it was opened once",
        .enabled(
            if: BlobAccessTests.disk("/dev/shm") != BlobAccessTests.disk(NSTemporaryDirectory()),
            "needs two disks"))
    func otherDisk() async throws {
        // given a disk with a file, and a folder below it that was opened before the disk was there
        let disk = "/dev/shm/peersync-test-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: disk) }
        let place = folder.path + "/mounted"
        try FileManager.default.createSymbolicLink(atPath: place, withDestinationPath: disk)
        _ = try BlobFiles(root: place)
        let files = try BlobFiles(root: place, spareBytes: 0)
        let imported = try await files.import(folder.write(pattern(70_000), "photo"))
        try await files.commit([imported.id])
        #expect(files.access.isThere)
        // when
        try FileManager.default.removeItem(atPath: place)
        try FileManager.default.createSymbolicLink(atPath: place, withDestinationPath: root)
        // then
        #expect(!files.access.isThere)
        #expect(!files.access.isGone(imported.id, bytes: imported.length))
        // when it is back
        try FileManager.default.removeItem(atPath: place)
        try FileManager.default.createSymbolicLink(atPath: place, withDestinationPath: disk)
        // then
        #expect(files.access.isThere)
        try files.access.find(imported.id, bytes: imported.length)
    }

    private static func disk(_ path: String) -> dev_t? {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? status.st_dev : nil
    }

    @Test("A folder may have changed at any time that a disk can note")
    func farTimes() async throws {
        // given
        let file = try await stored()
        let folder = "\(root)/\(file.id.description.prefix(2))"
        let before = files.changeTimes
        for seconds in [10_500_000_000.0, 11_000_000_000] {
            // when
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: seconds)], ofItemAtPath: folder)
            // then
            #expect(files.changeTimes != before)
        }
    }

    @Test(
        "A folder that this user may not use says nothing of its files, and is named by whatever needs it",
        .enabled(if: geteuid() != 0, "root may use every folder"))
    func closed() async throws {
        // given
        let file = try await stored()
        let name = file.id.description
        let deep = "\(root)/\(name.prefix(2))"
        #expect(files.access.closedFolder == nil)
        for path in [root, deep] {
            // when
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o000], ofItemAtPath: path)
            // then
            let refusal = BlobFilesError.noAccess(path: path)
            #expect(files.access.closedFolder == path)
            #expect(!files.access.isGone(file.id, bytes: file.length))
            await #expect(throws: refusal) { try await files.verify(file.id) }
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o700], ofItemAtPath: path)
        }
        #expect(files.access.closedFolder == nil)
        try files.access.find(file.id, bytes: file.length)
    }

    @Test(
        "A photo that is added is not blamed for the folder it should go to",
        .enabled(if: geteuid() != 0, "root may use every folder"))
    func blame() async throws {
        // given
        let path = try folder.write(pattern(70_000), "photo")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o500], ofItemAtPath: root + "/partial")
        // then
        await #expect(throws: BlobFilesError.noAccess(path: root + "/partial")) {
            try await files.import(path)
        }
        // when
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o700], ofItemAtPath: root + "/partial")
        try FileManager.default.setAttributes([.posixPermissions: 0o000], ofItemAtPath: path)
        // then
        await #expect(throws: BlobFilesError.system(call: "open", number: EACCES)) {
            try await files.import(path)
        }
    }
}
