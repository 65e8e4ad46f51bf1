internal import SyncCore

/// An age file that an identity opened. Each part of the payload is verified before it is released, and the
/// file counts as complete only after its last chunk was verified.
package struct AgeReader: Sendable {
    private let input: any ByteInput
    private let chunks: AgeChunks
    /// Where the first chunk begins.
    private let start: UInt64

    /// - Throws: `AgeError.malformedHeader`, `noMatch`, `wrongHeaderCode`; what the input throws.
    package init(
        _ input: any ByteInput, identities: [AgeIdentity], stanzasAtMost: Int = .max
    ) throws {
        let header = try AgeHeader(parsing: try input.read(0..<UInt64(Limits.ageHeaderBytes)))
        // Trying each stanza takes time: a caller that knows their number spares itself thousands.
        guard header.stanzas.count <= stanzasAtMost else { throw AgeError.noMatch }
        let key = try AgeFileKey.open(header.stanzas, with: identities)
        guard key.proves(header) else { throw AgeError.wrongHeaderCode }
        start = UInt64(header.length + AgeChunks.nonceBytes)
        guard input.length >= start else { throw AgeError.malformedHeader }
        let nonce = try input.read(UInt64(header.length)..<start)
        chunks = AgeChunks(fileKey: key, nonce: nonce)
        self.input = input
    }

    /// Whether a file begins like an age file of any version.
    package static func isAgeFile(_ input: any ByteInput) throws -> Bool {
        let beginning = Array("age-encryption.org/".utf8)
        return try input.read(0..<UInt64(beginning.count)) == beginning
    }

    /// Whether a file is an age file, version 1, for a single key.
    package static func hasOneRecipient(_ input: any ByteInput) throws -> Bool {
        do {
            let header = try AgeHeader(parsing: try input.read(0..<UInt64(Limits.ageHeaderBytes)))
            return header.stanzas.count == 1
        } catch is AgeError {
            return false
        }
    }

    /// Hands over the plaintext in order, as it is verified; other cores work ahead. The body must copy
    /// what it keeps: the memory is reused.
    ///
    /// Everything before an error is authentic, but incomplete: a caller that needs the whole file holds
    /// the parts back until this returns.
    /// - Throws: `AgeError.damagedPayload`; what the input or the body throws.
    package func readAll(_ body: ([UInt8]) throws -> Void) async throws {
        let count = chunkCount
        guard count > 0 else { throw AgeError.damagedPayload }
        let batch = UInt64(Limits.ageChunksAtOnce)
        let batches = (count + batch - 1) / batch
        try await orderedMap(batches, reusing: Batch()) { index, work in
            try open(index * batch..<min(count, (index + 1) * batch), &work)
        } body: { opened in
            if !opened.plain.isEmpty { try body(opened.plain) }
            if opened.isDamaged { throw AgeError.damagedPayload }
        }
    }

    /// The plaintext, for reading parts of it. Verifies the last chunk first, so that its length is
    /// certain.
    /// - Throws: `AgeError.damagedPayload`; what the input throws.
    package func plaintext() throws -> AgePlaintext {
        let count = chunkCount
        guard count > 0 else { throw AgeError.damagedPayload }
        var last = Batch()
        try open(count - 1..<count, &last)
        guard !last.isDamaged else { throw AgeError.damagedPayload }
        let length = (count - 1) * UInt64(Limits.ageChunkBytes) + UInt64(last.plain.count)
        return AgePlaintext(reader: self, length: length)
    }

    // MARK: Chunks

    fileprivate struct Batch: Sendable {
        var sealed: [UInt8] = []
        /// Up to the first damaged chunk.
        var plain: [UInt8] = []
        var isDamaged = false
    }

    private var chunkCount: UInt64 {
        (input.length - start + UInt64(AgeChunks.sealedBytes - 1)) / UInt64(AgeChunks.sealedBytes)
    }

    /// Opens chunks of the file.
    fileprivate func open(_ indices: Range<UInt64>, _ batch: inout Batch) throws {
        let size = UInt64(AgeChunks.sealedBytes)
        let end = min(start + indices.upperBound * size, input.length)
        try input.read(start + indices.lowerBound * size..<end, into: &batch.sealed)
        batch.isDamaged = !chunks.open(
            batch.sealed, indices, isEnd: indices.upperBound == chunkCount, into: &batch.plain)
    }
}

/// The plaintext of an age file whose last chunk was verified; each part is verified as it is read.
package struct AgePlaintext: ByteInput {
    private let reader: AgeReader
    package let length: UInt64

    fileprivate init(reader: AgeReader, length: UInt64) {
        (self.reader, self.length) = (reader, length)
    }

    /// - Throws: `AgeError.damagedPayload`; what the file's input throws.
    package func read(_ range: Range<UInt64>) throws -> [UInt8] {
        let range = range.clamped(to: 0..<length)
        guard !range.isEmpty else { return [] }
        let size = UInt64(Limits.ageChunkBytes)
        let first = range.lowerBound / size
        var batch = AgeReader.Batch()
        try reader.open(first..<(range.upperBound - 1) / size + 1, &batch)
        let skipped = Int(range.lowerBound - first * size)
        guard !batch.isDamaged, batch.plain.count >= skipped + range.count else {
            throw AgeError.damagedPayload
        }
        return Array(batch.plain[skipped..<(skipped + range.count)])
    }
}
