internal import Device
internal import Media
internal import SyncCore
internal import Synchronization

/// The folders of files in which names changed since all files were compared: a file that somebody removes from the
/// disk changes the time of its folder. Damage within a file does not.
package final class FolderWatch: Sendable {
    private let files: BlobFiles
    private let clock: AgentClock
    private let loss: LostBlobs
    /// Nil before the first comparison of all files.
    private let known = Mutex<[Int64]?>(nil)

    init(_ files: BlobFiles, _ clock: AgentClock, _ loss: LostBlobs) {
        (self.files, self.clock, self.loss) = (files, clock, loss)
    }

    /// From now on ``missGone()`` looks. All files are to be compared right after this.
    package func begin() {
        known.withLock { if $0 == nil { $0 = times() } }
    }

    /// Misses files that were removed since the last look, so that what is answered after it is true. Looks only into
    /// folders that changed. Returns large files that were put back there and are not read yet.
    func missGone() async throws -> Set<BlobID> {
        // The disk of the folder may come back as it was.
        guard files.access.isThere, let before = known.withLock({ $0 }) else { return [] }
        let now = times()
        let changed = (UInt8.min...UInt8.max).filter {
            now[Int($0)] != before[Int($0)] || now[Int($0)] == Self.young
        }
        guard !changed.isEmpty else { return [] }
        let large = try await loss.compare(beginning: Set(changed), now: clock.wall)
        known.withLock { $0 = now }
        return large
    }

    /// Of a folder that changed a moment ago: the next change may get the same time.
    private static let young: Int64 = -1

    private func times() -> [Int64] {
        let wall = Int64(clamping: clock.wall.value)
        return files.changeTimes.map { time in
            abs(wall - time / 1_000_000) < Limits.folderTimeMilliseconds ? Self.young : time
        }
    }
}

extension Limits {
    /// The clock by which a file system notes changes ticks at least 100 times a second.
    fileprivate static let folderTimeMilliseconds: Int64 = 20
}
