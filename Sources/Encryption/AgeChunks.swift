internal import Crypto
internal import Foundation
internal import SyncCore

/// The chunks of a payload, each sealed by itself: STREAM, as https://c2sp.org/age has it.
struct AgeChunks: Sendable {
    /// Of the nonce that stands before the first chunk.
    static let nonceBytes = 16
    static let tagBytes = 16
    static let sealedBytes = Limits.ageChunkBytes + tagBytes

    private let key: SymmetricKey

    init(fileKey: AgeFileKey, nonce: [UInt8]) {
        key = fileKey.payloadKey(nonce: nonce)
    }

    func seal(_ plain: some DataProtocol, at index: UInt64, isLast: Bool) throws -> Data {
        let box = try ChaChaPoly.seal(plain, using: key, nonce: nonce(index, isLast: isLast))
        // The combined form begins with the nonce, which is not stored.
        return box.combined.dropFirst(12)
    }

    /// Nil when it is not that chunk, or was changed.
    func open(_ sealed: some DataProtocol, at index: UInt64, isLast: Bool) -> Data? {
        guard sealed.count >= Self.tagBytes,
            let box = try? ChaChaPoly.SealedBox(
                nonce: nonce(index, isLast: isLast), ciphertext: sealed.dropLast(Self.tagBytes),
                tag: sealed.suffix(Self.tagBytes))
        else { return nil }
        // What does not open is damaged, whatever the library calls it.
        return try? ChaChaPoly.open(box, using: key)
    }

    private func nonce(_ index: UInt64, isLast: Bool) throws -> ChaChaPoly.Nonce {
        let counter = (0..<8).map { UInt8(truncatingIfNeeded: index >> (56 - 8 * $0)) }
        return try ChaChaPoly.Nonce(data: [0, 0, 0] + counter + [isLast ? 1 : 0])
    }
}
