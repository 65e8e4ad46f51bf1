internal import Glibc
package import SyncCore

/// The blobs of ``Limits/smallBlobBytes`` and more, one file each.
///
/// ``BlobLayout`` says where they are. One process opens a root at a time. A finished file never
/// changes; it is replaced only by a fresh copy of the same verified content.
package final class BlobFiles: Sendable {
    let layout: BlobLayout
    package let access: BlobAccess
    /// Room that stays free on the disk.
    package let spareBytes: UInt64
    let uncommitted = UncommittedBlobs()

    /// Opens the files below the directory `root`, which is created when missing, and removes the remains
    /// of interrupted imports. Refuses files that would leave less than `spareBytes` free on the disk.
    package init(root: String, spareBytes: UInt64 = Limits.spareDiskBytes) throws(BlobFilesError) {
        layout = BlobLayout(root: root)
        access = BlobAccess(layout)
        self.spareBytes = spareBytes
        for folder in [root, root + "/partial"] {
            try access.own(folder) { () throws(BlobFilesError) in
                try BlobLayout.makeDirectory(folder)
            }
        }
        // A commit makes the names below the root durable; this does it for the root's own name.
        try OpenFile.synchronizeDirectory(root + "/..")
        let partial = try access.own(root) { () throws(BlobFilesError) in
            try BlobLayout.names(in: root + "/partial")
        }
        for name in partial where name.hasPrefix("import-") {
            unsafe unlink(root + "/partial/" + name)
        }
    }

    /// The ids of all finished files, sorted.
    package func list() async throws(BlobFilesError) -> [BlobID] {
        try await DiskWork.run { [self] () throws(BlobFilesError) in
            try access.own(layout.root) { () throws(BlobFilesError) in
                var found: [BlobID] = []
                for name in try BlobLayout.names(in: layout.root) where name.utf8.count == 2 {
                    found += try BlobLayout.names(in: layout.root + "/" + name)
                        .compactMap(BlobLayout.blob)
                }
                return found.sorted()
            }
        }
    }

    /// Bytes of the finished file of `id`; nil when there is none. One `stat` call.
    package func length(of id: BlobID) -> UInt64? {
        var status = stat()
        guard unsafe stat(layout.finished(id), &status) == 0 else { return nil }
        return UInt64(max(status.st_size, 0))
    }

    /// When names of finished files changed last, in nanoseconds since 1970, by the first byte of the files; 0 where
    /// there is no folder. 256 `stat` calls: less than a millisecond.
    package var changeTimes: [Int64] {
        (UInt8.min...UInt8.max).map { byte in
            var status = stat()
            guard unsafe stat(layout.folder(of: byte), &status) == 0 else { return 0 }
            return status.st_mtim.nanoseconds
        }
    }

    /// Removes the finished file of `id`, if there is one. The caller decides whether it may go: it may be
    /// the last copy.
    package func remove(_ id: BlobID) async throws(BlobFilesError) {
        let path = layout.finished(id)
        try await DiskWork.run { () throws(BlobFilesError) in
            guard unsafe unlink(path) == 0 || errno == ENOENT else { throw .ofLast("unlink") }
        }
    }

    /// Removes the finished file of `id` that got its name before a time in seconds since 1970, and no other:
    /// one that came since counts as here in a moment. Whether it was removed.
    package func remove(
        _ id: BlobID, finishedBefore time: Int64
    ) async throws(BlobFilesError) -> Bool {
        let (path, aside) = (layout.finished(id), layout.makeCopyPath())
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
        uncommitted.opened(id)?.abandon()
        uncommitted.forget([id])
        let path = layout.partial(id)
        try await DiskWork.run { () throws(BlobFilesError) in
            // Emptied first: a removed file keeps its room while it is open somewhere.
            guard unsafe Glibc.truncate(path, 0) == 0 || errno == ENOENT else {
                throw .ofLast("truncate")
            }
            guard unsafe unlink(path) == 0 || errno == ENOENT else { throw .ofLast("unlink") }
        }
    }
}

extension timespec {
    /// Times after the year 2262 begin again below zero: they only tell one change from another.
    fileprivate var nanoseconds: Int64 { Int64(tv_sec) &* 1_000_000_000 &+ Int64(tv_nsec) }
}
