internal import CStatx
internal import Glibc

/// The store's file below a home directory: made with narrow modes, and looked at before SQLite is.
enum StoreFile {
    static let name = "store.sqlite"
    static func path(in home: String) -> String { home + "/" + name }

    /// Makes a directory of mode 0700, or narrows an own one that is there.
    static func makeDirectory(_ path: String) throws(StoreError) {
        if unsafe mkdir(path, 0o700) != 0 && errno != EEXIST { throw opening(path) }
        guard unsafe chmod(path, 0o700) == 0 else { throw opening(path) }
    }

    /// Makes an empty file of mode 0600 when there is none: SQLite gives its other files the same
    /// mode. Returns whether a file with content was there. Throws ``StoreError/locked(process:)`` when a process
    /// has the same file open by another name.
    static func prepare(_ path: String) throws(StoreError) -> Bool {
        try leaveOtherNames(of: path)
        let file = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw opening(path) }
        defer { close(file) }
        guard fchmod(file, 0o600) == 0 else { throw opening(path) }
        return lseek(file, 0, SEEK_END) > 0
    }

    /// A store whose files have other names, hard links, gets files of its own: SQLite finds the WAL and its index
    /// by the name, so two processes that open one file by two names would each write over what the other wrote.
    ///
    /// The copy is another file to ``fingerprint(_:)``, so the device begins a new log, as after each copy.
    private static func leaveOtherNames(of path: String) throws(StoreError) {
        let (wal, index, folder) = (path + "-wal", path + "-shm", directory(of: path) + "/")
        let beside =
            path == StoreFile.path(in: directory(of: path))
            ? [StoreMarkFile.markName, StoreMarkFile.headsName, PageSums.name].map { folder + $0 }
            : []
        let files = beside + [wal, path]
        var isShared = false
        for file in files + [index] where try names(of: file) > 1 { isShared = true }
        guard isShared else { return }
        try requireUnlocked(path)
        // All are copied before one gets its name: a WAL of another moment would put older pages back.
        var copies: [String] = []
        for file in files where isThere(file) {
            try copy(file, to: file + ".own")
            copies.append(file)
        }
        // SQLite makes its index again from the WAL.
        unsafe unlink(index)
        for file in copies { try rename(file + ".own", to: file) }
        try syncDirectory(of: path)
    }

    /// Throws ``StoreError/locked(process:)`` while another process has the database open, by whichever name: in
    /// WAL mode it holds a lock on a range of the file, always.
    private static func requireUnlocked(_ path: String) throws(StoreError) {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else {
            if errno == ENOENT { return }
            throw .failed(lastError(path))
        }
        defer { close(file) }
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        guard unsafe fcntl(file, F_GETLK, &lock) == 0 else { throw .failed(lastError(path)) }
        guard lock.l_type == Int16(F_UNLCK) else { throw .locked(process: lock.l_pid) }
    }

    /// How many names a file has; 0 when there is none.
    private static func names(of path: String) throws(StoreError) -> UInt {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else {
            if errno == ENOENT { return 0 }
            throw .failed(lastError(path))
        }
        return UInt(status.st_nlink)
    }

    private static func copy(_ path: String, to copy: String) throws(StoreError) {
        unsafe unlink(copy)
        // An empty one, too.
        try write([], to: copy, at: 0)
        var length: UInt64 = 0
        while case let bytes = try read(path, at: length, 1 << 20), !bytes.isEmpty {
            try write(bytes, to: copy, at: length)
            length += UInt64(bytes.count)
        }
        try sync(copy)
    }

    static func isThere(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }
    static func isThere(in home: String) -> Bool { isThere(path(in: home)) }

    /// Makes changes of names in a file's directory durable.
    static func syncDirectory(of path: String) throws(StoreError) {
        let directory = directory(of: path)
        let file = unsafe open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard file >= 0 else { throw .failed(lastError(directory)) }
        defer { close(file) }
        guard fsync(file) == 0 else { throw .failed(lastError(directory)) }
    }

    /// Up to `count` bytes; fewer at the file's end, none when there is no file.
    static func read(
        _ path: String, at offset: UInt64, _ count: Int
    ) throws(StoreError) -> [UInt8] {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else {
            if errno == ENOENT { return [] }
            throw .failed(lastError(path))
        }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: count)
        let found = unsafe bytes.withUnsafeMutableBytes {
            unsafe pread(file, $0.baseAddress, $0.count, off_t(offset))
        }
        guard found >= 0 else { throw .failed(lastError(path)) }
        return found == count ? bytes : Array(bytes.prefix(found))
    }

    /// Writes into a file of mode 0600, made when it is not there.
    static func write(_ bytes: [UInt8], to path: String, at offset: UInt64) throws(StoreError) {
        try write(bytes, to: path, at: offset, 0, isSynced: false)
    }

    /// Puts a file of mode 0600 with these bytes in the place of one that may be there.
    static func replace(_ path: String, with bytes: [UInt8]) throws(StoreError) {
        try write(bytes, to: path + ".new", at: 0, O_TRUNC, isSynced: true)
        try rename(path + ".new", to: path)
    }

    private static func write(
        _ bytes: [UInt8], to path: String, at offset: UInt64, _ flags: Int32, isSynced: Bool
    ) throws(StoreError) {
        let file = unsafe open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | flags, 0o600)
        guard file >= 0 else { throw failure(path) }
        defer { close(file) }
        let written = unsafe bytes.withUnsafeBytes {
            unsafe pwrite(file, $0.baseAddress, $0.count, off_t(offset))
        }
        // Less than asked for is written where the room ends.
        guard written < 0 || written == bytes.count else { throw .diskFull }
        guard written == bytes.count, !isSynced || fsync(file) == 0 else { throw failure(path) }
    }

    /// Makes what was written into a file durable, where it is there.
    static func sync(_ path: String) throws(StoreError) {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else {
            if errno == ENOENT { return }
            throw .failed(lastError(path))
        }
        defer { close(file) }
        guard fsync(file) == 0 else { throw failure(path) }
    }

    /// Bytes that may still be written to the disk of a file's directory; nil when it cannot be asked.
    static func freeBytes(beside path: String) -> UInt64? {
        var status = statvfs()
        guard unsafe statvfs(directory(of: path), &status) == 0 else { return nil }
        return UInt64(status.f_bavail) * UInt64(status.f_frsize)
    }

    static func rename(_ from: String, to: String) throws(StoreError) {
        guard unsafe Glibc.rename(from, to) == 0 else { throw .failed(lastError(from)) }
    }

    static func directory(of path: String) -> String {
        String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    }

    /// What tells this file from a copy of it: file system, inode and birth time, as text.
    static func fingerprint(_ path: String) throws(StoreError) -> String {
        var birth = peersync_file_birth()
        guard unsafe peersync_file_birth(path, &birth) == 0 else { throw .failed(lastError(path)) }
        return "\(birth.inode)/\(birth.seconds).\(birth.nanoseconds)"
    }

    /// When a file was changed last, as text; nil without one.
    static func lastChange(_ path: String) -> String? {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        return "\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
    }

    /// `/etc/machine-id`, empty where there is none.
    static func machineID() -> String {
        let file = unsafe open("/etc/machine-id", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return "" }
        defer { close(file) }
        var digits = [UInt8](repeating: 0, count: 64)
        let count = unsafe digits.withUnsafeMutableBytes {
            unsafe pread(file, $0.baseAddress, $0.count, 0)
        }
        return String(decoding: digits.prefix(max(0, count)).prefix { $0 != 10 }, as: UTF8.self)
    }

    /// What the last call says of writing to a file.
    private static func failure(_ path: String) -> StoreError {
        [ENOSPC, EDQUOT].contains(errno) ? .diskFull : .failed(lastError(path))
    }

    /// The same of making or opening one.
    private static func opening(_ path: String) -> StoreError {
        errno == EROFS ? .diskReadOnly(path: path) : .failed(lastError(path))
    }

    static func lastError(_ path: String) -> String {
        let number = errno
        guard let text = unsafe strerror(number) else { return "\(path): error \(number)" }
        return unsafe "\(path): \(String(cString: text))"
    }
}

