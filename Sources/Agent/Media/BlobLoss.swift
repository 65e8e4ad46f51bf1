import Media
import Store
import SyncCore

/// What follows when the bytes of a blob that counted as present are damaged or gone.
struct BlobLoss: Sendable {
    let store: SyncStore
    let loop: EngineLoop

    /// Whether an error says so, and not only that the disk could not be asked.
    static func isLoss(_ error: any Error) -> Bool {
        switch error {
        case BlobFilesError.corrupt, BlobFilesError.notFound, BlobFilesError.noSuchChunk: true
        default: false
        }
    }

    /// Marks the blob missing and has it fetched again. A damaged file itself stays where it is
    /// until a good copy replaces it.
    func report(_ blob: BlobID) throws {
        try store.markMissing([blob])
        for space in try store.spaces(naming: blob) {
            let needs = try store.missingBlobs(of: space).filter { $0.blob == blob }
            loop.post(.blobsNeeded(needs.map { BlobNeed($0, in: space) }))
        }
    }
}
