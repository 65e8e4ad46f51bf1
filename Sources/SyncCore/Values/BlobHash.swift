internal import Crypto

/// Why a list of chunk hashes is refused.
package enum ChunkListError: Error, Hashable, Sendable {
    /// The blob is longer than ``Limits/blobBytes``.
    case tooLong
    /// The number of hashes is not the number of chunks that a blob of this length has.
    case wrongCount
}

/// The length of a blob and the SHA-256 of each of its chunks, from which its id follows.
///
/// A value of this type is consistent: its count of hashes fits its length, and the length is at
/// most ``Limits/blobBytes``.
package struct ChunkList: Hashable, Sendable {
    /// Bytes of the whole blob.
    package let length: UInt64
    /// SHA-256 of every chunk of ``Limits/chunkBytes``, in order; the last chunk may be shorter.
    package let hashes: [Bytes32]

    /// Takes a list as a peer or the store gives it. Throws when count and length disagree.
    package init(length: UInt64, hashes: [Bytes32]) throws(ChunkListError) {
        guard let count = ChunkList.chunkCount(length: length) else { throw .tooLong }
        guard hashes.count == count else { throw .wrongCount }
        self.length = length
        self.hashes = hashes
    }

    /// SHA-256 of `label ‖ 0 ‖ length as eight bytes, big endian ‖ each chunk's hash`.
    package var blobID: BlobID {
        var message: [UInt8] = []
        message.reserveCapacity(8 + hashes.count * Bytes32.byteCount)
        for shift in stride(from: 56, through: 0, by: -8) {
            message.append(UInt8(truncatingIfNeeded: length >> UInt64(shift)))
        }
        for hash in hashes {
            message.append(contentsOf: hash.bytes)
        }
        return BlobID(Label.blob.hash(message))
    }

    /// How many chunks a blob of `length` bytes has; none for an empty one. Nil when the length is
    /// above ``Limits/blobBytes``.
    package static func chunkCount(length: UInt64) -> Int? {
        guard length <= Limits.blobBytes else { return nil }
        let chunk = UInt64(Limits.chunkBytes)
        return Int((length + chunk - 1) / chunk)
    }

    /// The bytes of the blob that chunk `index` covers; nil when there is no such chunk.
    package func bounds(ofChunk index: Int) -> Range<UInt64>? {
        ChunkList.bounds(ofChunk: index, length: length)
    }

    /// As ``bounds(ofChunk:)``, where only the length of the blob is known.
    package static func bounds(ofChunk index: Int, length: UInt64) -> Range<UInt64>? {
        guard let count = chunkCount(length: length), index >= 0, index < count else { return nil }
        let start = UInt64(index) * UInt64(Limits.chunkBytes)
        return start..<min(start + UInt64(Limits.chunkBytes), length)
    }

    /// Whether `bytes` are exactly chunk `index`: the right length and the right hash.
    package func verifies(_ bytes: [UInt8], asChunk index: Int) -> Bool {
        guard let bounds = bounds(ofChunk: index), bounds.count == bytes.count else { return false }
        return sha256(bytes) == hashes[index]
    }
}

/// Hashes a blob as its bytes come, cut anywhere.
package struct BlobHash {
    private var chunk = SHA256()
    private var chunkFill = 0
    private var length: UInt64 = 0
    private var hashes: [Bytes32] = []

    package init() {}

    /// The chunk list of bytes that are all here.
    package static func chunkList(of bytes: [UInt8]) throws(ChunkListError) -> ChunkList {
        var hash = BlobHash()
        try hash.update(bytes)
        return try hash.finish()
    }

    /// Appends the blob's next bytes. Throws as soon as the blob is longer than a blob may be.
    package mutating func update(_ bytes: [UInt8]) throws(ChunkListError) {
        guard length + UInt64(bytes.count) <= Limits.blobBytes else { throw .tooLong }
        length += UInt64(bytes.count)
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = rest.prefix(Limits.chunkBytes - chunkFill)
            rest = rest.dropFirst(piece.count)
            chunk.update(data: piece)
            chunkFill += piece.count
            if chunkFill == Limits.chunkBytes {
                closeChunk()
            }
        }
    }

    /// The list of all that was appended.
    package consuming func finish() throws(ChunkListError) -> ChunkList {
        if chunkFill > 0 {
            closeChunk()
        }
        precondition(
            ChunkList.chunkCount(length: length) == hashes.count,
            "\(length) bytes are \(hashes.count) chunks")
        return try ChunkList(length: length, hashes: hashes)
    }

    private mutating func closeChunk() {
        guard let hash = Bytes32(Array(chunk.finalize())) else {
            preconditionFailure("SHA-256 gives 32 bytes")
        }
        hashes.append(hash)
        chunk = SHA256()
        chunkFill = 0
    }
}
