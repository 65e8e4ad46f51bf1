internal import CStatx
internal import Glibc

/// The exclusive right to the store of one home directory, until it is released, or the value is gone.
///
/// An flock on `<home>/lock`: the kernel gives it back when the process ends, however it ends.
package final class StoreLock: Sendable {
    /// The directory that holds the store; mode 0700.
    package let directory: String
    private let file: Int32

    /// Makes the directory when it is not there. Throws ``StoreError/locked(process:)`` when
    /// another process, or another value in this one, has the store;
    /// ``StoreError/diskReadOnly(path:)`` when the disk can only be read; ``StoreError/failed(_:)``
    /// when directory or file cannot be made for another reason.
    package init(home: String) throws(StoreError) {
        try StoreFile.makeDirectory(home)
        let path = StoreLock.path(in: home)
        let file = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw .failed(StoreFile.lastError(path)) }
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
            let holder = StoreLock.process(writtenIn: file)
            close(file)
            throw .locked(process: holder)
        }
        directory = home
        self.file = file
        let digits = Array("\(getpid())\n".utf8)
        // The id is for messages only: a lock without it is still a lock.
        if ftruncate(file, 0) == 0 {
            _ = unsafe digits.withUnsafeBytes { unsafe pwrite(file, $0.baseAddress, $0.count, 0) }
        }
    }

    deinit {
        close(file)
    }

    private static func process(writtenIn file: Int32) -> Int32? {
        var digits = [UInt8](repeating: 0, count: 16)
        let count = unsafe digits.withUnsafeMutableBytes {
            unsafe pread(file, $0.baseAddress, $0.count, 0)
        }
        guard count > 0 else { return nil }
        return Int32(String(decoding: digits.prefix(count).prefix { $0 != 10 }, as: UTF8.self))
    }
}

/// A store on real files, below the locked home.
extension StoreLock: StorePlace {
    package var path: String { StoreFile.path(in: directory) }
    /// By the lock, which is deleted and moved with the home: whether the file that has its name is the one that is
    /// locked. A file that cannot be asked for is no absence, nor is a disk that is unmounted while it is in use.
    package var absence: StoreError? {
        var locked = stat()
        guard unsafe fstat(file, &locked) == 0, !isLocked(in: directory, locked) else { return nil }
        if let folder = folderOfLock, isLocked(in: folder, locked), StoreFile.isThere(in: folder) {
            return .moved(folder: directory, to: folder)
        }
        if StoreFile.isThere(in: directory) { return .unlocked(folder: directory) }
        return locked.st_nlink == 0 ? .gone(folder: directory) : nil
    }

    private func isLocked(in folder: String, _ locked: stat) -> Bool {
        var named = stat()
        guard unsafe stat(StoreLock.path(in: folder), &named) == 0 else {
            return ![ENOENT, ENOTDIR].contains(errno)
        }
        return named.st_ino == locked.st_ino && named.st_dev == locked.st_dev
    }

    /// Where the locked file is now, as far as the kernel says.
    private var folderOfLock: String? {
        var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe bytes.withUnsafeMutableBytes { buffer in
            let text = unsafe buffer.assumingMemoryBound(to: CChar.self)
            return unsafe text.baseAddress.map {
                unsafe readlink("/proc/self/fd/\(file)", $0, text.count)
            } ?? -1
        }
        guard count > 0 else { return nil }
        return StoreFile.directory(of: String(decoding: bytes.prefix(count), as: UTF8.self))
    }

    private static func path(in home: String) -> String { home + "/lock" }

    package func release() { _ = flock(file, LOCK_UN) }
}
