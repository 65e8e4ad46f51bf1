package import SyncCore

/// The public key in a certificate, as SubjectPublicKeyInfo.
package enum Ed25519SPKI {
    /// SEQUENCE { SEQUENCE { OID 1.3.101.112 }, BIT STRING of 33 bytes }, RFC 8410 section 4.
    private static let header: [UInt8] = [
        0x30, 0x2A, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x03, 0x21, 0x00,
    ]

    /// The Ed25519 key in `spki`; nil for every other kind of key and every other encoding.
    package static func key(fromSPKI spki: [UInt8]) -> Bytes32? {
        guard spki.count == header.count + Bytes32.byteCount, spki.starts(with: header) else {
            return nil
        }
        return Bytes32(spki.dropFirst(header.count))
    }
}
