/// What a connection is for, named in TLS by ALPN.
package enum ApplicationProtocol: String, CaseIterable, Sendable {
    /// Between devices that trust each other.
    case session = "peersync/1"
    /// Between devices that do not yet.
    case pairing = "peersync-pair/1"
}
