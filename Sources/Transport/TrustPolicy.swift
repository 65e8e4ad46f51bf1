package import SyncCore

/// Decides which devices this one talks to.
///
/// Called on the event loop, at least twice for every handshake and whenever
/// `Endpoint.closeUntrusted()` is called, so the answer must be fast, from memory and up to date.
package protocol TrustPolicy: Sendable {
    /// Whether the device with this Ed25519 public key may open a connection of this kind.
    func admits(_ key: Bytes32, _ application: ApplicationProtocol) -> Bool
}

/// Admits every device: for the pairing connection that this side dials, where the code decides.
package struct AdmitAnyone: TrustPolicy {
    package init() {}

    package func admits(_ key: Bytes32, _ application: ApplicationProtocol) -> Bool { true }
}
