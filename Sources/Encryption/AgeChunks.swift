internal import Crypto
internal import SyncCore

/// The chunks of a payload, each sealed on its own (STREAM, https://c2sp.org/age).
struct AgeChunks: Sendable {
    /// Length of the nonce before the first chunk.
    static let nonceBytes = 16
    static let tagBytes = 16
    static let sealedBytes = Limits.ageChunkBytes + tagBytes

    private let key: SymmetricKey

    init(fileKey: AgeFileKey, nonce: [UInt8]) {
        key = fileKey.payloadKey(nonce: nonce)
    }

    /// Seals consecutive chunks into reused memory; no plaintext gives one empty chunk. `first` is the
    /// index of the first chunk; with `isEnd`, the last one ends the file.
    func seal(_ plain: [UInt8], from first: UInt64, isEnd: Bool, into sealed: inout [UInt8]) {
        let sealer = ChunkSealer(key: key)
        let count = max(1, (plain.count + Limits.ageChunkBytes - 1) / Limits.ageChunkBytes)
        sealed.removeAll(keepingCapacity: true)
        sealed.append(addingCapacity: plain.count + count * Self.tagBytes) { output in
            for index in 0..<count {
                let start = index * Limits.ageChunkBytes
                let end = min(start + Limits.ageChunkBytes, plain.count)
                let nonce = nonce(first + UInt64(index), isLast: isEnd && index == count - 1)
                sealer.seal(plain.span.extracting(start..<end), nonce: nonce, to: &output)
            }
        }
    }

    /// Opens consecutive chunks up to the first damaged one, into reused memory. False when a chunk is
    /// damaged or missing, or the file does not end where it should.
    func open(
        _ sealed: [UInt8], _ indices: Range<UInt64>, isEnd: Bool, into plain: inout [UInt8]
    ) -> Bool {
        let sealer = ChunkSealer(key: key)
        plain.removeAll(keepingCapacity: true)
        var isWhole = true
        plain.append(addingCapacity: sealed.count) { output in
            for index in indices where isWhole {
                let start = Int(index - indices.lowerBound) * Self.sealedBytes
                guard start < sealed.count else {
                    isWhole = false
                    return
                }
                let end = min(start + Self.sealedBytes, sealed.count)
                let isLast = isEnd && index == indices.upperBound - 1
                isWhole = open(
                    sealed.span.extracting(start..<end), at: index, isLast: isLast, with: sealer,
                    to: &output)
            }
        }
        return isWhole
    }

    private func open(
        _ chunk: Span<UInt8>, at index: UInt64, isLast: Bool, with sealer: ChunkSealer,
        to plain: inout OutputSpan<UInt8>
    ) -> Bool {
        // Only an empty file has an empty chunk.
        guard chunk.count > Self.tagBytes || index == 0 else { return false }
        if sealer.open(chunk, nonce: nonce(index, isLast: isLast), to: &plain) { return true }
        if chunk.count == Self.sealedBytes {
            // The end comes too early, or is missing: the chunk itself may still be authentic.
            _ = sealer.open(chunk, nonce: nonce(index, isLast: !isLast), to: &plain)
        }
        return false
    }

    private func nonce(_ index: UInt64, isLast: Bool) -> [UInt8] {
        let counter = (0..<8).map { UInt8(truncatingIfNeeded: index >> (56 - 8 * $0)) }
        return [0, 0, 0] + counter + [isLast ? 1 : 0]
    }
}
