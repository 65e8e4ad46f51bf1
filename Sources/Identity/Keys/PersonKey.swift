internal import Crypto
package import SyncCore

/// A person's recovery key (Ed25519): made at `init`, shown once, kept by the person and never by
/// us. It signs the card of the person's first device, and later whatever only the person may say.
package struct PersonKey: Sendable {
    private let signing: Curve25519.Signing.PrivateKey
    package let publicKey: Bytes32
    /// The person's first key, of which their id is the hash.
    package let firstKey: Bytes32
    /// How this one follows from it; none where it is the first.
    package let successions: [KeySuccession]

    /// A key from the system's randomness.
    package static func generate() -> PersonKey {
        PersonKey(signing: Curve25519.Signing.PrivateKey())
    }

    /// The key whose private half a person typed in.
    package init(recoveryText: some StringProtocol) throws(RecoveryKeyError) {
        let typed = try RecoveryKeyText.parse(recoveryText)
        let secret = typed.secret.bytes
        guard let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: secret) else {
            throw .checksumMismatch
        }
        self.init(signing: key, firstKey: typed.firstKey, typed.successions(to: key.publicBytes))
        guard KeyExchangeVerifier().lastKey(successions, after: firstKey) == publicKey else {
            throw .checksumMismatch
        }
    }

    /// The key whose private half is these 32 bytes; nil when the library refuses them.
    package init?(secret: Bytes32) {
        guard let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: secret.bytes) else {
            return nil
        }
        self.init(signing: key)
    }

    private init(
        signing: Curve25519.Signing.PrivateKey, firstKey: Bytes32? = nil,
        _ successions: [KeySuccession] = []
    ) {
        self.signing = signing
        publicKey = signing.publicBytes
        self.firstKey = firstKey ?? publicKey
        self.successions = successions
    }

    /// The key that follows this one, new from the system's randomness; nil after the last that there may be.
    package func successor() -> PersonKey? { successor(Curve25519.Signing.PrivateKey()) }

    /// The same, whose private half is these 32 bytes.
    package func successor(secret: Bytes32) -> PersonKey? {
        (try? Curve25519.Signing.PrivateKey(rawRepresentation: secret.bytes))
            .flatMap { successor($0) }
    }

    private func successor(_ next: Curve25519.Signing.PrivateKey) -> PersonKey? {
        guard successions.count < Limits.keySuccessions else { return nil }
        let message = KeySuccession.message(person, next.publicBytes)
        let succession = KeySuccession(
            key: next.publicBytes, signature: sign(.keySuccession, message))
        return PersonKey(signing: next, firstKey: firstKey, successions + [succession])
    }

    package var person: PersonID { PersonID(key: firstKey) }

    /// The key as statements name it: nil where it is the person's first.
    package var exchangedKey: Bytes32? { successions.isEmpty ? nil : publicKey }

    /// The private half in the form people write down; see ``RecoveryKeyText``.
    package var recoveryText: String {
        RecoveryKeyText.text(
            RecoveryKeyContent(
                secret: exactly32(signing.rawRepresentation),
                firstKey: successions.isEmpty ? nil : firstKey, successions))
    }

    /// An Ed25519 signature, 64 bytes, over `label ‖ 0 ‖ message`.
    package func sign(_ label: Label, _ message: [UInt8]) -> [UInt8] {
        signature(over: label.framing(message), by: signing)
    }
}

extension Curve25519.Signing.PrivateKey {
    fileprivate var publicBytes: Bytes32 { exactly32(publicKey.rawRepresentation) }
}
