internal import Glibc
internal import SyncCore

/// Why the key file could not be used. None of these is ever answered by making new keys: new keys
/// are a new device, which nobody knows.
package enum KeyFileError: Error, Hashable {
    case notFound
    /// There is a file already; its keys stay.
    case alreadyExists
    case notARegularFile
    /// Owned by this user id, which is not ours.
    case notOwned(by: UInt32)
    /// Others than the owner may read or write it: these permission bits, 0600 are allowed.
    case tooOpen(mode: UInt32)
    /// A newer peersync wrote it.
    case unsupportedVersion(String)
    case damaged
    /// The system call of this name failed with this `errno`.
    case system(call: String, code: Int32)
}

/// The file that holds a device's private keys: mode 0600, its owner's alone, four lines.
///
///     peersync device keys 1
///     signing <64 hexadecimal digits, the Ed25519 private key>
///     agreement <64 hexadecimal digits, the X25519 private key>
///     check <64 hexadecimal digits, SHA-256 of the lines above with their line ends>
package enum KeyFile {
    private static let title = "peersync device keys "
    private static let version = "1"
    /// More than any key file has; a larger file is not one.
    private static let greatestByteCount = 4096

    /// Writes `keys` to a path where nothing is yet. When it returns, the file survives a power
    /// cut. There is never a part of a file at `path`.
    package static func write(_ keys: DeviceKeys, to path: String) throws(KeyFileError) {
        try create(Array(text(of: keys).utf8), at: path)
    }

    /// Writes a file that is its owner's alone, whatever the umask, to a path where nothing is yet.
    /// When it returns, the file survives a power cut. There is never a part of a file at `path`.
    package static func create(_ content: [UInt8], at path: String) throws(KeyFileError) {
        let temporary = path + ".new"
        try writeDurably(content, to: temporary)
        // A link, as a rename would replace: two agents that start at once must not each believe
        // in keys of their own.
        let outcome = unsafe link(temporary, path)
        let reason = errno
        _ = unsafe unlink(temporary)
        guard outcome == 0 else {
            throw reason == EEXIST ? .alreadyExists : .system(call: "link", code: reason)
        }
        try synchronise(directory: directory(of: path))
    }

    /// Reads the keys after checking that nobody but their owner could read or change them.
    package static func read(from path: String) throws(KeyFileError) -> DeviceKeys {
        // O_NONBLOCK: a pipe in the place of the file must not hold the agent up for ever.
        let descriptor = unsafe open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            switch errno {
            case ENOENT: throw .notFound
            case ELOOP: throw .notARegularFile
            default: throw failure("open")
            }
        }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw failure("fstat") }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notARegularFile }
        guard status.st_uid == geteuid() else { throw .notOwned(by: status.st_uid) }
        let mode = status.st_mode & 0o7777
        guard mode & 0o177 == 0 else { throw .tooOpen(mode: mode) }
        guard status.st_size <= greatestByteCount else { throw .damaged }
        return try parse(try readAll(descriptor))
    }

    // MARK: Text

    private static func text(of keys: DeviceKeys) -> String {
        let lines = """
            \(title)\(version)
            signing \(hexadecimal(keys.signingSecret.bytes))
            agreement \(hexadecimal(keys.agreementSecret.bytes))

            """
        return lines + "check \(hexadecimal(sha256(Array(lines.utf8)).bytes))\n"
    }

    private static func parse(_ content: [UInt8]) throws(KeyFileError) -> DeviceKeys {
        let text = String(decoding: content, as: UTF8.self)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard let first = lines.first, first.hasPrefix(title) else { throw .damaged }
        let found = String(first.dropFirst(title.count))
        guard UInt(found) != nil else { throw .damaged }
        guard found == version else { throw .unsupportedVersion(found) }
        guard lines.count == 5, lines[4].isEmpty,
            let signing = value(of: "signing ", in: lines[1]),
            let agreement = value(of: "agreement ", in: lines[2]),
            let check = value(of: "check ", in: lines[3])
        else { throw .damaged }
        let checked = lines[0..<3].map { $0 + "\n" }.joined()
        guard sha256(Array(checked.utf8)) == check,
            let keys = DeviceKeys(signingSecret: signing, agreementSecret: agreement)
        else { throw .damaged }
        return keys
    }

    private static func value(of name: String, in line: Substring) -> Bytes32? {
        guard line.hasPrefix(name) else { return nil }
        return bytes(hexadecimal: line.dropFirst(name.count)).flatMap { Bytes32($0) }
    }

    // MARK: System calls

    private static func writeDurably(
        _ content: [UInt8], to path: String
    ) throws(KeyFileError) {
        _ = unsafe unlink(path)
        let descriptor = unsafe open(
            path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure("open") }
        do throws(KeyFileError) {
            defer { close(descriptor) }
            try writeAll(content, to: descriptor)
            guard fsync(descriptor) == 0 else { throw failure("fsync") }
        } catch {
            _ = unsafe unlink(path)
            throw error
        }
    }

    private static func writeAll(
        _ content: [UInt8], to descriptor: Int32
    ) throws(KeyFileError) {
        var written = 0
        while written < content.count {
            let rest = Array(content[written...])
            let count = unsafe Glibc.write(descriptor, rest, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure("write") }
            written += count
        }
    }

    private static func readAll(_ descriptor: Int32) throws(KeyFileError) -> [UInt8] {
        var content: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 512)
        while content.count <= greatestByteCount {
            let count = unsafe Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure("read") }
            guard count > 0 else { return content }
            content.append(contentsOf: buffer.prefix(count))
        }
        throw .damaged
    }

    /// A rename is durable once the directory that holds the name is.
    private static func synchronise(directory: String) throws(KeyFileError) {
        let descriptor = unsafe open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("open") }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw failure("fsync") }
    }

    private static func directory(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private static func failure(_ call: String) -> KeyFileError {
        .system(call: call, code: errno)
    }
}
