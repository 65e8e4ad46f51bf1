internal import SyncCore
internal import Synchronization

/// Files that were found to be here, so that nobody looks for each of them again while they go to others. Of a space
/// that is true as long as this device says nothing new of its files.
package final class FilesSeenHere: Sendable {
    private struct Seen {
        var ownWord: UInt64
        var files: Set<BlobID> = []
    }

    private let spaces = Mutex<[SpaceID: Seen]>([:])

    package init() {}

    /// `ownWord` is the counter of this device's last Holdings of the space.
    func known(in space: SpaceID, ownWord: UInt64) -> Set<BlobID> {
        spaces.withLock { $0[space].flatMap { $0.ownWord == ownWord ? $0.files : nil } ?? [] }
    }

    func note(_ files: [BlobID], in space: SpaceID, ownWord: UInt64) {
        guard !files.isEmpty else { return }
        spaces.withLock { spaces in
            var seen = spaces[space] ?? Seen(ownWord: ownWord)
            if seen.ownWord != ownWord || seen.files.count >= Limits.filesSeenHere {
                seen = Seen(ownWord: ownWord)
            }
            seen.files.formUnion(files)
            spaces[space] = seen
        }
    }
}

extension Limits {
    /// Files of a space that are remembered as here: as many as four devices list.
    static let filesSeenHere = 16_384
}
