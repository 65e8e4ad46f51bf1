internal import Identity
internal import NIOSSL
internal import SyncCore

/// Reads the one thing that counts in a peer's certificate.
///
/// Names, dates and extensions say nothing here: a certificate is a wrapping around a key, and
/// TLS has proved that the peer holds the private half.
enum PeerCertificate {
    /// The certificate's Ed25519 public key, or nil for any other kind of key.
    static func key(of certificate: NIOSSLCertificate) -> Bytes32? {
        // The handshake has parsed this key before, so extracting it cannot come out empty.
        guard let info = try? certificate.extractPublicKey().toSPKIBytes() else { return nil }
        return Ed25519SPKI.key(fromSPKI: info)
    }
}
