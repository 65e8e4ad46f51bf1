internal import Glibc
internal import LocalAPI

/// A new file for the recovery key: made before the key is, mode 0600, and never one that was
/// there.
package struct RecoveryFile {
    /// Absolute.
    let path: String

    /// Throws ``APIError`` when the file exists or cannot be made.
    package init(creating path: String) throws {
        self.path = path
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let descriptor = unsafe open(path, flags, 0o600)
        guard descriptor >= 0 else {
            throw errno == EEXIST
                ? APIError.recoveryFileExists(path)
                : APIError.recoveryFileNotWritable(path, reason: Self.reason(errno))
        }
        close(descriptor)
    }

    /// Writes the key and makes it durable; answers with the reason when that fails.
    package func write(_ text: String) -> String? {
        let descriptor = unsafe open(path, O_WRONLY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return Self.reason(errno) }
        defer { close(descriptor) }
        let bytes = Array(text.utf8)
        guard unsafe Glibc.write(descriptor, bytes, bytes.count) == bytes.count,
            fsync(descriptor) == 0
        else { return Self.reason(errno) }
        return nil
    }

    /// Takes the file away again, when what it was made for failed.
    package func remove() {
        _ = unsafe unlink(path)
    }

    private static func reason(_ code: Int32) -> String {
        unsafe String(cString: strerror(code)).lowercased()
    }
}
