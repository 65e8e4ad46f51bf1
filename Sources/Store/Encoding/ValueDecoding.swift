internal import SyncCore

extension Value {
    /// The value that has these canonical bytes (``Value/canonicalBytes``).
    init(canonicalBytes: ArraySlice<UInt8>) throws(RecordCodec.Malformed) {
        guard let tag = canonicalBytes.first else { throw .init() }
        let content = canonicalBytes.dropFirst()
        switch tag {
        case 0 where content.isEmpty: self = .null
        case 1: self = .text(try Value.text(content))
        case 3: self = .decimal(try Value.text(content))
        case 4 where content.elementsEqual([0]): self = .boolean(false)
        case 4 where content.elementsEqual([1]): self = .boolean(true)
        case 7: self = .json(try Value.text(content))
        case 8: self = .blob(try Value.present(BlobID(bytes: content)))
        case 9: self = .reference(try Value.present(RecordID(bytes: content)))
        case 255: self = .unknown(Array(content))
        default: self = try Value.composed(tag, content)
        }
    }

    /// Numbers and what is made of them.
    private static func composed(
        _ tag: UInt8, _ content: ArraySlice<UInt8>
    ) throws(RecordCodec.Malformed) -> Value {
        var reader = ByteReader(Array(content))
        let value: Value
        switch tag {
        case 2: value = .integer(Int64(bitPattern: try reader.fixed64()))
        case 5:
            let milliseconds = Int64(bitPattern: try reader.fixed64())
            let offset = try optional(&reader).map { Int64(bitPattern: $0) }
            let minutes = offset.flatMap { Int32(exactly: $0) }
            guard (offset == nil) == (minutes == nil) else { throw .init() }
            value = .time(TimeValue(milliseconds: milliseconds, offsetMinutes: minutes))
        case 6:
            value = .position(
                PositionValue(
                    latitude: Double(bitPattern: try reader.fixed64()),
                    longitude: Double(bitPattern: try reader.fixed64()),
                    radiusMetres: try optional(&reader).map { Double(bitPattern: $0) },
                    altitudeMetres: try optional(&reader).map { Double(bitPattern: $0) }))
        default: throw .init()
        }
        guard reader.isAtEnd else { throw .init() }
        return value
    }

    private static func optional(
        _ reader: inout ByteReader
    ) throws(RecordCodec.Malformed) -> UInt64? {
        switch try reader.byte() {
        case 0: return nil
        case 1: return try reader.fixed64()
        default: throw .init()
        }
    }

    private static func text(_ content: ArraySlice<UInt8>) throws(RecordCodec.Malformed) -> String {
        try present(String(validating: content, as: UTF8.self))
    }

    private static func present<Part>(_ part: Part?) throws(RecordCodec.Malformed) -> Part {
        guard let part else { throw .init() }
        return part
    }
}
