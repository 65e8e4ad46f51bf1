internal import Identity
internal import NIOSSL
internal import SyncCore

/// Reads the only part of a peer's certificate that counts: its key.
///
/// Names, dates and extensions are ignored: TLS has proved that the peer holds the private key.
enum PeerCertificate {
    /// The certificate's Ed25519 public key, or nil for any other kind of key.
    static func key(of certificate: NIOSSLCertificate) -> Bytes32? {
        // The handshake has parsed this key before, so extracting it cannot fail.
        guard let info = try? certificate.extractPublicKey().toSPKIBytes() else { return nil }
        return Ed25519SPKI.key(fromSPKI: info)
    }
}
