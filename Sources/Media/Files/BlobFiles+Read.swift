internal import Glibc
package import SyncCore

extension BlobFiles {
    /// Chunk `index` of a finished blob, for serving. With `chunkList` its hash is checked too:
    /// ``BlobFilesError/corrupt(_:)`` means that the disk returned other bytes.
    package func readChunk(
        _ id: BlobID, index: Int, verifying chunkList: ChunkList? = nil
    ) async throws(BlobFilesError) -> [UInt8] {
        try await DiskWork.run { [self] () throws(BlobFilesError) in
            let file = try finishedFile(id)
            let length = try file.status().length
            guard let bounds = ChunkList.bounds(ofChunk: index, length: length) else {
                throw .noSuchChunk(index)
            }
            let bytes = try file.read(at: bounds.lowerBound, count: bounds.count)
            guard bytes.count == bounds.count, chunkList?.verifies(bytes, asChunk: index) ?? true
            else { throw .corrupt(id) }
            return bytes
        }
    }

    /// Bytes of a finished blob as the disk has them, unverified: verifying takes hashing all of it.
    /// Blocks.
    package func read(
        _ id: BlobID, _ range: Range<UInt64>
    ) throws(BlobFilesError) -> [UInt8] {
        try finishedFile(id).read(at: range.lowerBound, count: range.count)
    }

    /// Hashes the finished file of `id` again and returns its chunk list. Throws
    /// ``BlobFilesError/corrupt(_:)`` when its content does not match the id.
    package func verify(_ id: BlobID) async throws(BlobFilesError) -> ChunkList {
        try await DiskWork.run { [self] () throws(BlobFilesError) in
            let file = try finishedFile(id)
            let list = try ChunkCopy.chunkList(of: file, length: try file.status().length)
            guard let list, list.blobID == id else { throw .corrupt(id) }
            return list
        }
    }

    /// Whether the finished file of the blob that `chunkList` describes is here and whole. Then a crash
    /// came between making it durable and recording it, and it only has to be committed.
    package func hasFinished(_ chunkList: ChunkList) async -> Bool {
        guard length(of: chunkList.blobID) == chunkList.length else { return false }
        do throws(BlobFilesError) {
            return try await verify(chunkList.blobID) == chunkList
        } catch {
            // Damaged or unreadable: it is fetched again.
            return false
        }
    }

    /// Opens a finished file for reading; blocks.
    func finishedFile(_ id: BlobID) throws(BlobFilesError) -> OpenFile {
        do throws(BlobFilesError) {
            let path = layout.finished(id)
            return try access.own(path) { () throws(BlobFilesError) in try OpenFile.regular(path) }
        } catch {
            if case .system(_, ENOENT) = error { throw .notFound(id) }
            throw error
        }
    }
}
