internal import Crypto
internal import Foundation
package import SyncCore

/// The sealed operations of a commit: every member's device carries them, only a device with the secret of
/// their epoch opens them: `1 ‖ salt (32) ‖ ChaCha20-Poly1305 of (length (4) ‖ operations ‖ zeros)`.
package enum SealedOperations {
    /// The first byte: the version of the layout.
    static let version: UInt8 = 1
    package static let saltBytes = 32
    private static let lengthBytes = 4
    private static let tagBytes = 16

    /// Seals serialized operations for one place in one log. `salt` must be random and never repeat.
    package static func seal(
        _ operations: [UInt8], under secret: AgeIdentity, salt: [UInt8], at header: CommitHeader
    ) -> [UInt8] {
        precondition(salt.count == saltBytes)
        var plain = bigEndian(UInt64(operations.count)).suffix(lengthBytes) + operations
        plain += [UInt8](repeating: 0, count: padded(plain.count) - plain.count)
        do {
            let box = try ChaChaPoly.seal(
                plain, using: key(secret, salt, header), nonce: .zero(),
                authenticating: place(of: header))
            return [version] + salt + box.ciphertext + box.tag
        } catch {
            preconditionFailure("ChaCha20-Poly1305 refused \(plain.count) bytes: \(error)")
        }
    }

    /// Opens sealed operations. A layout of a newer version stays closed.
    package static func open(
        _ sealed: [UInt8], with secret: AgeIdentity, at header: CommitHeader
    ) -> Unsealed {
        guard let first = sealed.first else { return .broken }
        guard first == version else { return .closed }
        let body = sealed.dropFirst(1 + saltBytes)
        guard body.count >= tagBytes + lengthBytes,
            let box = try? ChaChaPoly.SealedBox(
                nonce: .zero(), ciphertext: body.dropLast(tagBytes),
                tag: body.suffix(tagBytes)),
            let plain = try? ChaChaPoly.open(
                box, using: key(secret, Array(sealed[1...saltBytes]), header),
                authenticating: place(of: header))
        else { return .broken }
        return operations(in: Array(plain))
    }

    private static func operations(in plain: [UInt8]) -> Unsealed {
        let length = plain.prefix(lengthBytes).reduce(0) { $0 << 8 | Int($1) }
        let rest = plain.dropFirst(lengthBytes)
        // With two encodings of the same operations, devices that cannot open them could tell them apart.
        guard length <= rest.count, padded(lengthBytes + length) == plain.count,
            rest.dropFirst(length).allSatisfy({ $0 == 0 })
        else { return .broken }
        return .opened(Array(rest.prefix(length)))
    }

    /// Padmé (Nikitin and others, "Reducing Metadata Leakage from Encrypted Files and Communication with
    /// PURBs", 2019): adds at most 12 %, and a length reveals no more than a floating point number of that
    /// many bits. All short ones have the same length.
    package static func padded(_ length: Int) -> Int {
        guard length > Limits.sealedBytesAtLeast else { return Limits.sealedBytesAtLeast }
        let exponent = Int.bitWidth - 1 - length.leadingZeroBitCount
        let bits = Int.bitWidth - exponent.leadingZeroBitCount
        let mask = (1 << (exponent - bits)) - 1
        return (length + mask) & ~mask
    }

    private static func key(
        _ secret: AgeIdentity, _ salt: [UInt8], _ header: CommitHeader
    ) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: secret.privateKey), salt: salt,
            info: Label.sealedOperations.framing(header.space.bytes), outputByteCount: 32)
    }

    /// Binds sealed operations to their place: nobody can present them as their own elsewhere.
    private static func place(of header: CommitHeader) -> [UInt8] {
        header.log.device.bytes + header.log.incarnation.bytes
            + bigEndian(header.sequence)
    }
}

extension Limits {
    /// Length in bytes that sealed operations are padded to at least: most edits of a person are shorter.
    static let sealedBytesAtLeast = 256
}
