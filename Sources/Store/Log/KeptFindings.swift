internal import SyncCore

/// What was looked for in a whole space, as it was found with versions of the store. It stands
/// apart from ``LoadedSpaces``, which each transaction replaces: what was found while one was running would go.
struct KeptFindings: Sendable {
    private struct Finding<Found: Sendable>: Sendable {
        let found: Found
        /// ``LoadedSpaces/version``.
        let version: UInt64
    }

    private var foundReplaced: Finding<[NamedBlob]>?
    private var foundHidden: Finding<ShownFileTotals>?
    private var foundRewritten: Finding<[CommitID: Set<CommitID>]>?

    /// Files that no record names any more, thumbnails left out; nil while they are to be looked for again.
    var replaced: [NamedBlob]? { foundReplaced?.found }
    /// These and the deleted ones; nil while they are to be added up again.
    var hidden: ShownFileTotals? { foundHidden?.found }
    /// Orphans that were written again, with the commits that did so; nil while they are to be looked for again.
    var rewritten: [CommitID: Set<CommitID>]? { foundRewritten?.found }

    /// Without what the space has changed since.
    func current(in space: LoadedSpace) -> KeptFindings {
        var current = self
        if let kept = foundReplaced, kept.version < space.replacedSince {
            current.foundReplaced = nil
        }
        if let kept = foundHidden, kept.version < space.hiddenSince { current.foundHidden = nil }
        if let kept = foundRewritten, kept.version < space.rewrittenSince {
            current.foundRewritten = nil
        }
        return current
    }

    /// A reader of an older version may come later.
    mutating func keep(replaced files: [NamedBlob], at version: UInt64) {
        guard foundReplaced.map({ $0.version <= version }) ?? true else { return }
        foundReplaced = Finding(found: files, version: version)
    }

    mutating func keep(hidden totals: ShownFileTotals, at version: UInt64) {
        guard foundHidden.map({ $0.version <= version }) ?? true else { return }
        foundHidden = Finding(found: totals, version: version)
    }

    mutating func keep(rewritten orphans: [CommitID: Set<CommitID>], at version: UInt64) {
        guard foundRewritten.map({ $0.version <= version }) ?? true else { return }
        foundRewritten = Finding(found: orphans, version: version)
    }
}
