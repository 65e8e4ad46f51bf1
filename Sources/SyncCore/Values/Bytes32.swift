/// Thirty-two bytes held inline: a hash, a public key or a nonce.
///
/// Four big-endian words, so that comparing values is comparing their bytes.
package struct Bytes32: Hashable, Comparable, Sendable {
    private let word0: UInt64
    private let word1: UInt64
    private let word2: UInt64
    private let word3: UInt64

    package static let byteCount = 32
    package static let zero = Bytes32(word0: 0, word1: 0, word2: 0, word3: 0)

    private init(word0: UInt64, word1: UInt64, word2: UInt64, word3: UInt64) {
        (self.word0, self.word1, self.word2, self.word3) = (word0, word1, word2, word3)
    }

    /// Returns nil unless `bytes` holds exactly 32 bytes.
    package init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == Bytes32.byteCount else { return nil }
        // Whole words at once: decoding reads millions of these.
        let loaded = bytes.withContiguousStorageIfAvailable { storage in
            unsafe Bytes32(loading: UnsafeRawBufferPointer(storage))
        }
        self = unsafe loaded ?? Array(bytes).withUnsafeBytes { unsafe Bytes32(loading: $0) }
    }

    private init(loading bytes: UnsafeRawBufferPointer) {
        word0 = unsafe UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
        word1 = unsafe UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        word2 = unsafe UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 16, as: UInt64.self))
        word3 = unsafe UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 24, as: UInt64.self))
    }

    /// The 32 bytes, in order.
    package var bytes: [UInt8] {
        let words = (word0.bigEndian, word1.bigEndian, word2.bigEndian, word3.bigEndian)
        return unsafe withUnsafeBytes(of: words) { unsafe Array($0) }
    }

    package static func < (left: Bytes32, right: Bytes32) -> Bool {
        (left.word0, left.word1, left.word2, left.word3)
            < (right.word0, right.word1, right.word2, right.word3)
    }
}
