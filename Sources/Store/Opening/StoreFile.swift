internal import CStatx
internal import Glibc

/// The store's file below a home directory: made with narrow modes, and looked at before SQLite is.
enum StoreFile {
    static func path(in home: String) -> String { home + "/store.sqlite" }

    /// Makes a directory of mode 0700, or narrows an own one that is there.
    static func makeDirectory(_ path: String) throws(StoreError) {
        if unsafe mkdir(path, 0o700) != 0 && errno != EEXIST {
            throw .failed(lastError(path))
        }
        guard unsafe chmod(path, 0o700) == 0 else { throw .failed(lastError(path)) }
    }

    /// Makes an empty file of mode 0600 when there is none: SQLite gives its other files the same
    /// mode. Returns whether a file with content was there.
    static func prepare(_ path: String) throws(StoreError) -> Bool {
        let file = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw .failed(lastError(path)) }
        defer { close(file) }
        guard fchmod(file, 0o600) == 0 else { throw .failed(lastError(path)) }
        return lseek(file, 0, SEEK_END) > 0
    }

    /// Makes an empty file of mode 0600; throws when something is there already.
    static func createNew(_ path: String) throws(StoreError) {
        let file = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .failed(lastError(path)) }
        close(file)
    }

    /// Throws when the header in the file's first 100 bytes is not that of a store this version can
    /// open (SQLite file format 1.3: application id at 68, user version at 60, big endian). It only
    /// reads: such a file stays as it is.
    static func refuseStrange(_ path: String) throws(StoreError) {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw .failed(lastError(path)) }
        defer { close(file) }
        var header = [UInt8](repeating: 0, count: 100)
        let count = unsafe header.withUnsafeMutableBytes {
            unsafe pread(file, $0.baseAddress, $0.count, 0)
        }
        guard count == header.count, header.starts(with: Array("SQLite format 3\0".utf8)) else {
            throw .foreign
        }
        guard number(header[68..<72]) == StoreSchema.applicationID else { throw .foreign }
        let format = number(header[60..<64])
        guard format <= StoreSchema.format else { throw .newer(format: format) }
    }

    /// What tells this file from a copy of it: file system, inode and birth time, as text.
    static func fingerprint(_ path: String) throws(StoreError) -> String {
        var birth = peersync_file_birth()
        guard unsafe peersync_file_birth(path, &birth) == 0 else { throw .failed(lastError(path)) }
        return "\(birth.inode)/\(birth.seconds).\(birth.nanoseconds)"
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

    static func lastError(_ path: String) -> String {
        let number = errno
        guard let text = unsafe strerror(number) else { return "\(path): error \(number)" }
        return unsafe "\(path): \(String(cString: text))"
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int64 {
        bytes.reduce(0) { $0 << 8 | Int64($1) }
    }
}
