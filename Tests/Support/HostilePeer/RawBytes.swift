/// Bytes of frames and of protobuf fields made by hand, right or wrong.
enum RawBytes {
    /// The lengths that break careless parsers.
    static let lengths: [UInt64] = [0, 1, (1 << 31) - 1, (1 << 32) - 1, 1 << 63]

    /// A frame with the given length, followed by any bytes.
    static func frame(length: UInt32, _ rest: [UInt8] = []) -> [UInt8] {
        bigEndian(length) + rest
    }

    /// A complete frame of this kind.
    static func frame(kind: UInt8 = 0, _ payload: [UInt8]) -> [UInt8] {
        frame(length: UInt32(payload.count + 1), [kind] + payload)
    }

    static func bigEndian(_ value: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> UInt32($0)) }
    }

    static func varint(_ value: UInt64) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }

    /// A field's key: 0 varint, 1 fixed64, 2 length-delimited, 3 and 4 a group, 5 fixed32.
    static func key(_ number: UInt64, _ wireType: UInt64) -> [UInt8] {
        varint(number << 3 | wireType)
    }

    static func field(_ number: UInt64, _ bytes: [UInt8]) -> [UInt8] {
        key(number, 2) + varint(UInt64(bytes.count)) + bytes
    }

    static func field(_ number: UInt64, varint value: UInt64) -> [UInt8] {
        key(number, 0) + varint(value)
    }

    static func field(_ number: UInt64, fixed value: UInt64) -> [UInt8] {
        key(number, 1) + (0..<8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    /// A length-delimited field that promises `length` bytes and has at most one.
    static func lying(_ number: UInt64, length: UInt64) -> [UInt8] {
        key(number, 2) + varint(length) + (length == 0 ? [] : [0xFF])
    }

    /// `body` within this many fields, each inside the one before.
    static func nested(_ number: UInt64, depth: Int, in body: [UInt8] = []) -> [UInt8] {
        var bytes = body
        for _ in 0..<depth { bytes = field(number, bytes) }
        return bytes
    }

    static func hex(_ text: Substring) throws -> [UInt8] {
        let digits = Array(text.utf8)
        return try stride(from: 0, to: digits.count, by: 2).map { place in
            let pair = String(decoding: digits[place..<min(place + 2, digits.count)], as: UTF8.self)
            guard let byte = UInt8(pair, radix: 16) else {
                throw Scene.Failure(reason: "not in hex: \(pair)")
            }
            return byte
        }
    }
}
