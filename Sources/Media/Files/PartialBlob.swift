internal import Glibc
package import SyncCore
internal import Synchronization

/// A blob that is being fetched: chunks in any order, each verified before it is written.
package final class PartialBlob: Sendable {
    package let chunkList: ChunkList
    package let id: BlobID
    private let file: OpenFile
    private let identity: FileIdentity
    private let files: BlobFiles
    private let progress: Mutex<Progress>

    private struct Progress {
        var verified: Set<Int>
        var isAbandoned = false
    }

    fileprivate init(
        _ chunkList: ChunkList, _ file: OpenFile, _ files: BlobFiles, found: Set<Int>
    ) throws(BlobFilesError) {
        self.chunkList = chunkList
        self.id = chunkList.blobID
        self.file = file
        self.identity = try file.status().identity
        self.files = files
        self.progress = Mutex(Progress(verified: found))
    }

    /// Indices of the chunks that are here and verified.
    package var verifiedChunks: Set<Int> { progress.withLock { $0.verified } }

    /// Bytes of the chunks that are here and verified.
    package var verifiedBytes: UInt64 {
        verifiedChunks.reduce(0) { $0 + UInt64(chunkList.bounds(ofChunk: $1)?.count ?? 0) }
    }

    /// Writes chunk `index` after its length and hash were checked, on another thread. Several may
    /// run at once; a chunk that is already here is not written again.
    ///
    /// Throws ``BlobFilesError/wrongChunk(_:)`` when the bytes are not that chunk: the sender's
    /// fault, nothing was written.
    package func write(_ bytes: [UInt8], chunk index: Int) async throws(BlobFilesError) {
        guard let bounds = chunkList.bounds(ofChunk: index) else { throw .noSuchChunk(index) }
        guard bounds.count == bytes.count else { throw .wrongChunk(index) }
        guard !verifiedChunks.contains(index) else { return }
        try await DiskWork.run { [self] () throws(BlobFilesError) in
            guard chunkList.verifies(bytes, asChunk: index) else { throw .wrongChunk(index) }
            try file.write(bytes, at: bounds.lowerBound)
            try restore(index)
        }
    }

    private func restore(_ index: Int) throws(BlobFilesError) {
        let isTaken = progress.withLock { progress in
            guard !progress.isAbandoned else { return false }
            progress.verified.insert(index)
            markIfComplete(progress)
            return true
        }
        guard isTaken else { throw .notFound(id) }
    }

    fileprivate func markIfComplete() {
        progress.withLock { markIfComplete($0) }
    }

    /// Within the lock, so that nothing is marked after ``abandon()``.
    private func markIfComplete(_ progress: Progress) {
        guard progress.verified.count == chunkList.hashes.count, !progress.isAbandoned else {
            return
        }
        files.markComplete(id, in: identity)
    }

    /// From now on no chunk is taken, and the blob is not marked complete.
    func abandon() {
        progress.withLock {
            $0.isAbandoned = true
            $0.verified = []
        }
    }
}

extension BlobFiles {
    /// Opens the partial file of the blob that `chunkList` describes, made when it is missing.
    ///
    /// What lies there from an earlier transfer is hashed again, several chunks at once: no record
    /// of progress is trusted, and only chunks that do not verify are fetched again. While one is
    /// open, opening the same blob gives the same object.
    ///
    /// Throws ``BlobFilesError/diskFull`` when the disk has no room for the whole of it.
    package func openPartial(_ chunkList: ChunkList) async throws(BlobFilesError) -> PartialBlob {
        let id = chunkList.blobID
        if let open = openedPartial(id) { return open }
        return try await DiskWork.run { [self] () throws(BlobFilesError) in
            let file = try OpenFile(partialPath(id), O_RDWR | O_CREAT | O_NOFOLLOW)
            guard try file.status().isRegular else { throw .notRegularFile(path: partialPath(id)) }
            do throws(BlobFilesError) {
                try reserve(chunkList.length, in: file)
            } catch {
                // Nothing of it is here: not even an empty file stays.
                if try file.status().length == 0 { unsafe unlink(partialPath(id)) }
                throw error
            }
            let found = try BlobFiles.verifiedChunks(of: chunkList, in: file)
            let blob = register(try PartialBlob(chunkList, file, self, found: found))
            blob.markIfComplete()
            return blob
        }
    }

    /// Bytes of a blob on its way that are verified here; 0 while nothing fetches it.
    package func verifiedBytes(ofPartial id: BlobID) -> UInt64 {
        openedPartial(id)?.verifiedBytes ?? 0
    }

    private static func verifiedChunks(
        of chunkList: ChunkList, in file: OpenFile
    ) throws(BlobFilesError) -> Set<Int> {
        let length = try file.status().length
        if length > chunkList.length {
            try file.truncate(to: chunkList.length)
        }
        let verdicts = try DiskWork.forEach(count: chunkList.hashes.count) {
            (index) throws(BlobFilesError) -> Bool in
            guard let bounds = chunkList.bounds(ofChunk: index), bounds.upperBound <= length else {
                return false
            }
            let bytes = try file.read(at: bounds.lowerBound, count: bounds.count)
            return chunkList.verifies(bytes, asChunk: index)
        }
        return Set(verdicts.indices.filter { verdicts[$0] })
    }
}
