internal import SyncCore

/// What may stand where a person's or device's name is shown.
package enum PairingName {
    /// Whether `name` has 1 to ``Limits/nameBytes`` bytes and none of the characters that could
    /// make a terminal or a sentence around it say something else.
    package static func isAcceptable(_ name: String) -> Bool {
        (1...Limits.nameBytes).contains(name.utf8.count)
            && name.unicodeScalars.allSatisfy { !isDeceptive($0) }
            && !name.unicodeScalars.allSatisfy { $0.properties.isWhitespace }
    }

    private static func isDeceptive(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        // Of the format characters only those that turn the direction of what follows; emoji need
        // the others.
        default:
            ("\u{202A}"..."\u{202E}").contains(scalar) || ("\u{2066}"..."\u{2069}").contains(scalar)
        }
    }
}
