package import SyncCore

/// Makes text from other devices safe to print: removes characters that control a terminal, or disguise how
/// text reads. The records keep every byte.
package enum ShownText {
    /// One line: a name or a title, or the name of a file as people read it.
    package static func line(_ text: String) -> String {
        cleaned(FileNameText.readable(text)) { scalar in
            isBreak(scalar) ? " " : isHarmful(scalar) ? nil : scalar
        }
    }

    /// The name of a person or device for others: one line of at most ``Limits/shownNameLength``
    /// characters, trimmed, without invisible ones; empty when nothing remains.
    package static func name(_ text: String) -> String {
        var seen = String(
            String.UnicodeScalarView(
                line(String(text.prefix(4 * Limits.shownNameLength))).unicodeScalars
                    .filter { !isInvisible($0) }))
        while seen.last?.isWhitespace == true { seen.removeLast() }
        while seen.first?.isWhitespace == true { seen.removeFirst() }
        guard seen.count > Limits.shownNameLength else { return seen }
        return seen.prefix(Limits.shownNameLength - 1) + "\u{2026}"
    }

    /// Several lines; line breaks and tabs stay.
    package static func lines(_ text: String) -> String {
        cleaned(text) { scalar in
            scalar == "\n" || scalar == "\t" || !isHarmful(scalar) ? scalar : nil
        }
    }

    /// Whether a name has only characters that may be shown.
    package static func isClean(_ name: String) -> Bool {
        !name.unicodeScalars.contains { isHarmful($0) }
    }

    /// Whether a name can be shown to people: clean, not empty, and not too long.
    static func isName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= Limits.nameBytes && isClean(name)
    }

    private static func cleaned(
        _ text: String, _ replace: (Unicode.Scalar) -> Unicode.Scalar?
    ) -> String {
        guard text.unicodeScalars.contains(where: { isHarmful($0) }) else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.compactMap(replace)))
    }

    /// Characters with which a name looks like another one, or empty: invisible ones (except for joiner and
    /// variation of emoji), fillers, and Braille's blank.
    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x200D, 0xFE0F: false
        case 0x2800, 0x3164, 0xFFA0, 0x115F, 0x1160: true
        default: scalar.properties.isDefaultIgnorableCodePoint
        }
    }

    private static func isBreak(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\n" || scalar == "\t" || scalar == "\u{2028}" || scalar == "\u{2029}"
    }

    /// Control characters and line separators; overrides, embeddings and isolates of direction (Unicode
    /// Standard Annex 9), which plain text does not need.
    private static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}

extension Limits {
    /// Characters to show of a person's or device's name.
    package static let shownNameLength = 32
}
