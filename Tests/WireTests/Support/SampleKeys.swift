import Crypto
import Foundation
import SyncCore
import Wire

/// A device or a person with keys from a fixed seed: every byte of the private key is the seed.
struct SampleKeys {
    let signing: Curve25519.Signing.PrivateKey
    let agreement: Curve25519.KeyAgreement.PrivateKey

    init(seed: UInt8) throws {
        let secret = [UInt8](repeating: seed, count: 32)
        signing = try Curve25519.Signing.PrivateKey(rawRepresentation: secret)
        agreement = try Curve25519.KeyAgreement.PrivateKey(rawRepresentation: secret)
    }

    var signingKey: Bytes32 { Bytes32([UInt8](signing.publicKey.rawRepresentation)) ?? .zero }
    var agreementKey: Bytes32 { Bytes32([UInt8](agreement.publicKey.rawRepresentation)) ?? .zero }
    var device: DeviceID { DeviceID(sha256(signingKey.bytes)) }

    func sign(_ label: Label, _ message: [UInt8]) throws -> [UInt8] {
        [UInt8](try signing.signature(for: Data(label.framing(message))))
    }

    func signed(_ label: Label, _ message: [UInt8], _ signature: [UInt8]) -> Bool {
        signing.publicKey.isValidSignature(Data(signature), for: Data(label.framing(message)))
    }
}

/// Thirty-two and sixteen bytes that are all the same, to be recognised in a vector.
func bytes32(_ byte: UInt8) -> Bytes32 {
    Bytes32([UInt8](repeating: byte, count: 32)) ?? .zero
}

func bytes16(_ byte: UInt8) -> Bytes16 {
    Bytes16([UInt8](repeating: byte, count: 16)) ?? .zero
}
