/// What can be a pairing code or link at all: told before anything is sent, because each code works
/// only once.
package enum PairingCodeInput {
    /// The longest nameplate and code with separators, and a link with a long address.
    private static let longest = 500

    /// Whether it is worth asking the agent: a code by its form, or a link.
    package static func isPlausible(_ text: String) -> Bool {
        guard text.utf8.count <= longest else { return false }
        if text.hasPrefix("peersync:") { return true }
        let digits = text.count { $0.isASCII && $0.isNumber }
        return (9...12).contains(digits)
            && text.allSatisfy { $0.isASCII && ($0.isNumber || "- ".contains($0)) }
    }
}
