internal import Store
internal import SyncCore

/// Which commits are undone by now, as one undoes another, and a redo that in turn.
struct ReversalGraph {
    private let reversals: [Reversal]
    private let reversedBy: [CommitID: [CommitID]]
    /// Those that undo or redo something: no deeds of their own.
    let reversers: Set<CommitID>

    init(_ reversals: [Reversal]) {
        self.reversals = reversals
        reversedBy = Dictionary(grouping: reversals, by: \.commit).mapValues { $0.map(\.by) }
        reversers = Set(reversals.map(\.by))
    }

    /// Whether a commit is in effect, were some others undone.
    func isLive(_ commit: CommitID, ifUndone dead: Set<CommitID> = []) -> Bool {
        !dead.contains(commit)
            && !(reversedBy[commit] ?? []).contains { isLive($0, ifUndone: dead) }
    }

    /// These and all others that together change nothing, were these undone.
    func leftOut(undoing commits: Set<CommitID>) -> Set<CommitID> {
        var left = commits
        for reversal in reversals where isLive(reversal.by, ifUndone: commits) {
            left.formUnion([reversal.commit, reversal.by])
        }
        return left
    }

    /// What carried out the last undo that is in effect; nil when there is none.
    var lastUndo: Set<CommitID>? {
        let last = reversals.last { $0.kind == .undo && isLive($0.by) }
        return last.map { last in Set(reversals.filter { $0.number == last.number }.map(\.by)) }
    }
}
