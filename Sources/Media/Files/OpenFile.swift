internal import CPlatform
internal import Glibc
internal import SyncCore

/// An open file, closed with its last reference.
final class OpenFile: Sendable {
    let descriptor: Int32

    /// Takes over `descriptor`.
    init(owning descriptor: Int32) { self.descriptor = descriptor }

    /// Opens `path` with `O_` flags; `mode` is for a file that is made.
    init(_ path: String, _ flags: Int32, mode: mode_t = 0o600) throws(BlobFilesError) {
        let descriptor = unsafe open(path, flags | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw .ofLast("open") }
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    /// Opens a regular file for reading; a pipe or a device neither blocks nor is read.
    static func regular(_ path: String) throws(BlobFilesError) -> OpenFile {
        let file = try OpenFile(path, O_RDONLY | O_NONBLOCK | O_NOCTTY)
        guard try file.status().isRegular else { throw .notRegularFile(path: path) }
        return file
    }

    /// Up to `count` bytes from `offset`; fewer only where the file ends.
    func read(at offset: UInt64, count: Int) throws(BlobFilesError) -> [UInt8] {
        var failure: Int32 = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count, let start = buffer.baseAddress {
                let position = off_t(offset) + off_t(filled)
                let got = unsafe pread(descriptor, start + filled, count - filled, position)
                if got > 0 {
                    filled += got
                } else if got == 0 {
                    return
                } else if errno != EINTR {
                    failure = errno
                    return
                }
            }
        }
        guard failure == 0 else { throw .of("pread", number: failure) }
        return bytes
    }

    /// Writes all of `bytes` at `offset`.
    func write(_ bytes: [UInt8], at offset: UInt64) throws(BlobFilesError) {
        let failure: Int32 = unsafe bytes.withUnsafeBytes { buffer in
            guard let start = buffer.baseAddress else { return 0 }
            var written = 0
            while written < buffer.count {
                let position = off_t(offset) + off_t(written)
                let count = buffer.count - written
                let put = unsafe pwrite(descriptor, start + written, count, position)
                if put > 0 {
                    written += put
                } else if put == 0 {
                    return EIO
                } else if errno != EINTR {
                    return errno
                }
            }
            return 0
        }
        guard failure == 0 else { throw .of("pwrite", number: failure) }
    }

    func status() throws(BlobFilesError) -> FileStatus {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw .ofLast("fstat") }
        return FileStatus(status)
    }

    /// Bytes it takes on the disk, which change without anybody writing to it.
    func allocatedBytes() throws(BlobFilesError) -> UInt64 {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw .ofLast("fstat") }
        return UInt64(max(status.st_blocks, 0)) * 512
    }

    func truncate(to length: UInt64) throws(BlobFilesError) {
        guard ftruncate(descriptor, off_t(length)) == 0 else { throw .ofLast("ftruncate") }
    }

    /// Takes room for the first `length` bytes; false when the disk does not have it. True where the
    /// file system cannot say.
    func reserve(_ length: UInt64) -> Bool {
        peersync_reserve(descriptor, Int(length)) == 0 || (errno != ENOSPC && errno != EDQUOT)
    }

    /// Waits until everything written is on the disk.
    ///
    /// It is never called again for the same bytes after it failed: the kernel then counts the
    /// lost pages as clean, and a second call would succeed.
    func synchronize() throws(BlobFilesError) {
        guard fsync(descriptor) == 0 else { throw .syncFailed(number: errno) }
    }

    /// Makes the entries of a directory durable.
    static func synchronizeDirectory(_ path: String) throws(BlobFilesError) {
        try OpenFile(path, O_RDONLY | O_DIRECTORY).synchronize()
    }
}

/// What tells whether a path still names the same file.
struct FileIdentity: Hashable, Sendable {
    let device: UInt64
    let inode: UInt64
}

/// What tells whether a file still has the content that it had. Not the room it takes: the file
/// system gives that later than the bytes are written.
struct FileStatus: Hashable, Sendable {
    let length: UInt64
    let isRegular: Bool
    let identity: FileIdentity
    private let modifiedSeconds: Int
    private let modifiedNanoseconds: Int

    init(_ status: stat) {
        length = UInt64(max(status.st_size, 0))
        isRegular = status.st_mode & S_IFMT == S_IFREG
        identity = FileIdentity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
        modifiedSeconds = status.st_mtim.tv_sec
        modifiedNanoseconds = status.st_mtim.tv_nsec
    }
}
