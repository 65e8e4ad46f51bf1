/// Sixteen bytes held inline: a record id or an incarnation.
package struct Bytes16: Hashable, Comparable, Sendable {
    private let high: UInt64
    private let low: UInt64

    package static let byteCount = 16
    package static let zero = Bytes16(high: 0, low: 0)

    private init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Returns nil unless `bytes` holds exactly 16 bytes.
    package init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == Bytes16.byteCount else { return nil }
        self.init(
            high: bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) },
            low: bytes.dropFirst(8).reduce(0) { $0 << 8 | UInt64($1) })
    }

    /// Sixteen bytes of the given generator: the core has no randomness of its own.
    package init(random generator: inout some RandomNumberGenerator) {
        self.init(high: generator.next(), low: generator.next())
    }

    /// The 16 bytes, in order.
    package var bytes: [UInt8] {
        [high, low].flatMap { word in
            stride(from: 56, through: 0, by: -8).map { shift in
                UInt8(truncatingIfNeeded: word >> UInt64(shift))
            }
        }
    }

    package static func < (left: Bytes16, right: Bytes16) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }
}
