/// A place to dial: a host name or numeric address, and a TCP port.
package struct HostPort: Hashable, Sendable, CustomStringConvertible {
    /// A DNS name, an IPv4 or an IPv6 address without brackets; a link-local one with its scope, as
    /// in `fe80::1%eth0`.
    package let host: String
    package let port: UInt16

    /// For hosts that come from the system in the right shape.
    package init(host: String, port: UInt16) { (self.host, self.port) = (host, port) }

    /// `host:port`, with brackets around an IPv6 address; `init(parsing:defaultPort:)` reads it.
    package var description: String {
        host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}
