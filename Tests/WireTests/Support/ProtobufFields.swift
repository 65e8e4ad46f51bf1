/// The top-level fields of a serialized message, taken apart and put together by the rules of the
/// protobuf encoding alone, to build what the codecs never would.
struct ProtobufFields {
    enum Content: Equatable {
        case varint(UInt64)
        case fixed64([UInt8])
        case bytes([UInt8])
    }

    private(set) var fields: [(number: Int, content: Content)] = []

    init() {}

    /// Nil for bytes that are no message, or hold a kind of field that peersync.proto has not.
    init?(_ message: [UInt8]) {
        var rest = message[...]
        while !rest.isEmpty {
            guard let tag = ProtobufFields.varint(&rest) else { return nil }
            let number = Int(tag >> 3)
            switch tag & 7 {
            case 0:
                guard let value = ProtobufFields.varint(&rest) else { return nil }
                fields.append((number: number, content: .varint(value)))
            case 1:
                guard rest.count >= 8 else { return nil }
                fields.append((number: number, content: .fixed64(Array(rest.prefix(8)))))
                rest = rest.dropFirst(8)
            case 2:
                guard let length = ProtobufFields.varint(&rest), rest.count >= length else {
                    return nil
                }
                fields.append((number: number, content: .bytes(Array(rest.prefix(Int(length))))))
                rest = rest.dropFirst(Int(length))
            default: return nil
            }
        }
    }

    func setting(_ number: Int, _ content: Content) -> ProtobufFields {
        removing(number).appending(number, content)
    }

    func removing(_ number: Int) -> ProtobufFields {
        var result = self
        result.fields.removeAll { $0.number == number }
        return result
    }

    func appending(_ number: Int, _ content: Content, count: Int = 1) -> ProtobufFields {
        var result = self
        result.fields.append(
            contentsOf: repeatElement((number: number, content: content), count: count))
        return result
    }

    var serialized: [UInt8] {
        var bytes: [UInt8] = []
        for (number, content) in fields {
            switch content {
            case .varint(let value):
                bytes += ProtobufFields.varint(UInt64(number) << 3)
                bytes += ProtobufFields.varint(value)
            case .fixed64(let value):
                bytes += ProtobufFields.varint(UInt64(number) << 3 | 1) + value
            case .bytes(let value):
                bytes += ProtobufFields.varint(UInt64(number) << 3 | 2)
                bytes += ProtobufFields.varint(UInt64(value.count)) + value
            }
        }
        return bytes
    }

    private static func varint(_ value: UInt64) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }

    private static func varint(_ bytes: inout ArraySlice<UInt8>) -> UInt64? {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 7) {
            guard let byte = bytes.popFirst() else { return nil }
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
        }
        return nil
    }
}
