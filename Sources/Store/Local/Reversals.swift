internal import GRDB
package import SyncCore

/// That a person undid commits on this device, took an undo back, or wrote several: together, as one deed. Also what
/// this device wrote by itself.
package struct Reversal: Sendable, Hashable {
    package enum Kind: Int64, Sendable {
        case undo = 0
        case redo = 1
        /// Written by one gesture, and undone as one.
        case together = 2
        /// Written by this device, without a person.
        case automatic = 3
    }

    package let kind: Kind
    /// The commits that were undone, or by which something had been undone, or that were written together or by the
    /// device itself.
    package var commits: [CommitID] = []
    /// Those by which that was done.
    package var by: [CommitID] = []

    package init(_ kind: Kind, _ commits: [CommitID] = [], by: [CommitID] = []) {
        (self.kind, self.commits, self.by) = (kind, commits, by)
    }
}

/// What was undone on this device. Throws what the store throws.
package struct Reversals: Sendable {
    private let connection: StoreConnection

    init(_ connection: StoreConnection) { self.connection = connection }

    /// In the order in which it was done.
    package func all() throws -> [Reversal] {
        try connection.read { database in
            var found: [(number: Int64, reversal: Reversal)] = []
            let rows = try database.rows(
                "SELECT number, kind, commit_id, reverses FROM reversals ORDER BY number")
            for row in rows {
                guard let kind = Reversal.Kind(rawValue: try row.integer("kind")) else { continue }
                let number = try row.integer("number")
                if found.last?.number != number { found.append((number, Reversal(kind))) }
                let commit: CommitID = try row.identifier("commit_id")
                if try row.flag("reverses") {
                    found[found.count - 1].reversal.by.append(commit)
                } else {
                    found[found.count - 1].reversal.commits.append(commit)
                }
            }
            return found.map(\.reversal)
        }
    }

    /// Notes that commits of spaces were undone by others, together.
    package func note(
        _ kind: Reversal.Kind, _ commits: [SpaceID: (undone: [CommitID], by: [CommitID])]
    ) throws {
        try connection.write { database in
            let next = (try database.number("SELECT MAX(number) FROM reversals") ?? 0) + 1
            for (space, pair) in commits {
                let row = try SpaceTable.row(of: space, in: database)
                for (commit, reverses) in pair.undone.map({ ($0, false) })
                    + pair.by.map({ ($0, true) })
                {
                    try database.run(
                        """
                        INSERT INTO reversals (number, commit_id, reverses, kind, space)
                        VALUES (?, ?, ?, ?, ?)
                        """, [next, commit.bytes, Int64(reverses ? 1 : 0), kind.rawValue, row])
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
