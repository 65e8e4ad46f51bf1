internal import GRDB
package import SyncCore

/// That a person undid a commit on this device, or took an undo back.
package struct Reversal: Sendable, Hashable {
    package enum Kind: Int64, Sendable {
        case undo = 0
        case redo = 1
    }

    /// Grows; what was undone together has one number.
    package let number: Int64
    package let kind: Kind
    /// The commit that was undone, or by which something had been undone.
    package let commit: CommitID
    /// The one by which that was done.
    package let by: CommitID

    package init(number: Int64, kind: Kind, commit: CommitID, by: CommitID) {
        (self.number, self.kind, self.commit, self.by) = (number, kind, commit, by)
    }
}

/// What was undone on this device. Throws what the store throws.
package struct Reversals: Sendable {
    private let store: SyncStore

    package init(of store: SyncStore) { self.store = store }

    /// In the order in which it was done.
    package func all() throws -> [Reversal] {
        try store.read { database in
            try database.rows(
                "SELECT number, kind, commit_id, reversed_by FROM reversals ORDER BY number"
            ).compactMap { row in
                guard let kind = Reversal.Kind(rawValue: try row.integer("kind")) else {
                    return nil
                }
                return Reversal(
                    number: try row.integer("number"), kind: kind,
                    commit: try row.identifier("commit_id"), by: try row.identifier("reversed_by"))
            }
        }
    }

    /// Notes that commits of spaces were undone by others, together.
    package func note(
        _ kind: Reversal.Kind, _ commits: [SpaceID: (undone: [CommitID], by: [CommitID])]
    ) throws {
        try store.write { database in
            let next = (try database.number("SELECT MAX(number) FROM reversals") ?? 0) + 1
            for (space, pair) in commits {
                let row = try store.row(of: space, in: database)
                for commit in pair.undone {
                    for by in pair.by {
                        try database.run(
                            """
                            INSERT INTO reversals (number, kind, space, commit_id, reversed_by)
                            VALUES (?, ?, ?, ?, ?)
                            """, [next, kind.rawValue, row, commit.bytes, by.bytes])
                    }
                }
            }
            // Long past what anybody goes back to.
            try database.run(
                "DELETE FROM reversals WHERE number <= ?", [next - Limits.reversalsKept])
        }
    }
}

extension Limits {
    /// Undos and redos that are remembered.
    static let reversalsKept: Int64 = 1000
}
