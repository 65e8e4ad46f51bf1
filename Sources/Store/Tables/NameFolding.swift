internal import Foundation
internal import SyncCore

/// Names as people compare them: the same whatever the case, the way accents are composed, or
/// blanks around them.
package enum NameFolding {
    package static func fold(_ name: String) -> String {
        if let folded = foldedASCII(name) {
            Invariants.check(
                folded.utf8.elementsEqual(foldedUnicode(name).utf8),
                "a name is folded in two ways")
            return folded
        }
        return foldedUnicode(name)
    }

    private static func foldedUnicode(_ name: String) -> String {
        name.precomposedStringWithCanonicalMapping.lowercased()
            .precomposedStringWithCanonicalMapping.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    package static func areEqual(_ one: String, _ other: String) -> Bool {
        fold(one).utf8.elementsEqual(fold(other).utf8)
    }

    /// The same for most names, a hundred times as fast; nil for those with other letters.
    private static func foldedASCII(_ name: String) -> String? {
        let bytes = name.utf8
        guard bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
        let isBlank = { (byte: UInt8) in byte == 0x20 || (0x09...0x0D).contains(byte) }
        var folded = bytes.drop(while: isBlank).map { byte in
            (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
        }
        while let last = folded.last, isBlank(last) { folded.removeLast() }
        return String(decoding: folded, as: UTF8.self)
    }
}

/// What the index of `records.name` holds: the beginning of a folded name, in UTF-8; behind
/// ``unusual`` when the name is not shown as it is written.
package enum NameKey {
    /// Bytes of it: longer names are told apart by looking at them.
    private static let length = 48
    /// No folded name begins with it.
    static let unusual: UInt8 = 0

    /// Nil for a name of nothing but blanks.
    package static func key(of name: String) -> [UInt8]? {
        // Folding makes no name much shorter.
        let folded = NameFolding.fold(String(name.prefix(2 * length)))
        guard !folded.isEmpty else { return nil }
        let key = Array(folded.utf8.prefix(length))
        return isPlain(folded) ? key : [unusual] + key
    }

    /// Whether none of its characters could be left out or replaced when it is shown.
    private static func isPlain(_ name: String) -> Bool {
        if name.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return true }
        return name.unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: false
            default: true
            }
        }
    }
}
