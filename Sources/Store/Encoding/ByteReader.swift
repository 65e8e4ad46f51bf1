internal import SyncCore

/// Reads stored bytes from front to back; every step checks what is left.
struct ByteReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) {
        rest = bytes[...]
    }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func byte() throws(RecordCodec.Malformed) -> UInt8 {
        guard let byte = rest.popFirst() else { throw .init() }
        return byte
    }

    mutating func bytes(_ count: Int) throws(RecordCodec.Malformed) -> ArraySlice<UInt8> {
        guard count >= 0, count <= rest.count else { throw .init() }
        let taken = rest.prefix(count)
        rest = rest.dropFirst(count)
        return taken
    }

    /// Seven bits per byte, low ones first; at most ten bytes, no padding.
    mutating func number() throws(RecordCodec.Malformed) -> UInt64 {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 70, by: 7) {
            let byte = try byte()
            let bits = UInt64(byte & 0x7F)
            guard shift < 63 || bits <= 1 else { throw .init() }
            value |= bits << shift
            if byte < 0x80 {
                guard byte != 0 || shift == 0 else { throw .init() }
                return value
            }
        }
        throw .init()
    }

    /// A number of things of which each takes at least one byte.
    mutating func count() throws(RecordCodec.Malformed) -> Int {
        let value = try number()
        guard value <= UInt64(rest.count) else { throw .init() }
        return Int(value)
    }

    mutating func small() throws(RecordCodec.Malformed) -> UInt32 {
        guard let value = UInt32(exactly: try number()) else { throw .init() }
        return value
    }

    mutating func fixed64() throws(RecordCodec.Malformed) -> UInt64 {
        UInt64(bigEndian: try bytes(8))
    }

    /// A count and as many bytes.
    mutating func prefixed() throws(RecordCodec.Malformed) -> ArraySlice<UInt8> {
        try bytes(try count())
    }

    mutating func text() throws(RecordCodec.Malformed) -> String {
        guard let text = String(validating: try prefixed(), as: UTF8.self) else { throw .init() }
        return text
    }
}

/// Writes what ``ByteReader`` reads.
struct ByteWriter {
    private(set) var bytes: [UInt8] = []

    /// `capacity` bytes are expected.
    init(capacity: Int = 0) {
        bytes.reserveCapacity(capacity)
    }

    mutating func append(_ byte: UInt8) {
        bytes.append(byte)
    }

    mutating func append(_ more: some Sequence<UInt8>) {
        bytes.append(contentsOf: more)
    }

    mutating func append(number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    mutating func append(prefixed more: some Collection<UInt8>) {
        append(number: UInt64(more.count))
        bytes.append(contentsOf: more)
    }

    /// A value's canonical bytes, after their length.
    mutating func append(_ value: Value) {
        let place = bytes.count
        bytes.append(0)
        value.appendCanonicalBytes(to: &bytes)
        let count = bytes.count - place - 1
        guard count >= 0x80 else {
            bytes[place] = UInt8(truncatingIfNeeded: count)
            return
        }
        var length = ByteWriter()
        length.append(number: UInt64(count))
        bytes.replaceSubrange(place...place, with: length.bytes)
    }
}

extension FixedWidthInteger {
    /// Of bytes, most significant first; of more than the type has, the last count.
    init(bigEndian bytes: some Sequence<UInt8>) {
        self = bytes.reduce(0) { $0 << 8 | Self($1) }
    }
}
