internal import Store
internal import SyncCore

/// Commits to ignore when looking at a record.
struct LeftOut {
    /// Ignored completely.
    let undone: Set<CommitID>
    /// Commits that undo others: ignored completely, too.
    var reversers: Set<CommitID> = []
    /// Undone commits, with those that undid them: ignored where the latter undid them.
    var reversed: [CommitID: Set<CommitID>] = [:]

    /// Whether all or a part of a commit is left out.
    func concerns(_ commit: CommitID) -> Bool {
        undone.contains(commit) || reversers.contains(commit) || reversed[commit] != nil
    }
}

/// The ignored writes of one record.
struct RecordLeftOut {
    private let left: LeftOut
    /// By register, the first write of an undone commit: everything before it stays, including old undos.
    private var first: [RegisterName: Int64] = [:]
    /// The writes to the record by commits that undo others, with their places.
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

    /// Whether a commit's write to a register is ignored. For an undone commit, that is where its undoing
    /// commits wrote to the same register, or deleted the record.
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
