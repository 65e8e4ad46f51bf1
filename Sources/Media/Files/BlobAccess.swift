internal import Glibc
package import SyncCore

/// Whether the disk lets this user at the files of a ``BlobLayout``. A folder that may not be used says nothing of its
/// files: they are neither here nor gone.
package struct BlobAccess: Sendable {
    private let layout: BlobLayout
    /// The disk of the files when they were opened; nil if their folder was made just then.
    private let disk: dev_t?

    init(_ layout: BlobLayout) {
        self.layout = layout
        disk = BlobAccess.disk(of: layout.root)
    }

    /// Whether the folder of the files is here. Where its disk is not mounted there is none, or an empty one; opening
    /// it made a folder in it. The folder below the disk has that one, too, if it was opened before the disk was there.
    package var isThere: Bool {
        guard let names = try? BlobLayout.names(in: layout.root), !names.isEmpty else {
            return false
        }
        return disk == nil || disk == BlobAccess.disk(of: layout.root)
            || names != ["partial"]
    }

    private static func disk(of path: String) -> dev_t? {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? status.st_dev : nil
    }

    /// The first own folder that this user may not read and change; nil if there is none. 258 calls: less than a
    /// millisecond.
    package var closedFolder: String? {
        ([layout.root, layout.root + "/partial"]
            + (UInt8.min...UInt8.max).map { layout.folder(of: $0) })
            .first { path in
                unsafe access(path, R_OK | W_OK | X_OK) != 0 && errno.isRefusal
            }
    }

    /// Looks for the finished file of `id` by its name and size, in one `stat` call. Throws
    /// ``BlobFilesError/notFound(_:)`` when it is gone or cut off, ``BlobFilesError/noAccess(path:)`` when the
    /// disk does not tell.
    package func find(_ id: BlobID, bytes: UInt64) throws(BlobFilesError) {
        var status = stat()
        guard unsafe stat(layout.finished(id), &status) == 0 else {
            let number = errno
            guard !number.isRefusal, isThere else {
                throw .noAccess(path: closedFolder ?? layout.root)
            }
            throw .notFound(id)
        }
        guard UInt64(max(status.st_size, 0)) == bytes else { throw .notFound(id) }
    }

    /// Whether the disk says that the finished file of `id` is not there, or not of so many bytes.
    package func isGone(_ id: BlobID, bytes: UInt64) -> Bool {
        do throws(BlobFilesError) {
            try find(id, bytes: bytes)
            return false
        } catch {
            return error == .notFound(id)
        }
    }

    /// Makes a call on an own path: its error names the folder or file that this user may not use.
    func own<Value>(
        _ path: String, _ call: () throws(BlobFilesError) -> Value
    ) throws(BlobFilesError) -> Value {
        do throws(BlobFilesError) {
            return try call()
        } catch {
            guard case .system(_, let number) = error else { throw error }
            if number.isRefusal { throw .noAccess(path: closedFolder ?? path) }
            if number == ENOENT, !isThere { throw .noAccess(path: layout.root) }
            throw error
        }
    }
}

extension Int32 {
    fileprivate var isRefusal: Bool { self == EACCES || self == EPERM }
}
