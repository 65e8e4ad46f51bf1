internal import GRDB
package import SyncCore

/// Which commits are sealed, and what became of their contents.
enum SealedTable {
    /// For a selection of rows of `commits`: its last columns, which a claim is made of, and from where.
    static let claimed = """
        COALESCE(sealed.contents, length(operations) > 0) AS contents, epoch
        FROM commits LEFT JOIN sealed ON sealed.commit_row = commits.id
        """
    /// The same where nothing is sealed and nothing has to be.
    static let unclaimed = "0 AS contents, NULL AS epoch FROM commits"

    /// Whether what is sealed, or has to be, plays a part in a space.
    static func concerns(_ state: LoadedSpace, in database: Database) throws -> Bool {
        if state.ledger.membership.isEncrypted { return true }
        return try database.number(
            "SELECT 1 FROM sealed WHERE space = ? LIMIT 1", [state.row]) != nil
    }

    static func note(
        _ claim: CommitClaim, at row: Int64, in space: Int64, _ database: Database
    ) throws {
        guard let epoch = claim.epoch else { return }
        try database.run(
            "INSERT INTO sealed (commit_row, space, epoch, contents) VALUES (?, ?, ?, ?)",
            [row, space, epoch.bytes, Int64(claim.contents.rawValue)])
    }

    /// In each log the first commit that had seen an epoch.
    static func sealedFrom(
        _ logs: [LogID: Int64], _ membership: Membership, in database: Database
    ) throws -> [LogID: UInt64] {
        guard membership.isEncrypted else { return [:] }
        return try membership.sealedFrom(logs.keys) { log, other, sequence in
            guard let row = logs[log], let target = logs[other] else { return nil }
            return try database.number(
                """
                SELECT MIN(at_sequence) FROM seen
                WHERE log = ? AND target = ? AND sequence >= ?
                """, [row, target, Int64(bitPattern: sequence)]
            ).map { UInt64(bitPattern: $0) }
        }
    }
}

extension WriteTransaction {
    /// Takes over what a commit holds of the secrets of epochs.
    func learnKeys(from commit: VerifiedCommit) {
        guard let keys = decoder.epochKeys else { return }
        keys.learn(commit.facts, of: commit.id, in: commit.space)
    }

    /// After epochs or who has them changed: judges anew from where on commits have to be sealed, and
    /// opens those that can be by now. Returns the records that these write to.
    func openSealed(
        _ state: inout LoadedSpace, _ outcome: inout ApplyOutcome
    ) throws -> Set<RecordKey> {
        state.ledger.setSealed(
            from: try SealedTable.sealedFrom(
                state.logs, state.ledger.membership, in: database))
        var opened: [(row: Int64, commit: UnverifiedCommit)] = []
        let cursor = try database.rowCursor(
            """
            SELECT commits.id, header, signature, clear, operations
            FROM sealed JOIN commits ON commits.id = sealed.commit_row
            WHERE sealed.space = ? AND contents = ?
            """, [state.row, Int64(CommitContents.closed.rawValue)])
        while let row = try cursor.next() {
            let commit = try row.commit(decoder)
            if commit.contents != .closed { opened.append((try row.integer("id"), commit)) }
        }
        var touched: Set<RecordKey> = []
        for (row, commit) in opened {
            let claim = state.ledger.claim(of: commit)
            try database.run(
                "UPDATE sealed SET contents = ? WHERE commit_row = ?",
                [Int64(claim.contents.rawValue), row])
            try database.run(
                "UPDATE commits SET required = ?, precedence = ? WHERE id = ?",
                [Int64(claim.required.rawValue), Int64(claim.precedence), row])
            touched.formUnion(keys(of: commit, in: state))
        }
        outcome.opened += opened.count
        return touched
    }
}

extension SyncStore {
    /// How many commits of a space that count have changes of records, sealed or not.
    package func changeCount(in space: SpaceID) throws -> Int {
        try read { database in
            let count = try database.number(
                """
                SELECT COUNT(*) FROM commits
                WHERE space = ? AND effective = 1 AND length(operations) > 0
                """, [try row(of: space, in: database)])
            return Int(count ?? 0)
        }
    }

    /// The commits of a space that count and are sealed with a key that is not here.
    package func closedCommits(in space: SpaceID) throws -> Set<CommitID> {
        try read { database in
            let rows = try database.rows(
                """
                SELECT commit_id FROM sealed JOIN commits ON commits.id = sealed.commit_row
                WHERE sealed.space = ? AND contents = ? AND effective = 1
                """,
                [try row(of: space, in: database), Int64(CommitContents.closed.rawValue)])
            return Set(try rows.map { try $0.identifier("commit_id") })
        }
    }
}
