internal import Crypto
internal import Foundation
package import SyncCore

/// The operations of a commit as everybody carries them and only who has the secret of an epoch opens
/// them: `1 ‖ salt (32) ‖ ChaCha20-Poly1305 of (length (4) ‖ operations ‖ zeros)`.
package enum SealedOperations {
    /// Of the layout, the first byte.
    static let version: UInt8 = 1
    package static let saltBytes = 32
    private static let lengthBytes = 4
    private static let tagBytes = 16

    /// Seals serialized operations for one place in one log. `salt` is random: no two commits may
    /// have the same.
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

    /// Opens them again. A layout of a newer version stays closed.
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
        // What is said in two ways could be told from each other by those who cannot open it.
        guard length <= rest.count, padded(lengthBytes + length) == plain.count,
            rest.dropFirst(length).allSatisfy({ $0 == 0 })
        else { return .broken }
        return .opened(Array(rest.prefix(length)))
    }

    /// Padmé (Nikitin and others, "Reducing Metadata Leakage from Encrypted Files and Communication
    /// with PURBs", 2019): at most 12 % more, and lengths tell no more than a floating point number of
    /// so many bits. Short ones are all alike.
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

    /// What is sealed counts at its place only: nobody can show it again as their own.
    private static func place(of header: CommitHeader) -> [UInt8] {
        header.log.device.bytes + header.log.incarnation.bytes
            + bigEndian(header.sequence)
    }
}

extension Limits {
    /// Bytes that sealed operations are padded to at least: most edits of a person are shorter.
    static let sealedBytesAtLeast = 256
}
