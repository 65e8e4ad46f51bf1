internal import Crypto
package import Foundation
internal import SyncCore

/// The secrets of one age file that is being written.
package struct AgeFileSecrets: Sendable {
    let fileKey: [UInt8]
    let payloadNonce: [UInt8]
    /// One for each recipient: 32 bytes.
    let ephemeral: [[UInt8]]

    /// New ones, which is what age itself does.
    package static func random(recipients: Int) -> AgeFileSecrets {
        var generator = SystemRandomNumberGenerator()
        return random(recipients: recipients, using: &generator)
    }

    package static func random(
        recipients: Int, using random: inout some RandomNumberGenerator
    ) -> AgeFileSecrets {
        AgeFileSecrets(
            fileKey: random.bytes(AgeFileKey.byteCount),
            payloadNonce: random.bytes(AgeChunks.nonceBytes),
            ephemeral: (0..<recipients).map { _ in random.bytes(32) })
    }
}

extension RandomNumberGenerator {
    package mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &self) }
    }
}

/// Writes age files.
package struct AgeWriter: Sendable {
    private let header: [UInt8]
    private let nonce: [UInt8]
    private let chunks: AgeChunks

    /// For at least one recipient. Throws `AgeError.malformedKey` for one of low order, which everybody
    /// could open.
    package init(recipients: [AgeRecipient], secrets: AgeFileSecrets) throws(AgeError) {
        precondition(!recipients.isEmpty && recipients.count == secrets.ephemeral.count)
        let key = AgeFileKey(bytes: secrets.fileKey)
        var stanzas: [AgeStanza] = []
        for (recipient, ephemeral) in zip(recipients, secrets.ephemeral) {
            stanzas.append(try key.stanza(for: recipient, ephemeral: ephemeral))
        }
        header = AgeHeader.bytes(of: stanzas, fileKey: key)
        nonce = secrets.payloadNonce
        chunks = AgeChunks(fileKey: key, nonce: nonce)
    }

    package init(recipients: [AgeRecipient]) throws(AgeError) {
        try self.init(recipients: recipients, secrets: .random(recipients: recipients.count))
    }

    /// Bytes of the file for that much plaintext.
    package func length(of plain: UInt64) -> UInt64 {
        let size = UInt64(Limits.ageChunkBytes)
        let count = max(1, (plain + size - 1) / size)
        return UInt64(header.count + nonce.count) + plain + count * UInt64(AgeChunks.tagBytes)
    }

    /// The whole file in order; both cores work ahead.
    /// - Throws: What the input or the body throws.
    package func write(_ plain: any ByteInput, _ body: (Data) throws -> Void) async throws {
        try body(Data(header + nonce))
        let batchBytes = UInt64(Limits.ageChunkBytes * Limits.ageChunksAtOnce)
        let length = plain.length
        let batches = max(1, (length + batchBytes - 1) / batchBytes)
        try await inOrder(batches) { index in
            let bytes = try plain.read(index * batchBytes..<min(length, (index + 1) * batchBytes))
            return try seal(bytes, batch: index, isLast: index == batches - 1)
        } body: {
            try body($0)
        }
    }

    /// The whole file of a short plaintext.
    package func file(_ plain: [UInt8]) throws -> [UInt8] {
        precondition(plain.count <= Limits.ageChunkBytes * Limits.ageChunksAtOnce)
        return try header + nonce + seal(plain, batch: 0, isLast: true)
    }

    private func seal(_ bytes: [UInt8], batch: UInt64, isLast: Bool) throws -> Data {
        var sealed = Data(capacity: bytes.count + Limits.ageChunksAtOnce * AgeChunks.tagBytes)
        let first = batch * UInt64(Limits.ageChunksAtOnce)
        var offset = 0
        repeat {
            let end = min(offset + Limits.ageChunkBytes, bytes.count)
            let index = first + UInt64(offset / Limits.ageChunkBytes)
            sealed += try chunks.seal(
                bytes[offset..<end], at: index, isLast: isLast && end == bytes.count)
            offset = end
        } while offset < bytes.count
        return sealed
    }
}
