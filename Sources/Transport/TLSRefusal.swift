internal import NIOSSL

/// Whether an error of TLS is the other side's word that it does not accept our certificate. It comes
/// encrypted with the keys of the handshake, so nobody in between has made it up.
enum TLSRefusal {
    /// What BoringSSL calls the alerts about certificates (RFC 8446, section 6.2). Its errors have
    /// no numbers that NIOSSL shows.
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
