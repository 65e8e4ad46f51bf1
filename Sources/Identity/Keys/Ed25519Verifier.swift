internal import Crypto
package import SyncCore

/// Verifies signatures with the library's Ed25519 (RFC 8032).
package struct Ed25519Verifier: SignatureVerifying {
    /// Bytes of one signature.
    package static let signatureByteCount = 64

    package init() {}

    package func isValid(signature: [UInt8], over message: [UInt8], by key: Bytes32) -> Bool {
        guard signature.count == Ed25519Verifier.signatureByteCount,
            let publicKey = try? Curve25519.Signing.PublicKey(rawRepresentation: key.bytes)
        else { return false }
        return publicKey.isValidSignature(signature, for: message)
    }
}
