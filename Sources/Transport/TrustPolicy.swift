package import SyncCore

/// Says with which devices this one talks.
///
/// Asked on the event loop, for every handshake at least twice and whenever
/// `Endpoint.closeUntrusted()` is called, so an answer must be quick, from memory, and the newest.
package protocol TrustPolicy: Sendable {
    /// Whether the device with this Ed25519 public key may open a connection of this kind.
    func admits(_ key: Bytes32, _ application: ApplicationProtocol) -> Bool
}

/// Admits every device: for the pairing connection that this side dials, where the code decides.
package struct AdmitAnyone: TrustPolicy {
    package init() {}

    package func admits(_ key: Bytes32, _ application: ApplicationProtocol) -> Bool { true }
}
