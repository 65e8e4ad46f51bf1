internal import Crypto
package import SyncCore

/// A person's recovery key (Ed25519): made at `init`, shown once, kept by the person and never by
/// us. It signs the card of the person's first device, and later whatever only the person may say.
package struct PersonKey: Sendable {
    private let signing: Curve25519.Signing.PrivateKey
    package let publicKey: Bytes32

    /// A key from the system's randomness.
    package static func generate() -> PersonKey {
        PersonKey(signing: Curve25519.Signing.PrivateKey())
    }

    /// The key whose private half a person typed in.
    package init(recoveryText: some StringProtocol) throws(RecoveryKeyError) {
        let secret = try RecoveryKeyText.parse(recoveryText)
        guard let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: secret.bytes) else {
            throw .checksumMismatch
        }
        self.init(signing: key)
    }

    /// The key whose private half is these 32 bytes; nil when the library refuses them.
    package init?(secret: Bytes32) {
        guard let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: secret.bytes) else {
            return nil
        }
        self.init(signing: key)
    }

    private init(signing: Curve25519.Signing.PrivateKey) {
        self.signing = signing
        publicKey = exactly32(signing.publicKey.rawRepresentation)
    }

    package var person: PersonID { PersonID(sha256(publicKey.bytes)) }

    /// The private half in the form people write down; see ``RecoveryKeyText``.
    package var recoveryText: String {
        RecoveryKeyText.text(of: exactly32(signing.rawRepresentation))
    }

    /// An Ed25519 signature, 64 bytes, over `label ‖ 0 ‖ message`.
    package func sign(_ label: Label, _ message: [UInt8]) -> [UInt8] {
        signature(over: label.framing(message), by: signing)
    }
}
