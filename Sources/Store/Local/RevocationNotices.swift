internal import GRDB
package import SyncCore

/// That this device may not read a space any more, as those who took it let it know: of the commits
/// since it has none.
package struct RevocationNotice: Sendable, Equatable {
    package let commit: CommitID
    /// The person who took it.
    package let person: PersonID
    /// By the clock of their device.
    package let written: Milliseconds
    /// Whether no device of this person has it any more.
    package let isWholePerson: Bool

    package init(
        commit: CommitID, person: PersonID, written: Milliseconds, isWholePerson: Bool
    ) {
        (self.commit, self.person) = (commit, person)
        (self.written, self.isWholePerson) = (written, isWholePerson)
    }
}

/// What was said of spaces that were taken from this device, as a store keeps it: one row for a space,
/// which goes with it.
package struct RevocationNotices: Sendable {
    private let connection: StoreConnection

    init(_ connection: StoreConnection) { self.connection = connection }

    /// Keeps what was said about a space, and what follows from it; nil when nothing does any more.
    package func keep(_ notice: RevocationNotice?, saying said: [UInt8], of space: SpaceID) throws {
        try connection.write { database in
            let row = try SpaceTable.row(of: space, in: database)
            if let notice {
                try RevocationNotices.insert(notice, saying: said, of: row, in: database)
            } else {
                try database.run("DELETE FROM revocation_notices WHERE space = ?", [row])
            }
        }
    }

    static func insert(
        _ notice: RevocationNotice, saying said: [UInt8], of space: Int64, in database: Database
    ) throws {
        try database.run(
            """
            INSERT OR REPLACE INTO revocation_notices
                (space, commit_id, person, written_at, whole_person, said)
            VALUES (?, ?, ?, ?, ?, ?)
            """,
            [
                space, notice.commit.bytes, notice.person.bytes, notice.written.stored,
                notice.isWholePerson, said,
            ])
    }

    /// What was said about a space, word by word; nil when nothing was.
    package func words(of space: SpaceID) throws -> [UInt8]? {
        try row(of: space)?.bytes("said")
    }

    /// What was said about a space, as long as nothing that is here says more.
    package func notice(of space: SpaceID) throws -> RevocationNotice? {
        guard let row = try row(of: space) else { return nil }
        let notice = RevocationNotice(
            commit: try row.identifier("commit_id"), person: try row.identifier("person"),
            written: try row.moment("written_at") ?? Milliseconds(0),
            isWholePerson: try row.flag("whole_person"))
        let isNews = connection.loaded {
            $0.spaces[space]?.ledger.membership.facts.containsAny(of: notice.commit) == false
        }
        return isNews ? notice : nil
    }

    private func row(of space: SpaceID) throws -> Row? {
        try connection.read { database in
            try database.row(
                """
                SELECT revocation_notices.* FROM revocation_notices
                JOIN spaces ON spaces.id = revocation_notices.space WHERE space_id = ?
                """, [space.bytes])
        }
    }
}
