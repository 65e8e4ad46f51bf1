/// A 32-byte identifier of one kind of thing; kinds do not mix.
package struct Identifier<Kind>: Hashable, Comparable, Sendable {
    package let value: Bytes32

    package init(_ value: Bytes32) { self.value = value }

    /// Returns nil unless `bytes` holds exactly 32 bytes.
    package init?(bytes: some Collection<UInt8>) {
        guard let value = Bytes32(bytes) else { return nil }
        self.value = value
    }

    /// Returns nil unless `text` spells 32 bytes as hexadecimal digits of either case.
    package init?(hexadecimal text: some StringProtocol) {
        guard let value = SyncCore.bytes(hexadecimal: text).flatMap({ Bytes32($0) }) else {
            return nil
        }
        self.value = value
    }

    package static var zero: Identifier { Identifier(.zero) }

    package var bytes: [UInt8] { value.bytes }

    package static func < (left: Identifier, right: Identifier) -> Bool {
        left.value < right.value
    }
}

extension Identifier: CustomStringConvertible {
    /// Sixty-four lower-case hexadecimal digits.
    package var description: String { hexadecimal(bytes) }
}

package enum DeviceKind {}
package enum PersonKind {}
package enum CommitKind {}
package enum SpaceKind {}
package enum BlobKind {}
package enum SchemaKind {}

/// SHA-256 of a device's Ed25519 public key.
package typealias DeviceID = Identifier<DeviceKind>
/// SHA-256 of a person's Ed25519 public key.
package typealias PersonID = Identifier<PersonKind>

extension PersonID {
    /// Of the person whose first key this is.
    package init(key: Bytes32) { self.init(sha256(key.bytes)) }
}

/// SHA-256 of `label ‖ 0 ‖ header bytes`.
package typealias CommitID = Identifier<CommitKind>
/// The id of a space's genesis commit.
package typealias SpaceID = Identifier<SpaceKind>
/// See ``BlobHash``: SHA-256 of `label ‖ 0 ‖ length ‖ SHA-256 of each chunk`.
package typealias BlobID = Identifier<BlobKind>
/// SHA-256 of a schema's canonical document bytes.
package typealias SchemaID = Identifier<SchemaKind>

/// A record's id: 16 random bytes, or 16 bytes derived from a stable key.
package struct RecordID: Hashable, Comparable, Sendable, CustomStringConvertible {
    package let value: Bytes16

    package init(_ value: Bytes16) { self.value = value }

    package init?(bytes: some Collection<UInt8>) {
        guard let value = Bytes16(bytes) else { return nil }
        self.value = value
    }

    /// Returns nil unless `text` spells 16 bytes as hexadecimal digits of either case.
    package init?(hexadecimal text: some StringProtocol) {
        guard let value = SyncCore.bytes(hexadecimal: text).flatMap({ Bytes16($0) }) else {
            return nil
        }
        self.value = value
    }

    package var bytes: [UInt8] { value.bytes }
    package var description: String { hexadecimal(bytes) }

    package static func < (left: RecordID, right: RecordID) -> Bool {
        left.value < right.value
    }
}

/// One database lifetime of one device; a restored backup starts a new one.
package typealias Incarnation = Bytes16

/// Lower-case hexadecimal digits, two per byte.
package func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var characters: [UInt8] = []
    for byte in bytes {
        characters.append(digits[Int(byte >> 4)])
        characters.append(digits[Int(byte & 15)])
    }
    return String(decoding: characters, as: UTF8.self)
}

/// The bytes that hexadecimal digits of either case spell; nil for anything else.
package func bytes(hexadecimal text: some StringProtocol) -> [UInt8]? {
    let digits = Array(text.utf8)
    guard digits.count.isMultiple(of: 2) else { return nil }
    var result: [UInt8] = []
    result.reserveCapacity(digits.count / 2)
    for index in stride(from: 0, to: digits.count, by: 2) {
        guard let high = nibble(digits[index]), let low = nibble(digits[index + 1]) else {
            return nil
        }
        result.append(high << 4 | low)
    }
    return result
}

private func nibble(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
}
