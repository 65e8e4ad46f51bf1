import Discovery
import SyncCore

/// The addresses under which others on the network reach this computer.
enum LocalAddresses {
    /// IPv4 first, as people can type it; then IPv6 addresses that are not link-local, whose scope
    /// would mean nothing elsewhere. At most ``Limits/addressesShown``.
    static func current() -> [String] {
        let all = NetworkAddress.current().map(\.address).filter { !$0.contains("%") }
        let ordered = all.filter { !$0.contains(":") } + all.filter { $0.contains(":") }
        return Array(ordered.prefix(Limits.addressesShown))
    }
}

extension Limits {
    /// Own addresses that are shown to a person who pairs.
    package static let addressesShown = 4
}
