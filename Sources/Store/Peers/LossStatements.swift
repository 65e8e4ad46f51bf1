internal import GRDB
package import SyncCore

/// A statement about a lost device, as it is kept.
package struct StoredLossStatement: Hashable, Sendable {
    package let id: LossID
    package let person: PersonID
    /// When this device heard of it first.
    package let heardAt: Milliseconds
    /// With signature and cards.
    package let content: [UInt8]

    package init(id: LossID, person: PersonID, heardAt: Milliseconds, content: [UInt8]) {
        (self.id, self.person, self.heardAt) = (id, person, heardAt)
        self.content = content
    }
}

/// Statements about lost devices in the store.
package struct LossStatements: Sendable {
    private let connection: StoreConnection

    init(_ connection: StoreConnection) { self.connection = connection }

    package func all() throws -> [StoredLossStatement] {
        try connection.read { database in
            try database.rows("SELECT * FROM loss_statements ORDER BY id").map { row in
                StoredLossStatement(
                    id: try row.identifier("id"), person: try row.identifier("person"),
                    heardAt: try row.moment("heard_at") ?? Milliseconds(0),
                    content: try row.bytes("content"))
            }
        }
    }

    /// Keeps statements, and no more of those that go beyond what is kept of a person. A statement with other
    /// content under the same id was damaged, and is replaced.
    package func keep(
        _ statements: [StoredLossStatement], dropping dropped: some Sequence<LossID>
    ) throws {
        try connection.turn { turn in
            let database = turn.database
            turn.loaded.isMarked = false
            for statement in statements {
                try database.run(
                    """
                    INSERT INTO loss_statements (id, person, heard_at, content)
                    VALUES (?, ?, ?, ?)
                    ON CONFLICT DO UPDATE SET person = excluded.person,
                        heard_at = excluded.heard_at, content = excluded.content
                    WHERE person <> excluded.person OR content <> excluded.content
                    """,
                    [
                        statement.id.bytes, statement.person.bytes, statement.heardAt.stored,
                        statement.content,
                    ])
            }
            for id in dropped {
                try database.run("DELETE FROM loss_statements WHERE id = ?", [id.bytes])
            }
        }
    }
}
