internal import LocalAPI

/// The little of YAML that schemas are written in: mappings whose keys are words.
///
/// The library compares the keys of a mapping, and looks at each again for that. Keys that are
/// mappings or lists themselves, and names for such pieces used again and again, let a few lines take
/// it hours; so whatever could be one is refused before, in comments and texts too.
enum SchemaText {
    /// Throws ``SchemaLoader/Mistake`` with the line of what no schema needs.
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
                    line: line, path: "", reason: tr("a schema does without \(sign)"))
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

    /// Behind a letter or digit a sign is a part of a word.
    private static func isWord(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
