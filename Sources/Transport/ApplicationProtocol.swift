/// The purpose of a connection, named in TLS by ALPN.
package enum ApplicationProtocol: String, CaseIterable, Sendable {
    /// Between devices that trust each other.
    case session = "peersync/1"
    /// Between devices that do not trust each other yet.
    case pairing = "peersync-pair/1"
}
