internal import CPlatform
internal import SyncCore

/// Receives the number of further bytes read, on any thread; returns false to end the work with
/// ``BlobFilesError/stopped``.
package typealias BytesTold = @Sendable (Int) -> Bool

/// Hashes and copies whole files, chunk by chunk, on several threads. Blocks.
enum ChunkCopy {
    /// The chunk list of the first `length` bytes of `file`; nil when the file is shorter.
    static func chunkList(
        of file: OpenFile, length: UInt64, telling told: BytesTold = { _ in true }
    ) throws(BlobFilesError) -> ChunkList? {
        try chunkList(of: file, length: length, telling: told) { _, _ in }
    }

    /// Copies the first `length` bytes of `source` and returns the chunk list of the copy; nil when the
    /// source is shorter.
    ///
    /// Where the file system can, the copy shares the source's blocks and is hashed afterwards. Otherwise
    /// the bytes are read once, to be hashed and written; copying within the kernel would not save that, as
    /// hashing needs them anyway.
    static func copy(
        from source: OpenFile, to destination: OpenFile, length: UInt64,
        telling told: BytesTold = { _ in true }
    ) throws(BlobFilesError) -> ChunkList? {
        if peersync_clone_file(destination.descriptor, source.descriptor) == 0 {
            return try chunkList(of: destination, length: length, telling: told)
        }
        return try chunkList(of: source, length: length, telling: told) {
            (bytes, offset) throws(BlobFilesError) in
            try destination.write(bytes, at: offset)
        }
    }

    private static func chunkList(
        of file: OpenFile, length: UInt64, telling told: BytesTold,
        passing take: @Sendable ([UInt8], UInt64) throws(BlobFilesError) -> Void
    ) throws(BlobFilesError) -> ChunkList? {
        guard let count = ChunkList.chunkCount(length: length) else { return nil }
        let hashes = try DiskWork.forEach(count: count) {
            (index) throws(BlobFilesError) -> Bytes32? in
            guard let bounds = ChunkList.bounds(ofChunk: index, length: length) else { return nil }
            let bytes = try file.read(at: bounds.lowerBound, count: bounds.count)
            guard bytes.count == bounds.count else { return nil }
            try take(bytes, bounds.lowerBound)
            let hash = sha256(bytes)
            guard told(bytes.count) else { throw .stopped }
            return hash
        }
        // Where the file became shorter, hashes are missing, so that this gives nil.
        return try? ChunkList(length: length, hashes: hashes.compactMap { $0 })
    }
}
