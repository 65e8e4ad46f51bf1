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
        self.word0 = word0
        self.word1 = word1
        self.word2 = word2
        self.word3 = word3
    }

    /// Returns nil unless `bytes` holds exactly 32 bytes.
    package init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == Bytes32.byteCount else { return nil }
        var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        for (position, byte) in bytes.enumerated() {
            switch position / 8 {
            case 0: words.0 = words.0 << 8 | UInt64(byte)
            case 1: words.1 = words.1 << 8 | UInt64(byte)
            case 2: words.2 = words.2 << 8 | UInt64(byte)
            default: words.3 = words.3 << 8 | UInt64(byte)
            }
        }
        self.init(word0: words.0, word1: words.1, word2: words.2, word3: words.3)
    }

    /// The 32 bytes, in order.
    package var bytes: [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(Bytes32.byteCount)
        for word in [word0, word1, word2, word3] {
            for shift in stride(from: 56, through: 0, by: -8) {
                result.append(UInt8(truncatingIfNeeded: word >> UInt64(shift)))
            }
        }
        return result
    }

    package static func < (left: Bytes32, right: Bytes32) -> Bool {
        (left.word0, left.word1, left.word2, left.word3)
            < (right.word0, right.word1, right.word2, right.word3)
    }
}
