internal import CPlatform
internal import Glibc
internal import SyncCore

/// An open file, closed with its last reference.
final class OpenFile: Sendable {
    let descriptor: Int32

    /// Owns `descriptor` from now on.
    init(owning descriptor: Int32) { self.descriptor = descriptor }

    /// Opens `path` with `O_` flags; `mode` applies to a new file.
    init(_ path: String, _ flags: Int32, mode: mode_t = 0o600) throws(BlobFilesError) {
        let descriptor = unsafe open(path, flags | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw .ofLast("open") }
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    /// Opens a regular file for reading. Opening a pipe or a device fails, without blocking.
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

    /// Bytes that it occupies on the disk. The number may change without a write.
    func allocatedBytes() throws(BlobFilesError) -> UInt64 {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw .ofLast("fstat") }
        return UInt64(max(status.st_blocks, 0)) * 512
    }

    func truncate(to length: UInt64) throws(BlobFilesError) {
        guard ftruncate(descriptor, off_t(length)) == 0 else { throw .ofLast("ftruncate") }
    }

    /// Reserves room for the first `length` bytes; false when the disk does not have it. True where the
    /// file system cannot tell.
    func reserve(_ length: UInt64) -> Bool {
        peersync_reserve(descriptor, Int(length)) == 0 || (errno != ENOSPC && errno != EDQUOT)
    }

    /// Waits until everything written is on the disk.
    ///
    /// After a failure it must not be called again for the same bytes: the kernel then counts the lost
    /// pages as clean, and a second call would succeed.
    func synchronize() throws(BlobFilesError) {
        guard fsync(descriptor) == 0 else { throw .syncFailed(number: errno) }
    }

    /// Makes the entries of a directory durable.
    static func synchronizeDirectory(_ path: String) throws(BlobFilesError) {
        try OpenFile(path, O_RDONLY | O_DIRECTORY).synchronize()
    }
}

/// Shows whether a path still names the same file.
struct FileIdentity: Hashable, Sendable {
    let device: UInt64
    let inode: UInt64
}

/// Shows whether a file still has the same content. Does not include the occupied room, which the file
/// system may allocate after the bytes are written.
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
