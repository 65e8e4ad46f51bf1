internal import Glibc
package import LocalAPI

/// A new file for a recovery key or a report: created before its content, with mode 0600, and never
/// in place of an existing file.
package struct PrivateFile {
    /// An absolute path.
    let path: String
    private let option: String

    /// `option` is the option that named the file. Throws ``APIError`` if it exists or cannot be
    /// created.
    package init(creating path: String, option: String) throws(APIError) {
        (self.path, self.option) = (path, option)
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let descriptor = unsafe open(path, flags, 0o600)
        guard descriptor >= 0 else {
            throw errno == EEXIST
                ? APIError(
                    code: .badInput,
                    sentence: "The file \(path) exists already, and is left as it is.",
                    hint: "Choose another name for \(option).") : notWritable()
        }
        close(descriptor)
    }

    /// Writes the text and makes it durable. Throws ``APIError``.
    package func write(_ text: String) throws(APIError) {
        let descriptor = unsafe open(path, O_WRONLY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { throw notWritable() }
        defer { close(descriptor) }
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let written = unsafe rest.withUnsafeBytes { bytes in
                unsafe Glibc.write(descriptor, bytes.baseAddress, bytes.count)
            }
            guard written > 0 else { throw notWritable() }
            rest = rest.dropFirst(written)
        }
        guard fsync(descriptor) == 0 else { throw notWritable() }
    }

    /// Removes the file, after the action that it was made for failed.
    package func remove() {
        _ = unsafe unlink(path)
    }

    private func notWritable() -> APIError {
        let reason = Sentence.System.reason(errno)
        return APIError(
            code: .badInput, sentence: "The file \(path) cannot be written: \(reason).",
            hint: "Choose another place for \(option).")
    }
}
