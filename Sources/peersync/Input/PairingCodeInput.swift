/// Checks whether a text can be a pairing code or link, before anything is sent: each code works
/// only once.
package enum PairingCodeInput {
    /// Enough for the longest nameplate and code with separators, and for a link with a long
    /// address.
    private static let longest = 500

    /// Whether the text has the form of a code or link.
    package static func isPlausible(_ text: String) -> Bool {
        guard text.utf8.count <= longest else { return false }
        if text.hasPrefix("peersync:") { return true }
        let digits = text.count { $0.isASCII && $0.isNumber }
        return (9...12).contains(digits)
            && text.allSatisfy { $0.isASCII && ($0.isNumber || "- ".contains($0)) }
    }
}
