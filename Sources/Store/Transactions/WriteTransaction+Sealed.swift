internal import GRDB
internal import SyncCore

extension CommitDecoding {
    /// Takes over what a commit holds of the secrets of epochs.
    func learnKeys(from commit: VerifiedCommit) {
        epochKeys?.learn(commit.facts, of: commit.id, in: commit.space)
    }
}

extension WriteTransaction {
    /// Call it after epochs or their holders changed: judges again from where on commits must be sealed,
    /// and opens those that now can be. Returns the records that these write to.
    func openSealed(
        _ state: inout LoadedSpace, _ report: inout ApplyReport
    ) throws -> Set<RecordKey> {
        state.ledger.setSealed(
            from: try SealedTable.sealedFrom(
                state.logs, state.ledger.membership, in: database))
        let opened = try SealedTable.openable(in: state, decoder, database)
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
            try NewerParts.note(commit, in: database)
        }
        report.opened += opened.count
        return touched
    }
}

extension WriteTransaction {
    /// A commit comes whole of which a part was kept back while this device only carried the space, or which had
    /// lost its content where this device got it.
    func complete(
        _ commit: VerifiedCommit, in state: inout LoadedSpace, _ report: inout ApplyReport
    ) throws {
        let (header, encoded) = (commit.header, commit.encoded)
        guard let first = state.ledger.sealing.withheldFrom[header.log], header.sequence >= first,
            !commit.commit.isWithheld, state.ledger.hasRoomForFacts(of: commit),
            let log = state.logs[header.log],
            let row = try database.number(
                """
                SELECT commits.id FROM commits JOIN sealed ON commit_row = commits.id
                WHERE log = ? AND sequence = ? AND contents = ?
                """,
                [
                    log, Int64(bitPattern: header.sequence),
                    Int64(CommitContents.withheld.rawValue),
                ])
        else { return }
        // Nobody takes such a commit when it comes whole at once.
        guard try commit.commit.clear.isOfRecords || !GroupTable.holds(header, in: log, database)
        else { return }
        try adoptRights(of: commit, at: row, in: &state, &report)
        let claim = state.ledger.claim(of: commit.commit)
        try database.run(
            """
            UPDATE commits SET effective = ?, facts = ?, required = ?, precedence = ?,
                byte_count = ?, clear = ?, operations = ? WHERE id = ?
            """,
            [
                state.ledger.isEffective(claim), !commit.facts.isEmpty,
                Int64(claim.required.rawValue),
                Int64(claim.precedence), encoded.byteCount, encoded.clear, encoded.operations, row,
            ])
        try database.run("DELETE FROM sealed WHERE commit_row = ?", [row])
        report.need(
            try BlobTable.name(
                commit.commit.clear.blobs, by: row, in: state.row, database))
        state.forgetFiles(at: nextVersion)
        state.ledger.setWithheld(
            from: try SealedTable.withheldFrom(state.row, state.logs, in: database))
        displaced.formUnion(keys(of: commit.commit, in: state))
    }

    /// Takes over what a commit that became whole says of rights and of the schema. Nobody who means well keeps
    /// that back; a device that does must not take it away for good.
    private func adoptRights(
        of commit: VerifiedCommit, at row: Int64, in state: inout LoadedSpace,
        _ report: inout ApplyReport
    ) throws {
        if try SpaceTable.notePin(of: commit.commit, at: row, in: state.row, database) {
            hasPins = true
        }
        guard !commit.facts.isEmpty, let log = state.logs[commit.header.log] else { return }
        decoder.learnKeys(from: commit)
        loaded.keys.learn(from: commit.commit.clear)
        let seen =
            commit.needsSeen
            ? try SeenTable.seen(by: log, at: commit.header.sequence, database) : [:]
        if state.ledger.completed(commit, seen: seen) { report.membershipChanged = true }
        try adoptForks(statedBy: commit, in: &state, &report)
    }
}

extension SealedTable {
    /// Whether what is sealed, or has to be, plays a part in a space.
    static func concerns(_ state: LoadedSpace, in database: Database) throws -> Bool {
        if state.ledger.membership.isEncrypted { return true }
        return try database.number(
            "SELECT 1 FROM sealed WHERE space = ? LIMIT 1", [state.row]) != nil
    }

    /// Whether a commit that was opened, or found broken, cannot be opened now: a record that is rebuilt would
    /// lose what it says.
    static func lacksKeys(
        in state: LoadedSpace, _ decoder: any CommitDecoding, _ database: Database
    ) throws -> Bool {
        let known = [CommitContents.opened, .broken].map { Int64($0.rawValue) }
        let epochs = try database.rows(
            "SELECT DISTINCT epoch FROM sealed WHERE space = ? AND contents IN (?, ?)",
            [state.row, known[0], known[1]])
        return try epochs.contains { row in
            let epoch: CommitID = try row.identifier("epoch")
            return decoder.epochKeys?.holds(epoch, in: state.ledger.space) != true
        }
    }

    /// The closed commits of a space for which a key is here; a vault has none, and looks at none.
    static func openable(
        in state: LoadedSpace, _ decoder: any CommitDecoding, _ database: Database
    ) throws -> [(row: Int64, commit: UnverifiedCommit)] {
        let closed = Int64(CommitContents.closed.rawValue)
        let epochs = try database.rows(
            "SELECT DISTINCT epoch FROM sealed WHERE space = ? AND contents = ?",
            [state.row, closed])
        var found: [(row: Int64, commit: UnverifiedCommit)] = []
        for entry in epochs {
            let epoch: CommitID = try entry.identifier("epoch")
            guard decoder.epochKeys?.holds(epoch, in: state.ledger.space) == true else { continue }
            let cursor = try database.rowCursor(
                """
                SELECT commits.id, header, signature, clear, operations
                FROM sealed JOIN commits ON commits.id = sealed.commit_row
                WHERE sealed.space = ? AND contents = ? AND sealed.epoch = ?
                """, [state.row, closed, epoch.bytes])
            while let row = try cursor.next() {
                let commit = try row.commit(decoder)
                if commit.contents != .closed { found.append((try row.integer("id"), commit)) }
            }
        }
        return found
    }
}
