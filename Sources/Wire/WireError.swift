/// Why bytes are no value of this protocol version. The text names the field as peersync.proto does.
package enum WireError: Error, Hashable, Sendable {
    /// Not the serialized form of the message that is expected here.
    case malformed(String)
    /// A version of a header or a card that this program does not know.
    case version(UInt32)
    case missing(String)
    /// A hash, key, id or signature of the wrong number of bytes.
    case wrongLength(String)
    /// A list with more entries than ``Limits`` allows.
    case tooMany(String)
    /// A text or a message of more bytes than ``Limits`` allows.
    case tooLong(String)
    case outOfRange(String)
    /// No enumeration value, where there has to be one.
    case unknownKind(String)
    /// An enumeration value that this program does not know, where it has to.
    case newerKind(String)
    /// A body part is not the one that its header names.
    case wrongHash(String)
    /// Fields that cannot stand together, for example a genesis at sequence 2.
    case contradiction(String)

    /// Whether only a newer program reads these bytes: nobody need have broken anything.
    package var isOfNewerVersion: Bool {
        switch self {
        case .version(let version): version > 0
        case .newerKind: true
        case .malformed, .missing, .wrongLength, .tooMany, .tooLong, .outOfRange, .unknownKind,
            .wrongHash, .contradiction:
            false
        }
    }
}
