internal import Glibc

/// Bytes that can be read at any place and do not change meanwhile: all that Encryption reads. It opens
/// nothing by a name.
package protocol ByteInput: Sendable {
    var length: UInt64 { get }

    /// Exactly these bytes, or what is left of them before the end.
    func read(_ range: Range<UInt64>) throws -> [UInt8]
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

/// An open file that can be read at any place.
package final class FileInput: ByteInput {
    /// The system call of this name failed with this `errno`.
    package struct Failure: Error, Hashable {
        package let call: String
        package let code: Int32
    }

    private let descriptor: Int32
    package let length: UInt64

    /// Takes the descriptor over, and closes it in the end.
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
        let range = range.clamped(to: 0..<length)
        var failure: Int32 = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
            while count < range.count, let start = buffer.baseAddress {
                let position = off_t(range.lowerBound) + off_t(count)
                let got = unsafe pread(descriptor, start + count, range.count - count, position)
                if got > 0 {
                    count += got
                } else if got == 0 {
                    // The file became shorter; what is missing fails where it is looked at.
                    return
                } else if errno != EINTR {
                    failure = errno
                    return
                }
            }
        }
        guard failure == 0 else { throw Failure(call: "pread", code: failure) }
        return bytes
    }
}
