internal import Store
internal import SyncCore

/// Commits without which a record is looked at.
struct LeftOut {
    /// Nothing of these counts.
    let undone: Set<CommitID>
    /// Commits that undo others: nothing of these counts either.
    var reversers: Set<CommitID> = []
    /// What others undid, and by what: of these counts only what the others did not undo.
    var reversed: [CommitID: Set<CommitID>] = [:]

    /// Whether all or a part of a commit is left out.
    func concerns(_ commit: CommitID) -> Bool {
        undone.contains(commit) || reversers.contains(commit) || reversed[commit] != nil
    }
}

/// What is left out of one record.
struct RecordLeftOut {
    private let left: LeftOut
    /// Where something undone wrote to a register first: all before that is as it was, old undos too.
    private var first: [RegisterName: Int64] = [:]
    /// What the commits that undo others write to the record, and where they stand.
    private var undoing: [CommitID: (place: Int64, writes: [Write])] = [:]

    /// `operations` on the record, in storing order.
    init(_ left: LeftOut, _ operations: [(commit: PastCommit, operation: RecordOperation)]) {
        self.left = left
        for (commit, operation) in operations {
            let (id, place) = (commit.stored.commit.id, commit.stored.place)
            if left.undone.contains(id) {
                for name in operation.writes.map(RegisterName.init) {
                    first[name] = first[name] ?? place
                }
            }
            if left.reversers.contains(id) {
                undoing[id, default: (place, [])].writes += operation.writes
            }
        }
    }

    /// Whether what a commit wrote to a register is left out. Of one that others undid it is where they wrote
    /// to the same register, or deleted the record.
    func contains(_ register: RegisterName, of commit: PastCommit) -> Bool {
        guard let first = first[register] else { return false }
        let id = commit.stored.commit.id
        if left.undone.contains(id) { return true }
        if left.reversers.contains(id) { return commit.stored.place > first }
        return (left.reversed[id] ?? []).contains { reverser in
            guard let (place, writes) = undoing[reverser], place > first else { return false }
            return writes.contains { $0.isDeletion || RegisterName($0) == register }
        }
    }
}
