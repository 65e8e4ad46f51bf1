internal import FoundationEssentials
internal import SwiftProtobuf
internal import SyncCore

/// No message of peersync.proto nests deeper than a position in a write, or a card in a statement.
private let depthLimit = 16

extension SwiftProtobuf.Message {
    /// The serialized form: the same value always gives the same bytes.
    var serialized: [UInt8] {
        var options = BinaryEncodingOptions()
        options.useDeterministicOrdering = true
        do {
            return try serializedBytes(options: options)
        } catch {
            // proto3 messages without Any fail for one reason only, a size of 2 GiB.
            preconditionFailure("cannot serialize \(Self.protoMessageName): \(error)")
        }
    }

    /// Decodes a serialized message. Unknown fields are kept and do not count as an error.
    init(decoding bytes: some SwiftProtobufContiguousBytes) throws(WireError) {
        var options = BinaryDecodingOptions()
        options.messageDepthLimit = depthLimit
        do {
            self = try Self(serializedBytes: bytes, options: options)
        } catch {
            throw .malformed(Self.protoMessageName)
        }
    }
}

/// The enumeration value of peersync.proto with the number of `core`.
func wireEnum<Wire: SwiftProtobuf.Enum>(_ core: some RawRepresentable<UInt8>) -> Wire
where Wire.RawValue == Int {
    Wire(rawValue: Int(core.rawValue)) ?? Wire()
}

/// The value with the number of `wire`, nil for a number this program does not know.
func coreEnum<Core: RawRepresentable<UInt8>>(_ wire: some RawRepresentable<Int>) -> Core? {
    UInt8(exactly: wire.rawValue).flatMap { Core(rawValue: $0) }
}

/// Like ``coreEnum(_:)`` where an unknown number cannot be tolerated.
func coreEnum<Core: RawRepresentable<UInt8>>(
    _ wire: some RawRepresentable<Int>, _ field: String
) throws(WireError) -> Core {
    guard let core: Core = coreEnum(wire) else {
        throw wire.rawValue > 0 ? .newerKind(field) : .unknownKind(field)
    }
    return core
}
