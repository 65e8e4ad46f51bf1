internal import Glibc
package import SyncCore
internal import Synchronization

/// A blob that is being fetched: chunks come in any order, each verified before it is written.
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

    package var verifiedChunks: Set<Int> { progress.withLock { $0.verified } }

    package var verifiedBytes: UInt64 {
        verifiedChunks.reduce(0) { $0 + UInt64(chunkList.bounds(ofChunk: $1)?.count ?? 0) }
    }

    /// Writes chunk `index` after checking its length and hash, on another thread. Several may run at once;
    /// a chunk that is here already is not written again.
    ///
    /// Throws ``BlobFilesError/wrongChunk(_:)`` when the bytes do not match: the sender's fault, and
    /// nothing was written.
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

    /// Called with the lock held, so that nothing is marked after ``abandon()``.
    private func markIfComplete(_ progress: Progress) {
        guard progress.verified.count == chunkList.hashes.count, !progress.isAbandoned else {
            return
        }
        files.uncommitted.markComplete(id, in: identity)
    }

    /// Refuses chunks from now on, and does not mark the blob complete.
    func abandon() {
        progress.withLock {
            $0.isAbandoned = true
            $0.verified = []
        }
    }
}

extension BlobFiles {
    /// Opens the partial file of the blob that `chunkList` describes, and creates it when missing.
    ///
    /// Existing bytes are hashed again, several chunks at once: no record of progress is trusted, and only
    /// chunks that do not verify are fetched again. While a blob is open, opening it again gives the same
    /// object.
    ///
    /// Throws ``BlobFilesError/diskFull`` when the disk has no room for all of it.
    package func openPartial(_ chunkList: ChunkList) async throws(BlobFilesError) -> PartialBlob {
        let id = chunkList.blobID
        if let open = uncommitted.opened(id) { return open }
        return try await DiskWork.run { [self] () throws(BlobFilesError) in
            let path = layout.partial(id)
            let file = try access.own(path) { () throws(BlobFilesError) in
                try OpenFile(path, O_RDWR | O_CREAT | O_NOFOLLOW)
            }
            guard try file.status().isRegular else {
                throw .notRegularFile(path: path)
            }
            do throws(BlobFilesError) {
                try reserve(chunkList.length, in: file)
            } catch {
                // An empty file is not left behind.
                if try file.status().length == 0 { unsafe unlink(path) }
                throw error
            }
            let found = try BlobFiles.verifiedChunks(of: chunkList, in: file)
            let blob = uncommitted.register(try PartialBlob(chunkList, file, self, found: found))
            blob.markIfComplete()
            return blob
        }
    }

    /// Verified bytes of a blob that is being fetched; 0 while it is not.
    package func verifiedBytes(ofPartial id: BlobID) -> UInt64 {
        uncommitted.opened(id)?.verifiedBytes ?? 0
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
