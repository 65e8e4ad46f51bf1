internal import Crypto
internal import FoundationEssentials
package import SyncCore

/// The private keys of this device: they never leave it, and new ones are a new device.
package struct DeviceKeys: Sendable {
    private let signing: Curve25519.Signing.PrivateKey
    private let agreement: Curve25519.KeyAgreement.PrivateKey
    /// The Ed25519 public key: what commits are verified with and what peers pin.
    package let signingKey: Bytes32
    /// The X25519 public key: what secrets are wrapped to.
    package let agreementKey: Bytes32

    /// Keys from the system's randomness.
    package static func generate() -> DeviceKeys {
        DeviceKeys(signing: Curve25519.Signing.PrivateKey(), agreement: .init())
    }

    /// The keys whose private halves are these 32 bytes each; nil when the library refuses them.
    package init?(signingSecret: Bytes32, agreementSecret: Bytes32) {
        guard
            let signing = try? Curve25519.Signing.PrivateKey(
                rawRepresentation: signingSecret.bytes),
            let agreement = try? Curve25519.KeyAgreement.PrivateKey(
                rawRepresentation: agreementSecret.bytes)
        else { return nil }
        self.init(signing: signing, agreement: agreement)
    }

    private init(
        signing: Curve25519.Signing.PrivateKey, agreement: Curve25519.KeyAgreement.PrivateKey
    ) {
        self.signing = signing
        self.agreement = agreement
        signingKey = exactly32(signing.publicKey.rawRepresentation)
        agreementKey = exactly32(agreement.publicKey.rawRepresentation)
    }

    package var device: DeviceID { DeviceID(sha256(signingKey.bytes)) }

    /// The Ed25519 private key (RFC 8032), for the key file and the TLS certificate.
    package var signingSecret: Bytes32 { exactly32(signing.rawRepresentation) }

    /// The X25519 private key, for the key file and for unwrapping what was sealed to this device.
    package var agreementSecret: Bytes32 { exactly32(agreement.rawRepresentation) }

    /// An Ed25519 signature, 64 bytes, over `label ‖ 0 ‖ message`.
    package func sign(_ label: Label, _ message: [UInt8]) -> [UInt8] {
        signature(over: label.framing(message), by: signing)
    }
}

/// Ed25519 signs whatever it is given; the library's `throws` is for keys we never have.
func signature(over message: [UInt8], by key: Curve25519.Signing.PrivateKey) -> [UInt8] {
    do {
        return Array(try key.signature(for: message))
    } catch {
        preconditionFailure("Ed25519 refused to sign \(message.count) bytes: \(error)")
    }
}

/// The library's raw forms of keys of Curve25519 are 32 bytes.
func exactly32(_ raw: Data) -> Bytes32 {
    guard let bytes = Bytes32(raw) else {
        preconditionFailure("a key of Curve25519 has 32 bytes, this one \(raw.count)")
    }
    return bytes
}
