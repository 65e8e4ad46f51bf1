package import SyncCore

/// A local file that was hashed and will be read again; reading verifies that it is unchanged.
package struct HashedFile: Sendable {
    package let chunkList: ChunkList
    let path: String
    let file: OpenFile

    package var id: BlobID { chunkList.blobID }
    package var length: UInt64 { chunkList.length }

    /// The bytes from the beginning of one chunk to the end of another. Throws
    /// ``BlobFilesError/sourceChanged(path:)`` when they are not those that were hashed. Blocks.
    package func read(_ range: Range<UInt64>) throws(BlobFilesError) -> [UInt8] {
        let range = range.clamped(to: 0..<length)
        let size = UInt64(Limits.chunkBytes)
        precondition(range.lowerBound.isMultiple(of: size))
        var bytes: [UInt8] = []
        bytes.reserveCapacity(range.count)
        for start in stride(from: range.lowerBound, to: range.upperBound, by: Limits.chunkBytes) {
            let chunk = try file.read(at: start, count: Int(min(size, length - start)))
            guard chunkList.verifies(chunk, asChunk: Int(start / size)) else {
                throw .sourceChanged(path: path)
            }
            bytes += chunk
        }
        precondition(bytes.count == range.count)
        return bytes
    }
}
