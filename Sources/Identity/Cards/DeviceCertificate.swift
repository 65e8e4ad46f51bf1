internal import CLibcrypto
internal import SyncCore

/// The device's self-signed TLS certificate. Peers look at its key and at nothing else, so it says
/// nothing else: the same name in every certificate, serial number 1, no dates that tell a story.
package struct DeviceCertificate: Sendable {
    /// X.509, DER.
    package let certificate: [UInt8]
    /// The Ed25519 private key as PKCS#8 (RFC 8410), DER.
    package let privateKey: [UInt8]

    /// The same keys give the same certificate at every start.
    package init(keys: DeviceKeys) {
        let key = CertificateKey(secret: keys.signingSecret)
        certificate = SelfSignedCertificate(of: key).encoded
        privateKey = key.encoded
    }
}

/// An Ed25519 private key of libcrypto.
@safe
private final class CertificateKey {
    let pointer: OpaquePointer

    init(secret: Bytes32) {
        unsafe pointer = made(
            EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nil, secret.bytes, secret.bytes.count))
    }

    deinit { unsafe EVP_PKEY_free(pointer) }

    /// PKCS#8, DER.
    var encoded: [UInt8] {
        let info = unsafe made(EVP_PKEY2PKCS8(pointer))
        defer { unsafe PKCS8_PRIV_KEY_INFO_free(info) }
        return unsafe encoding { unsafe i2d_PKCS8_PRIV_KEY_INFO(info, $0) }
    }
}

/// An X.509 version 3 certificate of libcrypto, without extensions.
@safe
private final class SelfSignedCertificate {
    private let pointer: OpaquePointer

    init(of key: CertificateKey) {
        unsafe pointer = made(X509_new())
        let name = unsafe made(X509_NAME_new())
        defer { unsafe X509_NAME_free(name) }
        let common = Array("peersync".utf8)
        // Version 3 is written as 2 (RFC 5280 section 4.1.2.1).
        succeed(unsafe X509_set_version(pointer, 2))
        succeed(unsafe ASN1_INTEGER_set(X509_get_serialNumber(pointer), 1))
        succeed(
            unsafe X509_NAME_add_entry_by_NID(
                name, NID_commonName, V_ASN1_UTF8STRING, common, Int32(common.count), -1, 0))
        succeed(unsafe X509_set_subject_name(pointer, name))
        succeed(unsafe X509_set_issuer_name(pointer, name))
        succeed(
            unsafe ASN1_TIME_set_string_X509(X509_getm_notBefore(pointer), Self.validFrom))
        succeed(unsafe ASN1_TIME_set_string_X509(X509_getm_notAfter(pointer), Self.validUntil))
        succeed(unsafe X509_set_pubkey(pointer, key.pointer))
        // Ed25519 hashes by itself, and the length of its signature comes back.
        succeed(unsafe X509_sign(pointer, key.pointer, nil))
    }

    deinit { unsafe X509_free(pointer) }

    /// DER.
    var encoded: [UInt8] { unsafe encoding { unsafe i2d_X509(pointer, $0) } }

    /// Before the wall clock of any machine that runs us, however wrong.
    private static let validFrom = "20000101000000Z"
    /// No expiry (RFC 5280 section 4.1.2.5).
    private static let validUntil = "99991231235959Z"
}

/// The bytes that one of libcrypto's encoders writes: it is asked for the length first.
private func encoding(
    _ encode: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32
) -> [UInt8] {
    let count = Int(encode(nil))
    precondition(count > 0, "libcrypto encoded nothing")
    return unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialised in
        var next = buffer.baseAddress
        initialised = unsafe Int(encode(&next))
    }
}

/// What libcrypto made, which it fails to only without memory.
private func made(_ pointer: OpaquePointer?) -> OpaquePointer {
    guard let pointer = unsafe pointer else { preconditionFailure("libcrypto has no memory") }
    return unsafe pointer
}

/// A step that libcrypto refuses only without memory.
private func succeed(_ result: Int32) {
    precondition(result > 0, "libcrypto has no memory for a certificate")
}
