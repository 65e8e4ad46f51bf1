/// The certificate that this device shows, with its private key.
package struct TLSIdentity: Sendable {
    /// A self-signed X.509 certificate of the device's Ed25519 key.
    package let certificateDER: [UInt8]
    /// The private key, PKCS #8.
    package let privateKeyPKCS8DER: [UInt8]

    package init(certificateDER: [UInt8], privateKeyPKCS8DER: [UInt8]) {
        (self.certificateDER, self.privateKeyPKCS8DER) = (certificateDER, privateKeyPKCS8DER)
    }
}
