internal import Glibc

/// Random access to bytes that do not change meanwhile: Encryption reads nothing else, and opens no file by
/// name.
package protocol ByteInput: Sendable {
    var length: UInt64 { get }

    /// Exactly these bytes, fewer only at the end.
    func read(_ range: Range<UInt64>) throws -> [UInt8]

    /// Replaces the content of `bytes` with what ``read(_:)`` returns, and may reuse their memory.
    func read(_ range: Range<UInt64>, into bytes: inout [UInt8]) throws
}

extension ByteInput {
    package func read(_ range: Range<UInt64>, into bytes: inout [UInt8]) throws {
        bytes = try read(range)
    }
}

package struct MemoryInput: ByteInput {
    private let bytes: [UInt8]

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    package var length: UInt64 { UInt64(bytes.count) }

    package func read(_ range: Range<UInt64>) -> [UInt8] {
        let range = range.clamped(to: 0..<length)
        return Array(bytes[Int(range.lowerBound)..<Int(range.upperBound)])
    }
}

/// An open file with random access.
package final class FileInput: ByteInput {
    /// The system call of this name failed with this `errno`.
    package struct Failure: Error, Hashable {
        package let call: String
        package let code: Int32
    }

    private let descriptor: Int32
    package let length: UInt64

    /// Owns the descriptor from now on, and closes it.
    package init(owning descriptor: Int32) throws(Failure) {
        self.descriptor = descriptor
        let end = lseek(descriptor, 0, SEEK_END)
        guard end >= 0 else {
            let code = errno
            close(descriptor)
            throw Failure(call: "lseek", code: code)
        }
        length = UInt64(end)
    }

    deinit {
        close(descriptor)
    }

    package func read(_ range: Range<UInt64>) throws -> [UInt8] {
        var bytes: [UInt8] = []
        try read(range, into: &bytes)
        return bytes
    }

    package func read(_ range: Range<UInt64>, into bytes: inout [UInt8]) throws {
        let range = range.clamped(to: 0..<length)
        bytes.removeAll(keepingCapacity: true)
        try bytes.append(addingCapacity: range.count) { output in
            try unsafe output.withUnsafeMutableBufferPointer { buffer, filled in
                while filled < range.count, let start = buffer.baseAddress {
                    let position = off_t(range.lowerBound) + off_t(filled)
                    let got = unsafe pread(
                        descriptor, start + filled, range.count - filled, position)
                    // The file became shorter; the reader notices the missing bytes.
                    if got == 0 { return }
                    if got > 0 {
                        filled += got
                    } else if errno != EINTR {
                        throw Failure(call: "pread", code: errno)
                    }
                }
            }
        }
    }
}
