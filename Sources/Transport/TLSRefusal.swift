internal import NIOSSL

/// Whether a TLS error is the peer's alert that it does not accept our certificate. The alert is
/// encrypted with the handshake's keys, so nobody in between can forge it.
enum TLSRefusal {
    /// BoringSSL's texts for the alerts about certificates (RFC 8446, section 6.2). NIOSSL does not
    /// expose error numbers.
    private static let alerts = [
        "ALERT_CERTIFICATE_UNKNOWN", "ALERT_BAD_CERTIFICATE", "ALERT_UNKNOWN_CA",
        "ALERT_ACCESS_DENIED",
    ]

    static func isOne(_ error: any Error) -> Bool {
        let text = "\(error)"
        return (error is NIOSSLError || error is BoringSSLError)
            && alerts.contains { text.contains($0) }
    }
}
