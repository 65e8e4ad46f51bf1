import Foundation
import Glibc

/// The log's destination and its reader.
package enum StandardError {
    /// Writes a line in one call, so that lines of several threads do not mix.
    package static func write(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        // A log without a reader is no reason to stop.
        _ = unsafe bytes.withUnsafeBytes {
            unsafe Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count)
        }
    }

    /// Lines in the journal's form, each with the priority of an error.
    package static func asErrors(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { "<\(LogLevel.error.priority)>\($0)" }.joined(separator: "\n")
    }

    /// Whether the journal reads standard error: systemd puts the device and inode of its socket
    /// into JOURNAL_STREAM (systemd.exec(5)); a stream that was redirected later has other ones.
    package static func isJournal(_ environment: [String: String]) -> Bool {
        guard let inode = environment["JOURNAL_STREAM"]?.split(separator: ":").last else {
            return false
        }
        let stream = "/proc/self/fd/\(STDERR_FILENO)"
        let target = try? FileManager.default.destinationOfSymbolicLink(atPath: stream)
        return target == "socket:[\(inode)]"
    }
}
