/// The width of text in terminal columns.
package enum TextWidth {
    package static func columns(_ text: String) -> Int {
        text.reduce(0) { $0 + columns($1) }
    }

    /// The start of `text` that fits into `limit` columns, with an ellipsis if text is cut.
    static func fitted(_ text: String, to limit: Int) -> String {
        guard columns(text) > limit else { return text }
        var fitted = ""
        var used = 0
        for character in text {
            let width = columns(character)
            guard used + width < limit else { break }
            fitted.append(character)
            used += width
        }
        return fitted + "\u{2026}"
    }

    /// 0 for style marks, 2 for characters that East Asian and emoji fonts draw wide (Unicode TR
    /// 11), else 1.
    private static func columns(_ character: Character) -> Int {
        guard let scalar = character.unicodeScalars.first else { return 0 }
        if Style(rawValue: scalar.value) != nil { return 0 }
        if scalar.properties.isEmojiPresentation { return 2 }
        if character.unicodeScalars.contains("\u{FE0F}") { return 2 }
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
            0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
            return 2
        default:
            switch scalar.properties.generalCategory {
            case .nonspacingMark, .enclosingMark, .format: return 0
            default: return 1
            }
        }
    }
}
