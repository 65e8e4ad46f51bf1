internal import GRDB
package import SyncCore

/// Which commits are sealed or not whole, and what became of their contents.
enum SealedTable {
    /// For a selection of rows of `commits`: its last columns, which a claim is made of, and from where.
    static let claimed = """
        COALESCE(sealed.contents, length(operations) > 0) AS contents, epoch
        FROM commits LEFT JOIN sealed ON sealed.commit_row = commits.id
        """
    /// The same where nothing is sealed and nothing has to be.
    static let unclaimed = "0 AS contents, NULL AS epoch FROM commits"

    /// Whether the commit in a row of `blob_names` is sealed.
    static let namesSealed = """
        EXISTS (SELECT 1 FROM sealed
            WHERE sealed.commit_row = blob_names.commit_row AND length(sealed.epoch) > 0)
        """

    /// Whether what is sealed, or has to be, plays a part in a space.
    static func concerns(_ state: LoadedSpace, in database: Database) throws -> Bool {
        if state.ledger.membership.isEncrypted { return true }
        return try database.number(
            "SELECT 1 FROM sealed WHERE space = ? LIMIT 1", [state.row]) != nil
    }

    static func note(
        _ claim: CommitClaim, at row: Int64, in space: Int64, _ database: Database
    ) throws {
        guard claim.epoch != nil || claim.contents == .withheld else { return }
        try database.run(
            "INSERT INTO sealed (commit_row, space, epoch, contents) VALUES (?, ?, ?, ?)",
            [row, space, claim.epoch?.bytes ?? [], Int64(claim.contents.rawValue)])
    }

    static func sealing(
        of space: Int64, _ logs: [LogID: Int64], _ membership: Membership, in database: Database
    ) throws -> LogSealing {
        LogSealing(
            sealedFrom: try sealedFrom(logs, membership, in: database),
            withheldFrom: try withheldFrom(space, logs, in: database))
    }

    /// In each log that has them the first commit of which a part was kept back.
    static func withheldFrom(
        _ space: Int64, _ logs: [LogID: Int64], in database: Database
    ) throws -> [LogID: UInt64] {
        let rows = try database.rows(
            """
            SELECT log, MIN(sequence) AS sequence FROM sealed
                JOIN commits ON commits.id = sealed.commit_row
            WHERE sealed.space = ? AND contents = ? GROUP BY log
            """, [space, Int64(CommitContents.withheld.rawValue)])
        let first = try rows.reduce(into: [Int64: UInt64]()) {
            $0[try $1.integer("log")] = try $1.sequence("sequence")
        }
        return first.isEmpty ? [:] : logs.compactMapValues { first[$0] }
    }

