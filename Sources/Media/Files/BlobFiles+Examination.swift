internal import Foundation
internal import Glibc
package import SyncCore

/// A file in `partial`: a blob that is being fetched, or the remains of an import.
package struct PartialFile: Hashable, Sendable {
    /// Nil for an import's copy.
    package let blob: BlobID?
    /// Relative to the root.
    package let path: String
    package let bytes: UInt64
    /// Seconds since 1970.
    package let modified: Int64
}

/// What the check of the files can look at, and the few changes it may make.
extension BlobFiles {
    /// All files in `partial`, by name.
    package func partialFiles() async throws(BlobFilesError) -> [PartialFile] {
        let root = layout.root
        return try await DiskWork.run { () throws(BlobFilesError) in
            try BlobLayout.names(in: root + "/partial").sorted().compactMap { name in
                var status = stat()
                let path = "partial/" + name
                guard unsafe lstat(root + "/" + path, &status) == 0,
                    status.st_mode & S_IFMT == S_IFREG
                else { return nil }
                return PartialFile(
                    blob: BlobLayout.blob(name), path: path,
                    bytes: UInt64(max(status.st_size, 0)), modified: Int64(status.st_mtim.tv_sec))
            }
        }
    }

    /// Paths below the root that do not belong to this layout, sorted.
    package func strangeNames() async throws(BlobFilesError) -> [String] {
        let root = layout.root
        return try await DiskWork.run { () throws(BlobFilesError) in
            var strange: [String] = []
            let folders: Set = ["partial", "damaged"]
            for name in try BlobLayout.names(in: root) where !folders.contains(name) {
                guard name.utf8.count == 2, bytes(hexadecimal: name) != nil else {
                    strange.append(name)
                    continue
                }
                strange += try BlobLayout.names(in: root + "/" + name)
                    .filter { file in
                        BlobLayout.blob(file) == nil || !file.hasPrefix(name)
                    }
                    .map { name + "/" + $0 }
            }
            return strange.sorted()
        }
    }

    /// When a finished file was renamed to its name, in seconds since 1970; nil when there is none.
    package func finishedAt(_ id: BlobID) -> Int64? {
        var status = stat()
        guard unsafe lstat(layout.finished(id), &status) == 0 else { return nil }
        return Int64(status.st_ctim.tv_sec)
    }

    /// The number of quarantined files.
    package func asideCount() async throws(BlobFilesError) -> Int {
        let directory = layout.root + "/damaged"
        return try await DiskWork.run { () throws(BlobFilesError) in
            try BlobLayout.names(in: directory).count
        }
    }

    /// Moves the damaged finished file of `id` into `damaged`. It is kept, as a part of it may be all that
    /// is left. Does nothing when there is no such file.
    package func quarantined(_ id: BlobID) async throws(BlobFilesError) {
        try await DiskWork.run { [self] () throws(BlobFilesError) in
            let place = try placeAside(for: id)
            guard unsafe Glibc.rename(layout.finished(id), place) == 0 else {
                if errno == ENOENT { return }
                throw .ofLast("rename")
            }
            try OpenFile.synchronizeDirectory(layout.root + "/damaged")
            try OpenFile.synchronizeDirectory(layout.folder(of: id))
        }
    }

    /// Quarantines bytes that were in the database.
    package func quarantined(_ id: BlobID, content: [UInt8]) async throws(BlobFilesError) {
        try await DiskWork.run { [self] () throws(BlobFilesError) in
            let file = try OpenFile(try placeAside(for: id), O_WRONLY | O_CREAT | O_EXCL)
            try file.write(content, at: 0)
            try file.synchronize()
            try OpenFile.synchronizeDirectory(layout.root + "/damaged")
        }
    }

    /// A free name in `damaged`.
    private func placeAside(for id: BlobID) throws(BlobFilesError) -> String {
        try BlobLayout.makeDirectory(layout.root + "/damaged")
        for number in 1...Limits.damagedCopies {
            let path = "\(layout.root)/damaged/\(id).\(number)"
            var status = stat()
            if unsafe lstat(path, &status) != 0 { return path }
        }
        throw .alreadyExists(name: "damaged/\(id)")
    }

    /// Removes a file from `partial`; nothing may still write to it.
    package func removePartial(_ file: PartialFile) async throws(BlobFilesError) {
        if let blob = file.blob { return try await discardPartial(blob) }
        let path = layout.root + "/" + file.path
        try await DiskWork.run { () throws(BlobFilesError) in
            guard unsafe unlink(path) == 0 || errno == ENOENT else { throw .ofLast("unlink") }
        }
    }
}

extension Limits {
    /// Damaged files to keep of one blob; beyond that, the disk itself is reported.
    package static let damagedCopies = 8
}
