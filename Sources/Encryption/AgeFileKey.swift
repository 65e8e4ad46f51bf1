internal import Crypto
internal import Foundation

/// The 16 secret bytes of one file: they prove its header and encrypt its payload.
struct AgeFileKey {
    static let byteCount = 16

    let bytes: [UInt8]

    /// HMAC over the header.
    func code(over header: [UInt8]) -> [UInt8] {
        let key = derive(salt: [], purpose: "header")
        return Array(HMAC<SHA256>.authenticationCode(for: header, using: key))
    }

    func proves(_ header: AgeHeader) -> Bool {
        let key = derive(salt: [], purpose: "header")
        return HMAC<SHA256>.isValidAuthenticationCode(
            header.code, authenticating: header.covered, using: key)
    }

    func payloadKey(nonce: [UInt8]) -> SymmetricKey { derive(salt: nonce, purpose: "payload") }

    private func derive(salt: [UInt8], purpose: String) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: bytes), salt: salt, info: Array(purpose.utf8),
            outputByteCount: 32)
    }

    // MARK: X25519 stanzas

    private static let stanzaType = "X25519"
    private static let purpose = Array("age-encryption.org/v1/X25519".utf8)

    /// Wraps the file key for a recipient. `ephemeral` is 32 secret bytes that no other file may use for
    /// the same recipient.
    func stanza(
        for recipient: AgeRecipient, ephemeral: [UInt8]
    ) throws(AgeError) -> AgeStanza {
        do {
            let secret = try Curve25519.KeyAgreement.PrivateKey(rawRepresentation: ephemeral)
            let share = Array(secret.publicKey.rawRepresentation)
            let key = try Self.wrappingKey(secret, recipient.publicKey, share, recipient)
            let box = try ChaChaPoly.seal(bytes, using: key, nonce: .zero())
            return AgeStanza(
                arguments: [Self.stanzaType, Base64.encode(share)],
                body: Array(box.ciphertext + box.tag))
        } catch {
            // The recipient is a point of low order, or the ephemeral secret is invalid.
            throw .malformedKey
        }
    }

    /// Unwraps the file key with one of the identities.
    static func open(
        _ stanzas: [AgeStanza], with identities: [AgeIdentity]
    ) throws(AgeError) -> AgeFileKey {
        var found: AgeFileKey?
        // Every stanza is checked, so that a malformed one is refused no matter which identity fits.
        for stanza in stanzas where stanza.arguments.first == stanzaType {
            guard stanza.arguments.count == 2, let share = Base64.decode(stanza.arguments[1][...]),
                share.count == 32, stanza.body.count == byteCount + 16
            else { throw .malformedHeader }
            for identity in identities {
                let key = try open(stanza.body, share, with: identity)
                found = found ?? key
            }
        }
        guard let found else { throw .noMatch }
        return found
    }

    private static func open(
        _ body: [UInt8], _ share: [UInt8], with identity: AgeIdentity
    ) throws(AgeError) -> AgeFileKey? {
        let key: SymmetricKey
        do {
            let secret = try Curve25519.KeyAgreement.PrivateKey(
                rawRepresentation: identity.privateKey)
            key = try wrappingKey(secret, share, share, identity.recipient)
        } catch {
            // With a share of low order everybody would know the shared secret.
            throw .malformedHeader
        }
        guard
            let box = try? ChaChaPoly.SealedBox(
                nonce: .zero(), ciphertext: body.dropLast(16), tag: body.suffix(16)),
            // The stanza is for another identity.
            let bytes = try? ChaChaPoly.open(box, using: key)
        else { return nil }
        return AgeFileKey(bytes: Array(bytes))
    }

    private static func wrappingKey(
        _ secret: Curve25519.KeyAgreement.PrivateKey, _ other: [UInt8], _ share: [UInt8],
        _ recipient: AgeRecipient
    ) throws -> SymmetricKey {
        let shared = try secret.sharedSecretFromKeyAgreement(
            with: Curve25519.KeyAgreement.PublicKey(rawRepresentation: other))
        // A point of low order makes the secret zero for every key; the library does not check that.
        guard unsafe shared.withUnsafeBytes({ unsafe $0.contains { $0 != 0 } }) else {
            throw AgeError.malformedKey
        }
        return shared.hkdfDerivedSymmetricKey(
            using: SHA256.self, salt: share + recipient.publicKey, sharedInfo: purpose,
            outputByteCount: 32)
    }
}

extension ChaChaPoly.Nonce {
    /// Safe only for a key that is used once.
    static func zero() throws -> ChaChaPoly.Nonce {
        try ChaChaPoly.Nonce(data: [UInt8](repeating: 0, count: 12))
    }
}