/// A place on real files.
extension StorePlace {
    package var machineID: String { StoreFile.machineID() }

    package func prepare() throws(StoreError) -> Bool { try StoreFile.prepare(path) }
    package func read(
        _ suffix: String, at offset: UInt64, _ count: Int
    ) throws(StoreError) -> [UInt8] {
        try StoreFile.read(path + suffix, at: offset, count)
    }
    package func fingerprint() throws(StoreError) -> String { try StoreFile.fingerprint(path) }
    package func lastChange(_ suffix: String) -> String? { StoreFile.lastChange(path + suffix) }

    package func beside(_ name: String) -> any StorePlace {
        FilePlace(path: StoreFile.directory(of: path) + "/" + name)
    }
    package func write(_ bytes: [UInt8], at offset: UInt64) throws(StoreError) {
        try StoreFile.write(bytes, to: path, at: offset)
    }
    package func replace(with bytes: [UInt8]) throws(StoreError) {
        try StoreFile.replace(path, with: bytes)
    }
    package func sync() throws(StoreError) {
        try StoreFile.sync(path)
        try StoreFile.syncDirectory(of: path)
    }
    package var freeBytes: UInt64? { StoreFile.freeBytes(beside: path) }
    package func move(_ suffix: String, to name: String) throws(StoreError) {
        try StoreFile.rename(path + suffix, to: StoreFile.directory(of: path) + "/" + name)
        try StoreFile.syncDirectory(of: path)
    }
    package func remove(_ suffix: String) { unsafe unlink(path + suffix) }
}

/// A store that nobody locks, or a file beside one.
struct FilePlace: StorePlace {
    let path: String

    init(path: String) { self.path = path }
    init(in home: String) { path = StoreFile.path(in: home) }
}
