internal import Store
internal import SyncCore

/// The commits that are currently undone, given that undos can be redone, and redos undone.
struct ReversalGraph {
    private let reversals: [Reversal]
    private let reversedIn: [CommitID: [Int]]
    /// Commits that undo or redo something; they are not deeds themselves.
    let reversers: Set<CommitID>
    /// By commit, all commits of its deed.
    private let deeds: [CommitID: Set<CommitID>]
    /// Commits that this device wrote without a person: no deeds that keep an undo from being taken back.
    let automatic: Set<CommitID>

    init(_ all: [Reversal]) {
        deeds = all.filter { $0.kind == .together }.reduce(into: [:]) { deeds, deed in
            let commits = Set(deed.commits)
            for commit in commits { deeds[commit] = commits }
        }
        automatic = Set(all.filter { $0.kind == .automatic }.flatMap(\.commits))
        let reversals = all.filter { [.undo, .redo].contains($0.kind) }
        self.reversals = reversals
        var reversedIn: [CommitID: [Int]] = [:]
        for (index, reversal) in reversals.enumerated() {
            for commit in reversal.commits { reversedIn[commit, default: []].append(index) }
        }
        self.reversedIn = reversedIn
        reversers = Set(reversals.flatMap(\.by))
    }

    /// All commits of a commit's deed, including itself.
    func deed(of commit: CommitID) -> Set<CommitID> { deeds[commit] ?? [commit] }

    /// Whether a commit is in effect, if some others were undone.
    func isLive(_ commit: CommitID, ifUndone dead: Set<CommitID> = []) -> Bool {
        !dead.contains(commit)
            && !(reversedIn[commit] ?? []).contains { isLive(reversals[$0], dead) }
    }

    /// Whether a commit was undone, or undid something itself.
    func isOfUndo(_ commit: CommitID) -> Bool {
        !isLive(commit) || reversals.contains { $0.kind == .undo && $0.by.contains(commit) }
    }

    private func isLive(_ reversal: Reversal, _ dead: Set<CommitID>) -> Bool {
        reversal.by.contains { isLive($0, ifUndone: dead) }
    }

    /// These, and all others that have no effect together once these are undone. An undo that names no commits has an
    /// effect of its own: it reverted redatings by any device.
    func leftOut(undoing commits: Set<CommitID>) -> LeftOut {
        var left = LeftOut(undone: commits)
        for reversal in reversals where !reversal.commits.isEmpty && isLive(reversal, commits) {
            left.reversers.formUnion(reversal.by)
            for commit in reversal.commits {
                left.reversed[commit, default: []].formUnion(reversal.by)
            }
        }
        return left
    }

    /// The commits of the last undo that is in effect; nil when there is none.
    var lastUndo: Set<CommitID>? {
        let last = reversals.last { $0.kind == .undo && isLive($0, []) }
        return last.map { Set($0.by) }
    }
}
