internal import SyncCore

/// What was looked for in a whole space, as it was found with versions of the store. It stands
/// apart from ``LoadedSpaces``, which each transaction replaces: what was found while one was running would go.
struct KeptFindings: Sendable {
    struct Finding<Found: Sendable>: Sendable {
        /// Nil while it is to be looked for again.
        private(set) var found: Found?
        /// ``LoadedSpaces/version``.
        private var version: UInt64 = 0

        /// A reader of an older version may come later.
        mutating func keep(_ found: Found, at version: UInt64) {
            guard version >= self.version else { return }
            (self.found, self.version) = (found, version)
        }

        /// Forgets what was found before this version.
        fileprivate mutating func forget(before version: UInt64) {
            if self.version < version { found = nil }
        }
    }

    /// Files that no record names any more, thumbnails left out.
    var replaced = Finding<[NamedBlob]>()
    /// These and the deleted ones.
    var hidden = Finding<ShownFileTotals>()
    /// Orphans that were written again, with the commits that did so.
    var rewritten = Finding<[CommitID: Set<CommitID>]>()

    /// Without what the space has changed since.
    func current(in space: LoadedSpace) -> KeptFindings {
        var current = self
        current.replaced.forget(before: space.replacedSince)
        current.hidden.forget(before: space.hiddenSince)
        current.rewritten.forget(before: space.rewrittenSince)
        return current
    }
}
