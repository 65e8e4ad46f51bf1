internal import LocalAPI

/// The subset of YAML for schemas: mappings whose keys are words.
///
/// The library compares all keys of a mapping with each other. With keys that are mappings or lists
/// themselves, and repeated aliases for them, a few lines keep it busy for hours. So everything that could
/// be one is refused before parsing, even in comments and texts.
enum SchemaText {
    /// Throws ``SchemaLoader/Mistake`` with the line of an unsupported construct.
    static func check(_ document: [UInt8]) throws(SchemaLoader.Mistake) {
        var line = 1
        var previous = UInt8(ascii: "\n")
        var visible = previous
        for byte in document {
            switch byte {
            case UInt8(ascii: "&") where !isWord(previous),
                UInt8(ascii: "?") where !isWord(previous), UInt8(ascii: "["):
                let sign = Character(Unicode.Scalar(byte))
                throw SchemaLoader.Mistake(
                    line: line, path: "", reason: tr("a schema may not contain \(sign)"))
            case UInt8(ascii: "{") where visible != UInt8(ascii: ":"):
                throw SchemaLoader.Mistake(
                    line: line, path: "", reason: tr("{ stands behind the : of a name"))
            case UInt8(ascii: "\n"): line += 1
            default: break
            }
            previous = byte
            if byte > UInt8(ascii: " ") { visible = byte }
        }
    }

    /// After a letter or digit, a sign is a part of a word.
    private static func isWord(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
