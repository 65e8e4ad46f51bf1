internal import Crypto
internal import FoundationEssentials
internal import SwiftASN1
internal import SyncCore
internal import X509

/// The device's self-signed TLS certificate. Peers look at its key and at nothing else, so it says
/// nothing else: the same name in every certificate, serial number 1, no dates that tell a story.
package struct DeviceCertificate: Sendable {
    /// X.509, DER.
    package let certificate: [UInt8]
    /// The Ed25519 private key as PKCS#8 (RFC 8410), DER.
    package let privateKey: [UInt8]

    /// The same keys give the same certificate at every start.
    package init(keys: DeviceKeys) throws {
        let signing = try Curve25519.Signing.PrivateKey(rawRepresentation: keys.signingSecret.bytes)
        let key = Certificate.PrivateKey(signing)
        let name = try DistinguishedName { CommonName("peersync") }
        let certificate = try Certificate(
            version: .v3,
            serialNumber: Certificate.SerialNumber(UInt8(1)),
            publicKey: key.publicKey,
            notValidBefore: DeviceCertificate.validFrom,
            notValidAfter: DeviceCertificate.validUntil,
            issuer: name,
            subject: name,
            signatureAlgorithm: .ed25519,
            extensions: Certificate.Extensions(),
            issuerPrivateKey: key)
        var serializer = DER.Serializer()
        try serializer.serialize(certificate)
        self.certificate = serializer.serializedBytes
        privateKey = try key.serializeAsPEM().derBytes
    }

    /// 2000-01-01T00:00:00Z: before the wall clock of any machine that runs us, however wrong.
    private static let validFrom = Date(timeIntervalSince1970: 946_684_800)
    /// 9999-12-31T23:59:59Z: no expiry, RFC 5280 section 4.1.2.5.
    private static let validUntil = Date(timeIntervalSince1970: 253_402_300_799)
}
