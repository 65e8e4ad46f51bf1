/// The name of a file as a record holds it: text, from which also bytes that are no UTF-8 can be had back.
///
/// Such a byte is the character that people most likely read there, that of ISO 8859-1 or `_` below 0xA0, and
/// behind it a tag character (U+E0020 to U+E007F), which shows nothing and says that the byte stood there.
package enum FileNameText {
    private static let firstTag: UInt32 = 0xE0020
    /// The first byte that ISO 8859-1 has a visible character for.
    private static let firstVisible: UInt8 = 0xA0

    package static func text(of name: some Collection<UInt8>) -> String {
        let bytes = Array(name)
        var scalars = String.UnicodeScalarView()
        var (parser, iterator, position) = (Unicode.UTF8.ForwardParser(), bytes.makeIterator(), 0)
        while true {
            switch parser.parseScalar(from: &iterator) {
            case .valid(let encoded):
                scalars.append(Unicode.UTF8.decode(encoded))
                position += encoded.count
            case .error(let length):
                for byte in bytes[position..<position + length] {
                    scalars.append(character(of: byte))
                    if let tag = tag(of: byte) { scalars.append(tag) }
                }
                position += length
            case .emptyInput: return String(scalars)
            }
        }
    }

    /// The name as its file system had it.
    package static func bytes(of text: String) -> [UInt8] {
        parts(of: text).flatMap { scalar, byte in
            byte.map { [$0] } ?? Array(String(scalar).utf8)
        }
    }

    /// The name as people read it; all other text is as it was.
    package static func readable(_ text: String) -> String {
        // All tag characters begin with this byte of UTF-8.
        guard text.utf8.contains(0xF3) else { return text }
        return String(String.UnicodeScalarView(parts(of: text).map(\.scalar)))
    }

    /// Without tags; `byte` is the one that stood where a character with its tag stands.
    private static func parts(of text: String) -> [(scalar: Unicode.Scalar, byte: UInt8?)] {
        var parts: [(scalar: Unicode.Scalar, byte: UInt8?)] = []
        for scalar in text.unicodeScalars {
            if let last = parts.last, last.byte == nil,
                let byte = byte(at: last.scalar, with: scalar)
            {
                parts[parts.count - 1].byte = byte
            } else {
                parts.append((scalar, nil))
            }
        }
        return parts
    }

    private static func character(of byte: UInt8) -> Unicode.Scalar {
        byte < firstVisible ? "_" : Unicode.Scalar(byte)
    }

    private static func tag(of byte: UInt8) -> Unicode.Scalar? {
        let first: UInt8 = byte < firstVisible ? 0x80 : firstVisible
        return byte < 0x80 ? nil : Unicode.Scalar(firstTag + UInt32(byte - first))
    }

    private static func byte(
        at character: Unicode.Scalar, with tag: Unicode.Scalar
    ) -> UInt8? {
        guard tag.value >= firstTag, tag.value < firstTag + 96 else { return nil }
        let offset = UInt8(tag.value - firstTag)
        let byte = offset &+ (character == "_" ? 0x80 : firstVisible)
        return self.character(of: byte) == character && self.tag(of: byte) == tag ? byte : nil
    }
}
