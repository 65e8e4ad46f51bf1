/// Marks for bold, faint and coloured text. They are noncharacters of Unicode, which ``Output``
/// converts to escape sequences or removes; escape sequences in foreign text are removed as well.
package enum Style: UInt32, CaseIterable {
    case bold = 0xFDD0
    case faint = 0xFDD1
    case green = 0xFDD2
    case yellow = 0xFDD3
    case red = 0xFDD4
    case plain = 0xFDDF

    /// `text` in this style.
    package func callAsFunction(_ text: String) -> String {
        Style.mark(self) + text + Style.mark(.plain)
    }

    /// ECMA-48, select graphic rendition.
    var escapeSequence: String {
        switch self {
        case .bold: "\u{1B}[1m"
        case .faint: "\u{1B}[2m"
        case .green: "\u{1B}[32m"
        case .yellow: "\u{1B}[33m"
        case .red: "\u{1B}[31m"
        case .plain: "\u{1B}[0m"
        }
    }

    private static func mark(_ style: Style) -> String {
        Unicode.Scalar(style.rawValue).map { String($0) } ?? ""
    }
}
