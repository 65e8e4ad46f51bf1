package import SyncCore

/// Text of other devices made fit to show: what could drive a terminal, or make text read other
/// than it is written, is left out. The records keep every byte.
package enum ShownText {
    /// One line: a name or a title, or the name of a file as people read it.
    package static func line(_ text: String) -> String {
        cleaned(FileNameText.readable(text)) { scalar in
            isBreak(scalar) ? " " : isHarmful(scalar) ? nil : scalar
        }
    }

    /// The name of a person or device, as others see it: one line of at most ``Limits/shownNameLength``
    /// characters, without blanks around it or what cannot be seen; empty when nothing is left.
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

    /// Whether a name holds something that is never shown.
    package static func isClean(_ name: String) -> Bool {
        !name.unicodeScalars.contains { isHarmful($0) }
    }

    /// Whether a name is one that people can be shown: not empty, and not too long.
    static func isName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= Limits.nameBytes && isClean(name)
    }

    private static func cleaned(
        _ text: String, _ replace: (Unicode.Scalar) -> Unicode.Scalar?
    ) -> String {
        guard text.unicodeScalars.contains(where: { isHarmful($0) }) else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.compactMap(replace)))
    }

    /// What leaves a name looking like another one, or like none: characters that show nothing (but the
    /// joiner and the variation of emoji), fillers, and Braille's blank.
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

    /// Control characters and line separators; overrides, embeddings and isolates of direction
    /// (Unicode Standard Annex 9), which plain text needs no more than it needs escape sequences.
    private static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}

extension Limits {
    /// Characters of a person's or device's name that are shown.
    package static let shownNameLength = 32
}
