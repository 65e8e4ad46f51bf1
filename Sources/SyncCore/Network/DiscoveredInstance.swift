/// A peersync that advertises itself on the network. Nothing here is authenticated: who it is shows
/// only when it is dialled.
package struct DiscoveredInstance: Hashable, Sendable {
    /// Its instance name: random, new at each of its starts; a-z, 0-9 and dashes.
    package let name: String
    /// Where it listens, at least one; IPv4 first, IPv6 link-local addresses with their scope.
    package let addresses: [HostPort]
    /// The newest protocol version it speaks.
    package let protocolVersion: Int
    /// Set while pairing is open there: which code to type is shown on its screen.
    package let nameplate: String?

    package init(name: String, addresses: [HostPort], protocolVersion: Int, nameplate: String?) {
        (self.name, self.addresses) = (name, addresses)
        (self.protocolVersion, self.nameplate) = (protocolVersion, nameplate)
    }
}
