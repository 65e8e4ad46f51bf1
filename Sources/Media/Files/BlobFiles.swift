internal import Foundation
internal import Glibc
package import SyncCore
internal import Synchronization

/// The blobs of ``Limits/smallBlobBytes`` and more, one file each.
///
/// ```
/// <root>/<first two hex digits>/<64 hex digits>   finished, durable, named by its content
/// <root>/partial/<64 hex digits>                  being fetched, or waiting for commit
/// <root>/partial/import-<16 hex digits>           being copied; removed when opened again
/// ```
///
/// Files are 0600 in directories of 0700. One process opens a root at a time. A finished file never
/// changes; it is replaced only by a fresh copy of the same verified content.
package final class BlobFiles: Sendable {
    let root: String
    /// Room that stays free on the disk.
    package let spareBytes: UInt64
    private let state = Mutex(State())

    private struct State {
        /// Blobs with all chunks verified, and the identity of their file in `partial`.
        var complete: [BlobID: FileIdentity] = [:]
        var partials: [BlobID: OpenPartial] = [:]
        /// Errno of a failed synchronization: nothing is acknowledged after it.
        var syncFailure: Int32?
    }

    private struct OpenPartial {
        weak let blob: PartialBlob?
    }

    /// Opens the files below the directory `root`, which is created when missing, and removes the remains
    /// of interrupted imports. Refuses files that would leave less than `spareBytes` free on the disk.
    package init(root: String, spareBytes: UInt64 = Limits.spareDiskBytes) throws(BlobFilesError) {
        self.root = root
        self.spareBytes = spareBytes
        try BlobFiles.makeDirectory(root)
        try BlobFiles.makeDirectory(root + "/partial")
        // A commit makes the names below the root durable; this does it for the root's own name.
        try OpenFile.synchronizeDirectory(root + "/..")
        for name in try BlobFiles.names(in: root + "/partial") where name.hasPrefix("import-") {
            unsafe unlink(root + "/partial/" + name)
        }
    }

    /// The ids of all finished files, sorted.
    package func list() async throws(BlobFilesError) -> [BlobID] {
        let root = root
        return try await DiskWork.run { () throws(BlobFilesError) in
            var found: [BlobID] = []
            for name in try BlobFiles.names(in: root) where name.utf8.count == 2 {
                found += try BlobFiles.blobIDs(in: root + "/" + name)
            }
            return found.sorted()
        }
    }

    /// Bytes of the finished file of `id`; nil when there is none. One `stat` call.
    package func length(of id: BlobID) -> UInt64? {
        var status = stat()
        guard unsafe stat(finishedPath(id), &status) == 0 else { return nil }
        return UInt64(max(status.st_size, 0))
    }

    /// Removes the finished file of `id`, if there is one. The caller decides whether it may go: it may be
    /// the last copy.
    package func remove(_ id: BlobID) async throws(BlobFilesError) {
        let path = finishedPath(id)
        try await DiskWork.run { () throws(BlobFilesError) in
            guard unsafe unlink(path) == 0 || errno == ENOENT else { throw .ofLast("unlink") }
        }
    }

    /// Removes the finished file of `id` that got its name before a time in seconds since 1970, and no other:
    /// one that came since counts as here in a moment. Whether it was removed.
    package func remove(
        _ id: BlobID, finishedBefore time: Int64
    ) async throws(BlobFilesError) -> Bool {
        let (path, aside) = (finishedPath(id), "\(root)/partial/import-\(randomDigits())")
        return try await DiskWork.run { () throws(BlobFilesError) in
            var (seen, taken) = (stat(), stat())
            guard unsafe lstat(path, &seen) == 0 else { return false }
            guard Int64(seen.st_ctim.tv_sec) < time else { return false }
            guard unsafe Glibc.rename(path, aside) == 0 else {
                guard errno == ENOENT else { throw .ofLast("rename") }
                return false
            }
            // Another one may have taken its place between the two calls.
            guard unsafe lstat(aside, &taken) == 0, taken.st_ino == seen.st_ino,
                taken.st_dev == seen.st_dev
            else {
                guard unsafe Glibc.rename(aside, path) == 0 else { throw .ofLast("rename") }
                return false
            }
            guard unsafe unlink(aside) == 0 else { throw .ofLast("unlink") }
            return true
        }
    }

    /// Removes what was fetched of `id` and is not committed, and gives its space back at once.
    /// Who still writes to it is told ``BlobFilesError/notFound(_:)``.
    package func discardPartial(_ id: BlobID) async throws(BlobFilesError) {
        openedPartial(id)?.abandon()
        forget([id])
        let path = partialPath(id)
        try await DiskWork.run { () throws(BlobFilesError) in
            // Emptied first: a removed file keeps its room while it is open somewhere.
            guard unsafe Glibc.truncate(path, 0) == 0 || errno == ENOENT else {
                throw .ofLast("truncate")
            }
            guard unsafe unlink(path) == 0 || errno == ENOENT else { throw .ofLast("unlink") }
        }
    }

    // MARK: Layout

    func finishedPath(_ id: BlobID) -> String { "\(finishedDirectory(id))/\(id)" }
    func finishedDirectory(_ id: BlobID) -> String { "\(root)/\(id.description.prefix(2))" }
    func partialPath(_ id: BlobID) -> String { "\(root)/partial/\(id)" }

    static func makeDirectory(_ path: String) throws(BlobFilesError) {
        guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .ofLast("mkdir") }
    }

    /// The names in a folder; none when there is no such folder.
    static func names(in directory: String) throws(BlobFilesError) -> [String] {
        do {
            // Opening it tells the errno, which FileManager's errors do not.
            _ = try OpenFile(directory, O_RDONLY | O_DIRECTORY)
            return try FileManager.default.contentsOfDirectory(atPath: directory)
        } catch BlobFilesError.system(_, ENOENT), BlobFilesError.system(_, ENOTDIR) {
            return []
        } catch let error as BlobFilesError {
            throw error
        } catch {
            throw .system(call: "readdir", number: EIO)
        }
    }

    private static func blobIDs(in directory: String) throws(BlobFilesError) -> [BlobID] {
        try names(in: directory).compactMap { bytes(hexadecimal: $0).flatMap(BlobID.init(bytes:)) }
    }

    // MARK: State

    func openedPartial(_ id: BlobID) -> PartialBlob? {
        state.withLock { $0.partials[id]?.blob }
    }

    /// Registers `blob`, or returns the one that is registered for its id already.
    func register(_ blob: PartialBlob) -> PartialBlob {
        state.withLock { state in
            if let earlier = state.partials[blob.id]?.blob { return earlier }
            state.partials = state.partials.filter { $0.value.blob != nil }
            state.partials[blob.id] = OpenPartial(blob: blob)
            return blob
        }
    }

    func markComplete(_ id: BlobID, in file: FileIdentity) {
        state.withLock { $0.complete[id] = file }
    }

    /// Whether the file in `partial` is the one in which every chunk was verified.
    func isComplete(_ id: BlobID) -> Bool {
        var status = stat()
        guard unsafe lstat(partialPath(id), &status) == 0 else { return false }
        return state.withLock { $0.complete[id] } == FileStatus(status).identity
    }

    func forget(_ ids: [BlobID]) {
        state.withLock { state in
            for id in ids {
                state.complete[id] = nil
                state.partials[id] = nil
            }
        }
    }

    /// Throws when a synchronization has failed since these files were opened.
    func checkSync() throws(BlobFilesError) {
        if let number = state.withLock({ $0.syncFailure }) { throw .syncFailed(number: number) }
    }

    func recordSyncFailure(_ number: Int32) {
        state.withLock { $0.syncFailure = number }
    }
}
