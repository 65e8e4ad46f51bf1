package import SyncCore

/// What both devices know before they pair: a code that a person types, or the secret in a link.
package enum PairingSecret: Hashable, Sendable {
    case code(PairingCode)
    /// 128 random bits.
    case link(Bytes16)

    /// What the joining device says openly, so that the host knows which secret is meant; empty for
    /// a link.
    package var nameplate: String {
        switch self {
        case .code(let code): code.nameplate
        case .link: ""
        }
    }

    /// Bytes from which SPAKE2's w is reduced: scrypt, salted with label and pairing id.
    ///
    /// Takes about a tenth of a second and 32 MiB. A code has eight digits and a link sixteen
    /// bytes, so one never equals the other.
    func password(pairingID: Bytes16) -> [UInt8] {
        let secret =
            switch self {
            case .code(let code): Array(code.digits.utf8)
            case .link(let bytes): bytes.bytes
            }
        return Scrypt(costs: 1 << 15, blockSize: 8, parallelism: 1).key(
            from: secret, salt: Label.pairing.framing(pairingID.bytes),
            byteCount: SPAKE2.randomByteCount)
    }
}
