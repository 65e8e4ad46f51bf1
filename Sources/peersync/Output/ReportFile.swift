internal import Foundation
internal import Glibc
internal import LocalAPI

/// A new file for a diagnostics report: mode 0600, and never one that was there.
struct ReportFile {
    /// Absolute.
    let path: String

    /// Throws ``APIError`` when the file exists or cannot be made.
    init(creating path: String) throws {
        self.path = path
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let descriptor = unsafe open(path, flags, 0o600)
        guard descriptor >= 0 else {
            throw errno == EEXIST
                ? APIError.reportExists(path)
                : APIError.reportNotWritable(path, reason: Self.reason(errno))
        }
        close(descriptor)
    }

    func write(_ report: DiagnosticsReport) throws {
        do {
            let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
            try handle.write(contentsOf: JSONCoding.encodeIndented(report) + Data("\n".utf8))
            try handle.close()
        } catch {
            throw APIError.reportNotWritable(path, reason: error.localizedDescription)
        }
    }

    func remove() {
        _ = unsafe unlink(path)
    }

    private static func reason(_ code: Int32) -> String {
        unsafe String(cString: strerror(code)).lowercased()
    }
}