    /// In each log the first commit that had seen an epoch.
    static func sealedFrom(
        _ logs: [LogID: Int64], _ membership: Membership, in database: Database
    ) throws -> [LogID: UInt64] {
        guard membership.isEncrypted else { return [:] }
        return try membership.epochFacts.sealedFrom(logs.keys) { log, other, sequence in
            guard let row = logs[log], let target = logs[other] else { return nil }
            return try database.number(
                """
                SELECT MIN(at_sequence) FROM seen
                WHERE log = ? AND target = ? AND sequence >= ?
                """, [row, target, Int64(bitPattern: sequence)]
            ).map { UInt64(bitPattern: $0) }
        }
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
    fileprivate static func openable(
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

extension WriteTransaction {
    /// Takes over what a commit holds of the secrets of epochs.
    func learnKeys(from commit: VerifiedCommit) {
        guard let keys = decoder.epochKeys else { return }
        keys.learn(commit.facts, of: commit.id, in: commit.space)
    }

    /// Call it after epochs or their holders changed: judges again from where on commits must be sealed,
    /// and opens those that now can be. Returns the records that these write to.
    func openSealed(
        _ state: inout LoadedSpace, _ outcome: inout ApplyOutcome
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
        outcome.opened += opened.count
        return touched
    }
}

extension StoredRecords {
    /// Whether a record would lose what an encrypted commit says if it were rebuilt now.
    package func lackKeys() throws -> Bool {
        let spaces = connection.loaded { $0.spaces }
        return try connection.read { database in
            try spaces.values.contains {
                try SealedTable.lacksKeys(in: $0, connection.decoder, database)
            }
        }
    }

    /// Opens the closed commits for which a key is here, and shows what they say. There are such commits after
    /// an opening that stored them without this device's keys, as the doctor's rebuild may, or by an older
    /// program that could not read them. Returns their number.
    package func openClosed() throws -> Int {
        let encrypted = connection.loaded { $0.spaces }
            .filter { $0.value.ledger.membership.hasEpochs }
        guard !encrypted.isEmpty else { return 0 }
        let spaces = try connection.read { database in
            try encrypted.filter { _, state in
                try !SealedTable.openable(in: state, connection.decoder, database).isEmpty
            }
        }
        return try spaces.keys.sorted().reduce(0) { count, space in
            try connection.turn { turn in
                guard var state = turn.loaded.spaces[space] else { return count }
                var outcome = ApplyOutcome(space: space)
                // An opened commit may need other rights than a closed one.
                outcome.membershipChanged = true
                try turn.finish(&state, since: state.ledger, &outcome)
                turn.loaded.spaces[space] = state
                return count + outcome.opened
            }
        }
    }
}

extension WriteTransaction {
    /// A commit comes whole of which a part was kept back while this device only carried the space, or which had
    /// lost its content where this device got it.
    func complete(
        _ commit: VerifiedCommit, in state: inout LoadedSpace, _ outcome: inout ApplyOutcome
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
        try adoptRights(of: commit, at: row, in: &state, &outcome)
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
        outcome.missingBlobs += try BlobTable.name(
            commit.commit.clear.blobs, by: row, in: state.row, database)
        state.forgetFiles(at: nextVersion)
        state.ledger.setWithheld(
            from: try SealedTable.withheldFrom(state.row, state.logs, in: database))
        outcome.displaced.formUnion(keys(of: commit.commit, in: state))
    }

    /// Takes over what a commit that became whole says of rights and of the schema. Nobody who means well keeps
    /// that back; a device that does must not take it away for good.
    private func adoptRights(
        of commit: VerifiedCommit, at row: Int64, in state: inout LoadedSpace,
        _ outcome: inout ApplyOutcome
    ) throws {
        if try SpaceTable.notePin(of: commit.commit, at: row, in: state.row, database) {
            outcome.hasPins = true
        }
        guard !commit.facts.isEmpty, let log = state.logs[commit.header.log] else { return }
        learnKeys(from: commit)
        loaded.keys.learn(from: commit.commit.clear)
        let seen =
            commit.needsSeen
            ? try SeenTable.seen(by: log, at: commit.header.sequence, database) : [:]
        if state.ledger.completed(commit, seen: seen) { outcome.membershipChanged = true }
        try adoptForks(statedBy: commit, in: &state, &outcome)
    }
}

/// Commits that are sealed or not whole, and the keys they need.
package struct SealedCommits: Sendable {
    let connection: StoreConnection

    init(_ connection: StoreConnection) { self.connection = connection }

    /// How many commits of a space are here of which a part was kept back.
    package func withheldCount(in space: SpaceID) throws -> Int {
        try connection.read { database in
            let count = try database.number(
                "SELECT COUNT(*) FROM sealed WHERE space = ? AND contents = ?",
                [
                    try SpaceTable.row(of: space, in: database),
                    Int64(CommitContents.withheld.rawValue),
                ])
            return Int(count ?? 0)
        }
    }

    /// Whether changes of records count in a space that are not sealed.
    package func hasPlainChanges(in space: SpaceID) throws -> Bool {
        try connection.read { database in
            try database.number(
                """
                SELECT 1 FROM commits WHERE space = ? AND effective = 1 AND length(operations) > 0
                    AND id NOT IN (SELECT commit_row FROM sealed) LIMIT 1
                """, [try SpaceTable.row(of: space, in: database)]) != nil
        }
    }

    /// How many commits of a space that count are closed: for want of a key, and, by the device that wrote
    /// them, although the key is here, as only a newer program opens them.
    package func closedCounts(
        in space: SpaceID
    ) throws -> (withoutKey: Int, newer: [DeviceID: Int]) {
        try connection.read { database in
            let rows = try database.rows(
                """
                SELECT logs.device AS device, sealed.epoch AS epoch, COUNT(*) AS count
                FROM sealed JOIN commits ON commits.id = sealed.commit_row
                    JOIN logs ON logs.id = commits.log
                WHERE sealed.space = ? AND contents = ? AND effective = 1
                GROUP BY logs.device, sealed.epoch
                """,
                [
                    try SpaceTable.row(of: space, in: database),
                    Int64(CommitContents.closed.rawValue),
                ])
            var (withoutKey, newer) = (0, [DeviceID: Int]())
            for row in rows {
                let count = Int(clamping: try row.integer("count"))
                let epoch: CommitID = try row.identifier("epoch")
                if connection.decoder.epochKeys?.holds(epoch, in: space) ?? false {
                    newer[try row.identifier("device"), default: 0] += count
                } else {
                    withoutKey += count
                }
            }
            return (withoutKey, newer)
        }
    }

    /// The commits of a space that count and are sealed with a key that is not here.
    package func closedCommits(in space: SpaceID) throws -> Set<CommitID> {
        try connection.read { database in
            let rows = try database.rows(
                """
                SELECT commit_id FROM sealed JOIN commits ON commits.id = sealed.commit_row
                WHERE sealed.space = ? AND contents = ? AND effective = 1
                """,
                [
                    try SpaceTable.row(of: space, in: database),
                    Int64(CommitContents.closed.rawValue),
                ])
            return Set(try rows.map { try $0.identifier("commit_id") })
        }
    }

    /// Those of some epochs under which is written, or something is sealed that counts: nobody needs the keys of
    /// others.
    package func neededEpochs(
        _ epochs: Set<CommitID>, writing: CommitID?, in space: SpaceID
    ) throws -> Set<CommitID> {
        guard !epochs.isEmpty else { return [] }
        return try connection.read { database in
            let row = try SpaceTable.row(of: space, in: database)
            return try epochs.filter { epoch in
                try epoch == writing
                    || [CommitContents.opened, .closed].contains { contents in
                        try database.number(
                            """
                            SELECT 1 FROM sealed JOIN commits ON commits.id = sealed.commit_row
                            WHERE sealed.space = ? AND contents = ? AND epoch = ? AND effective = 1 LIMIT 1
                            """, [row, Int64(contents.rawValue), epoch.bytes]) != nil
                    }
            }
        }
    }

    /// Which devices lack a key that something is sealed with, or that is written under; nil where nothing is
    /// encrypted.
    package func devicesWithoutKeys(in space: SpaceID) throws -> Set<DeviceID>? {
        guard let membership = connection.loaded({ $0.spaces[space]?.ledger.membership }),
            membership.isEncrypted
        else { return nil }
        let missing = membership.missingEpochs
        let needed = try neededEpochs(
            missing.values.reduce(into: []) { $0.formUnion($1) },
            writing: membership.writingEpoch(avoiding: []) { _ in true }, in: space)
        return Set(missing.filter { !$0.value.isDisjoint(with: needed) }.keys)
    }
}
