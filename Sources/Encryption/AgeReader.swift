package import Foundation
internal import SyncCore

/// An age file that an identity opened. Nothing of the payload is believed before it was opened, and no
/// part of it counts as the whole before the last chunk was.
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
        // Trying each takes time: who knows that there is one need not look at thousands.
        guard header.stanzas.count <= stanzasAtMost else { throw AgeError.noMatch }
        let key = try AgeFileKey.open(header.stanzas, with: identities)
        guard key.proves(header) else { throw AgeError.wrongHeaderCode }
        start = UInt64(header.length + AgeChunks.nonceBytes)
        guard input.length >= start else { throw AgeError.malformedHeader }
        let nonce = try input.read(UInt64(header.length)..<start)
        chunks = AgeChunks(fileKey: key, nonce: nonce)
        self.input = input
    }

    /// Whether a file begins like one of age, of whatever version.
    package static func isAgeFile(_ input: any ByteInput) throws -> Bool {
        let beginning = Array("age-encryption.org/".utf8)
        return try input.read(0..<UInt64(beginning.count)) == beginning
    }

    /// Whether a file is one of age, version 1, for one key.
    package static func hasOneRecipient(_ input: any ByteInput) throws -> Bool {
        do {
            let header = try AgeHeader(parsing: try input.read(0..<UInt64(Limits.ageHeaderBytes)))
            return header.stanzas.count == 1
        } catch is AgeError {
            return false
        }
    }

    /// The plaintext in order, released chunk by chunk as each is verified; both cores work ahead.
    ///
    /// What came before an error is true, but not all of the file: who needs the whole keeps it aside
    /// until this returns.
    /// - Throws: `AgeError.damagedPayload`; what the input or the body throws.
    package func readAll(_ body: (Data) throws -> Void) async throws {
        let count = chunkCount
        guard count > 0 else { throw AgeError.damagedPayload }
        let batch = UInt64(Limits.ageChunksAtOnce)
        let batches = (count + batch - 1) / batch
        try await inOrder(batches) { index in
            try openBatch(index * batch..<min(count, (index + 1) * batch))
        } body: { opened in
            for plain in opened.plain { try body(plain) }
            if opened.isDamaged { throw AgeError.damagedPayload }
        }
    }

    /// The plaintext for reading parts of it, after the last chunk was verified: the file is as long as
    /// it was.
    /// - Throws: `AgeError.damagedPayload`; what the input throws.
    package func plaintext() throws -> AgePlaintext {
        let count = chunkCount
        guard count > 0, let last = try openWhole(count - 1) else { throw AgeError.damagedPayload }
        let length = (count - 1) * UInt64(Limits.ageChunkBytes) + UInt64(last.count)
        return AgePlaintext(reader: self, length: length)
    }

    // MARK: Chunks

    private struct OpenedBatch: Sendable {
        var plain: [Data] = []
        var isDamaged = false
    }

    private var chunkCount: UInt64 {
        (input.length - start + UInt64(AgeChunks.sealedBytes - 1)) / UInt64(AgeChunks.sealedBytes)
    }

    private func place(of index: UInt64) -> Range<UInt64> {
        let begin = start + index * UInt64(AgeChunks.sealedBytes)
        return begin..<min(begin + UInt64(AgeChunks.sealedBytes), input.length)
    }

    /// A chunk where it must be; an empty last one only of an empty file.
    fileprivate func openWhole(_ index: UInt64) throws -> Data? {
        let sealed = try input.read(place(of: index))
        let plain = chunks.open(sealed, at: index, isLast: index == chunkCount - 1)
        return plain.flatMap { $0.isEmpty && index > 0 ? nil : $0 }
    }

    private func openBatch(_ indices: Range<UInt64>) throws -> OpenedBatch {
        let begin = place(of: indices.lowerBound).lowerBound
        let sealed = try input.read(begin..<place(of: indices.upperBound - 1).upperBound)
        var batch = OpenedBatch()
        for index in indices {
            let offset = Int(place(of: index).lowerBound - begin)
            guard offset < sealed.count else {
                batch.isDamaged = true
                return batch
            }
            let chunk = sealed[offset..<min(offset + AgeChunks.sealedBytes, sealed.count)]
            let isEnd = index == chunkCount - 1
            var plain = chunks.open(chunk, at: index, isLast: isEnd)
            var isWhole = plain != nil
            if plain == nil, chunk.count == AgeChunks.sealedBytes {
                // Either the end comes too early, or there is none: the chunk itself is true.
                plain = chunks.open(chunk, at: index, isLast: !isEnd)
                isWhole = false
            }
            if let opened = plain, opened.isEmpty, index > 0 { plain = nil }
            if let plain { batch.plain.append(plain) }
            guard isWhole, plain != nil else {
                batch.isDamaged = true
                return batch
            }
        }
        return batch
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
        var plain: [UInt8] = []
        for index in first...((range.upperBound - 1) / size) {
            guard let chunk = try reader.openWhole(index) else { throw AgeError.damagedPayload }
            plain += chunk
        }
        let skipped = Int(range.lowerBound - first * size)
        guard plain.count >= skipped + range.count else { throw AgeError.damagedPayload }
        return Array(plain[skipped..<(skipped + range.count)])
    }
}
