internal import SyncCore

/// The name under which one run of peersync is advertised: eight random letters that reveal nothing
/// about the device or person, so that a network cannot track either from day to day.
package enum InstanceName {
    private static let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567")
    private static let letterCount = 8

    package static func random() -> String {
        String((0..<letterCount).map { _ in alphabet[Int.random(in: 0..<alphabet.count)] })
    }

    /// Whether a name from the network may be shown and logged. No peersync chooses control
    /// characters or the like: such a name comes from an attacker.
    package static func isAcceptable(_ name: String) -> Bool {
        (1...Limits.instanceNameBytes).contains(name.utf8.count)
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                    UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }
}
