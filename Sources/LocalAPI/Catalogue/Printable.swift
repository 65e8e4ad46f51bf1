/// Makes text of unknown origin safe to show in one line of a terminal: names come from other
/// people's devices, and an escape sequence or a line break in one could fake what the program
/// says.
package enum Printable {
    /// Longest name that is shown whole, in characters.
    private static let longest = 200

    /// One line without control characters, invisible direction marks and private styles. With `isWhole`,
    /// its length is not limited.
    package static func line(_ text: String, isWhole: Bool = false) -> String {
        var clean = String.UnicodeScalarView()
        for scalar in text.unicodeScalars.prefix(isWhole ? .max : longest * 8) {
            switch scalar.value {
            case 0x09, 0x0A, 0x0D: clean.append(" ")
            case _ where isDangerous(scalar): clean.append("\u{FFFD}")
            default: clean.append(scalar)
            }
        }
        let line = String(clean)
        return isWhole || line.count <= longest ? line : line.prefix(longest - 1) + "\u{2026}"
    }

    /// The same for a text of several lines, which keeps its line breaks and its length.
    package static func paragraph(_ text: String) -> String {
        var clean = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            let isBreak = scalar == "\n" || scalar == "\t"
            clean.append(isDangerous(scalar) && !isBreak ? "\u{FFFD}" : scalar)
        }
        return String(clean)
    }

    /// Control characters (C0, DEL, C1), line and paragraph separators, direction marks that
    /// reorder what follows, and noncharacters.
    private static func isDangerous(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x00...0x1F, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069, 0xFDD0...0xFDEF: true
        default: false
        }
    }
}
