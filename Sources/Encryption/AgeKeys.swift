internal import Crypto
internal import Foundation

/// A recipient of age files: an X25519 public key, `age1…` as text.
package struct AgeRecipient: Hashable, Sendable {
    /// 32 bytes.
    package let publicKey: [UInt8]

    /// - Throws: `AgeError.malformedKey` for anything but 32 bytes.
    package init(publicKey: [UInt8]) throws(AgeError) {
        guard publicKey.count == 32 else { throw .malformedKey }
        self.publicKey = publicKey
    }

    /// - Throws: `AgeError.malformedKey`.
    package init(text: String) throws(AgeError) {
        guard let key = Bech32.decode(text, prefix: "age"), text == text.lowercased() else {
            throw .malformedKey
        }
        try self.init(publicKey: key)
    }

    package var text: String { Bech32.encode(publicKey, prefix: "age") }
}

/// Opens the age files of one recipient: an X25519 private key, `AGE-SECRET-KEY-1…` as text.
package struct AgeIdentity: Sendable {
    /// 32 bytes; secret.
    package let privateKey: [UInt8]
    package let recipient: AgeRecipient

    /// - Throws: `AgeError.malformedKey` for anything but 32 bytes.
    package init(privateKey: [UInt8]) throws(AgeError) {
        guard
            let key = try? Curve25519.KeyAgreement.PrivateKey(rawRepresentation: privateKey)
        else { throw .malformedKey }
        self.privateKey = privateKey
        recipient = try AgeRecipient(publicKey: Array(key.publicKey.rawRepresentation))
    }

    /// - Throws: `AgeError.malformedKey`.
    package init(text: String) throws(AgeError) {
        guard let key = Bech32.decode(text, prefix: "age-secret-key-"), text == text.uppercased()
        else { throw .malformedKey }
        try self.init(privateKey: key)
    }

    package static func random() throws(AgeError) -> AgeIdentity {
        let key = Curve25519.KeyAgreement.PrivateKey()
        return try AgeIdentity(privateKey: Array(key.rawRepresentation))
    }

    package var text: String {
        Bech32.encode(privateKey, prefix: "age-secret-key-").uppercased()
    }
}
