internal import Device
import Media
import Node
import Store
package import SyncCore
internal import Synchronization

/// Compares what is noted of files with the disk: misses those that somebody removed, and finds those that count as
/// missing, because somebody put them back, or this user may read them again.
package final class FileFinder: FileFinding {
    /// Finds files that were removed from the disk.
    package let watch: FolderWatch
    private let files: BlobFiles
    private let store: SyncStore
    private let clock: AgentClock
    private let loss: LostBlobs
    /// Reads large files.
    private let work: WorkQueue
    /// When damaged files got their names that lie where they are missed, in seconds since 1970.
    private let unsound = Mutex<[BlobID: Int64]>([:])

    init(
        _ files: BlobFiles, _ store: SyncStore, _ clock: AgentClock, _ loss: LostBlobs,
        _ work: WorkQueue
    ) {
        (self.files, self.store, self.clock, self.loss) = (files, store, clock, loss)
        self.work = work
        watch = FolderWatch(files, clock, loss)
    }

    /// Compares what is noted with the names of the files, so that what is told after it is true.
    package func compareWithDisk() async throws {
        try await missGone()
        findLater(try await loss.findAgain(now: clock.wall))
    }

    /// Misses files that were removed since the last look. Looks only into folders that changed.
    package func missGone() async throws { findLater(try await watch.missGone()) }

    /// No answer waits until large files are read.
    private func findLater(_ blobs: Set<BlobID>) {
        if !blobs.isEmpty { work.add(.findFiles(blobs)) }
    }

    /// The same for files that changed since the last look, and for those that were here and are missed: mostly none.
    package func compareMissed() async throws {
        try await missGone()
        let gone = try await store.offloaded { store in
            try store.ledgers.keys.flatMap { try store.files.gone(of: $0) }
        }
        // A damaged file stays where it is, and need not be read each time.
        let times = Dictionary(
            gone.compactMap { file in files.finishedAt(file.blob).map { (file.blob, $0) } }
        ) { first, _ in first }
        let looked = unsound.withLock { $0 }
        let unread = times.filter { looked[$0.key] != $0.value }.keys.sorted()
        let found = try await loss.findAgain(unread, now: clock.wall)
        unsound.withLock { $0 = times.filter { !found.contains($0.key) } }
    }

    package func findMissing() async throws { try await loss.findAll(now: clock.wall) }

    package func findAgain(_ blob: BlobID) async throws -> Bool {
        guard try await loss.findAgain([blob], now: clock.wall).isEmpty else { return true }
        if let folder = files.access.closedFolder { throw BlobFilesError.noAccess(path: folder) }
        return false
    }
}
