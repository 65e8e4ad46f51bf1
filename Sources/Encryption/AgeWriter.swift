internal import Crypto
internal import SyncCore

/// The secrets of an age file that is being written.
package struct AgeFileSecrets: Sendable {
    let fileKey: [UInt8]
    let payloadNonce: [UInt8]
    /// 32 bytes for each recipient.
    let ephemeral: [[UInt8]]

    /// Fresh random secrets, as age itself uses.
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

    /// Needs at least one recipient. Throws `AgeError.malformedKey` for a recipient of low order, whose
    /// files everybody could open.
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

    /// Length of the file for that many bytes of plaintext.
    package func length(of plain: UInt64) -> UInt64 {
        let size = UInt64(Limits.ageChunkBytes)
        let count = max(1, (plain + size - 1) / size)
        return UInt64(header.count + nonce.count) + plain + count * UInt64(AgeChunks.tagBytes)
    }

    /// Hands over the whole file in order; other cores work ahead. The body must copy what it keeps: the
    /// memory is reused.
    /// - Throws: What the input or the body throws.
    package func write(_ plain: any ByteInput, _ body: ([UInt8]) throws -> Void) async throws {
        try body(header + nonce)
        let batch = UInt64(Limits.ageChunksAtOnce)
        let batchBytes = batch * UInt64(Limits.ageChunkBytes)
        let length = plain.length
        let batches = max(1, (length + batchBytes - 1) / batchBytes)
        try await orderedMap(batches, reusing: Batch()) { index, work in
            try plain.read(
                index * batchBytes..<min(length, (index + 1) * batchBytes), into: &work.plain)
            chunks.seal(
                work.plain, from: index * batch, isEnd: index == batches - 1, into: &work.sealed)
        } body: {
            try body($0.sealed)
        }
    }

    /// The whole file for a short plaintext.
    package func file(_ plain: [UInt8]) -> [UInt8] {
        precondition(plain.count <= Limits.ageChunkBytes * Limits.ageChunksAtOnce)
        var sealed: [UInt8] = []
        chunks.seal(plain, from: 0, isEnd: true, into: &sealed)
        return header + nonce + sealed
    }

    private struct Batch: Sendable {
        var plain: [UInt8] = []
        var sealed: [UInt8] = []
    }
}
