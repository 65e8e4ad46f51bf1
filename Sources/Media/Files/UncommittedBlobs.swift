internal import Glibc
internal import SyncCore
internal import Synchronization

/// Blobs in `partial`: which are open, and of which every chunk is verified. After a failed
/// synchronization no others are committed.
struct UncommittedBlobs: ~Copyable, Sendable {
    private let state = Mutex(State())

    private struct State {
        /// Blobs with all chunks verified, and the identity of their file in `partial`.
        var complete: [BlobID: FileIdentity] = [:]
        var partials: [BlobID: OpenPartial] = [:]
        /// Errno of a failed synchronization: nothing is acknowledged after it.
        var syncFailure: Int32?
    }

    private struct OpenPartial {
        weak let blob: PartialBlob?
    }

    func opened(_ id: BlobID) -> PartialBlob? {
        state.withLock { $0.partials[id]?.blob }
    }

    /// Registers `blob`, or returns the one that is registered for its id already.
    func register(_ blob: PartialBlob) -> PartialBlob {
        state.withLock { state in
            if let earlier = state.partials[blob.id]?.blob { return earlier }
            state.partials = state.partials.filter { $0.value.blob != nil }
            state.partials[blob.id] = OpenPartial(blob: blob)
            return blob
        }
    }

    func markComplete(_ id: BlobID, in file: FileIdentity) {
        state.withLock { $0.complete[id] = file }
    }

    /// Whether the file at `path` is the one in which every chunk was verified.
    func isComplete(_ id: BlobID, at path: String) -> Bool {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return false }
        return state.withLock { $0.complete[id] } == FileStatus(status).identity
    }

    func forget(_ ids: [BlobID]) {
        state.withLock { state in
            for id in ids {
                state.complete[id] = nil
                state.partials[id] = nil
            }
        }
    }

    /// Throws when a synchronization has failed since these files were opened.
    func checkSync() throws(BlobFilesError) {
        if let number = state.withLock({ $0.syncFailure }) { throw .syncFailed(number: number) }
    }

    func recordSyncFailure(_ number: Int32) {
        state.withLock { $0.syncFailure = number }
    }
}
