/// A moment, with the offset of the place where it happened when that is known.
package struct TimeValue: Hashable, Sendable {
    /// Since 1970-01-01T00:00:00Z.
    package let milliseconds: Int64
    package let offsetMinutes: Int32?

    package init(milliseconds: Int64, offsetMinutes: Int32?) {
        (self.milliseconds, self.offsetMinutes) = (milliseconds, offsetMinutes)
    }
}

/// A place on Earth, WGS 84.
package struct PositionValue: Hashable, Sendable {
    /// Degrees, north and east positive.
    package let latitude: Double
    package let longitude: Double
    /// Of uncertainty.
    package let radiusMetres: Double?
    package let altitudeMetres: Double?

    package init(
        latitude: Double, longitude: Double, radiusMetres: Double? = nil,
        altitudeMetres: Double? = nil
    ) {
        (self.latitude, self.longitude) = (latitude, longitude)
        (self.radiusMetres, self.altitudeMetres) = (radiusMetres, altitudeMetres)
    }
}

/// One value of a field. Two values are equal when their canonical bytes are: Swift's own `==` on
/// strings equates different bytes.
package enum Value: Sendable {
    case null
    case text(String)
    case integer(Int64)
    /// Digits as they were written, for example "3.90".
    case decimal(String)
    case boolean(Bool)
    case time(TimeValue)
    case position(PositionValue)
    case json(String)
    case blob(BlobID)
    case reference(RecordID)
    /// A kind this version does not know, kept as it was received: the serialized Value message.
    case unknown([UInt8])

    /// A tag byte and the value's bytes: texts as UTF-8, numbers big endian, floating point by bit
    /// pattern, an optional part as 0 or as 1 and the part.
    package var canonicalBytes: [UInt8] {
        var bytes: [UInt8] = []
        appendCanonicalBytes(to: &bytes)
        return bytes
    }

    /// The same, behind other bytes.
    package func appendCanonicalBytes(to bytes: inout [UInt8]) {
        switch self {
        case .null: bytes.append(0)
        case .text(let text): Value.append(1, text.utf8, to: &bytes)
        case .integer(let number):
            Value.append(2, bigEndian(UInt64(bitPattern: number)), to: &bytes)
        case .decimal(let digits): Value.append(3, digits.utf8, to: &bytes)
        case .boolean(let flag): Value.append(4, CollectionOfOne(flag ? 1 : 0), to: &bytes)
        case .time(let time): Value.append(5, Value.bytes(of: time), to: &bytes)
        case .position(let position): Value.append(6, Value.bytes(of: position), to: &bytes)
        case .json(let text): Value.append(7, text.utf8, to: &bytes)
        case .blob(let blob): Value.append(8, blob.bytes, to: &bytes)
        case .reference(let record): Value.append(9, record.bytes, to: &bytes)
        case .unknown(let encoded): Value.append(255, encoded, to: &bytes)
        }
    }

    private static func append(
        _ tag: UInt8, _ content: some Sequence<UInt8>, to bytes: inout [UInt8]
    ) {
        bytes.append(tag)
        bytes.append(contentsOf: content)
    }

    private static func bytes(of time: TimeValue) -> [UInt8] {
        bigEndian(UInt64(bitPattern: time.milliseconds))
            + optional(time.offsetMinutes.map { UInt64(bitPattern: Int64($0)) })
    }

    private static func bytes(of position: PositionValue) -> [UInt8] {
        bigEndian(position.latitude.bitPattern) + bigEndian(position.longitude.bitPattern)
            + optional(position.radiusMetres?.bitPattern)
            + optional(position.altitudeMetres?.bitPattern)
    }

    private static func optional(_ part: UInt64?) -> [UInt8] {
        part.map { [1] + bigEndian($0) } ?? [0]
    }
}

extension Value: Hashable {
    package static func == (left: Value, right: Value) -> Bool {
        switch (left, right) {
        case (.text(let one), .text(let other)), (.decimal(let one), .decimal(let other)),
            (.json(let one), .json(let other)):
            one.utf8.elementsEqual(other.utf8)
        case (.integer(let one), .integer(let other)): one == other
        case (.boolean(let one), .boolean(let other)): one == other
        case (.time(let one), .time(let other)): one == other
        case (.blob(let one), .blob(let other)): one == other
        case (.reference(let one), .reference(let other)): one == other
        default: left.canonicalBytes == right.canonicalBytes
        }
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(canonicalBytes)
    }
}

extension Value {
    package var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    package var boolean: Bool? {
        if case .boolean(let flag) = self { flag } else { nil }
    }

    package var integer: Int64? {
        if case .integer(let number) = self { number } else { nil }
    }

    package var time: TimeValue? {
        if case .time(let time) = self { time } else { nil }
    }

    package var position: PositionValue? {
        if case .position(let position) = self { position } else { nil }
    }

    package var blob: BlobID? {
        if case .blob(let blob) = self { blob } else { nil }
    }

    package var reference: RecordID? {
        if case .reference(let record) = self { record } else { nil }
    }
}
