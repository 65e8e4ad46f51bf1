internal import SyncCore

/// Files of a space that it names and does not show, as they were found with versions of the store. They stand
/// apart from ``LoadedSpaces``, which each transaction replaces: what was found while one was running would go.
struct KeptFiles: Sendable {
    private struct Found<Files: Sendable>: Sendable {
        let files: Files
        /// ``LoadedSpaces/version``.
        let version: UInt64
    }

    private var foundReplaced: Found<[NamedBlob]>?
    private var foundHidden: Found<ShownFileTotals>?

    /// Those that no record names any more, thumbnails left out; nil while they are to be looked for again.
    var replaced: [NamedBlob]? { foundReplaced?.files }
    /// These and the deleted ones; nil while they are to be added up again.
    var hidden: ShownFileTotals? { foundHidden?.files }

    /// Without what the space has changed since.
    func current(in space: LoadedSpace) -> KeptFiles {
        var current = self
        if let found = foundReplaced, found.version < space.replacedSince {
            current.foundReplaced = nil
        }
        if let found = foundHidden, found.version < space.hiddenSince { current.foundHidden = nil }
        return current
    }

    /// A reader of an older version may come later.
    mutating func keep(replaced files: [NamedBlob], at version: UInt64) {
        guard foundReplaced.map({ $0.version <= version }) ?? true else { return }
        foundReplaced = Found(files: files, version: version)
    }

    mutating func keep(hidden totals: ShownFileTotals, at version: UInt64) {
        guard foundHidden.map({ $0.version <= version }) ?? true else { return }
        foundHidden = Found(files: totals, version: version)
    }
}
