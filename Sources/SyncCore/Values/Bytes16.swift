/// Sixteen bytes held inline: a record id or an incarnation.
package struct Bytes16: Hashable, Comparable, Sendable {
    private let high: UInt64
    private let low: UInt64

    package static let byteCount = 16
    package static let zero = Bytes16(high: 0, low: 0)

    private init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

    /// Returns nil unless `bytes` holds exactly 16 bytes.
    package init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == Bytes16.byteCount else { return nil }
        let loaded = bytes.withContiguousStorageIfAvailable { storage in
            unsafe Bytes16(loading: UnsafeRawBufferPointer(storage))
        }
        self = unsafe loaded ?? Array(bytes).withUnsafeBytes { unsafe Bytes16(loading: $0) }
    }

    private init(loading bytes: UnsafeRawBufferPointer) {
        high = unsafe UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
        low = unsafe UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    }

    /// Sixteen bytes of the given generator: the core has no randomness of its own.
    package init(random generator: inout some RandomNumberGenerator) {
        self.init(high: generator.next(), low: generator.next())
    }

    /// The 16 bytes, in order.
    package var bytes: [UInt8] {
        unsafe withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { unsafe Array($0) }
    }

    package static func < (left: Bytes16, right: Bytes16) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }
}
