internal import GRDB
internal import SyncCore

/// The proofs of forked logs.
enum ForkTable {
    /// Every forked log of a space with what stands at the fork and beyond. Proofs are verified again;
    /// one that does not hold counts for nothing.
    static func load(
        _ space: SpaceID, _ row: Int64, _ logs: [LogID: Int64], _ database: Database,
        decoder: any CommitDecoding, verifier: any CommitVerifying, keys: KeyDirectory
    ) throws -> [LogID: (sequence: UInt64, branches: [BranchLink])] {
        var forks: [LogID: (sequence: UInt64, branches: [BranchLink])] = [:]
        for kept in try database.rows("SELECT * FROM forks WHERE space = ?", [row]) {
            let proof = try proof(kept, decoder)
            guard let fork = verifier.verify(proof, in: space, keys: keys) else { continue }
            let branches = try logs[fork.log].map { try BranchTable.links(of: $0, in: database) }
            forks[fork.log] = (fork.sequence, branches ?? [])
        }
        return forks
    }

    static func save(_ fork: VerifiedFork, of space: Int64, in database: Database) throws {
        let (first, second) = (fork.proof.first, fork.proof.second)
        try database.run(
            """
            INSERT OR REPLACE INTO forks (space, device, incarnation, sequence, first_header,
                first_signature, second_header, second_signature)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                space, fork.log.device.bytes, fork.log.incarnation.bytes,
                Int64(bitPattern: fork.sequence), first.bytes, first.signature,
                second.bytes, second.signature,
            ])
    }

    static func proof(
        of log: LogID, in space: Int64, _ database: Database, _ decoder: any CommitDecoding
    ) throws -> UnverifiedFork? {
        let row = try database.row(
            "SELECT * FROM forks WHERE space = ? AND device = ? AND incarnation = ?",
            [space, log.device.bytes, log.incarnation.bytes])
        return try row.map { try proof($0, decoder) }
    }

    private static func proof(_ row: Row, _ decoder: any CommitDecoding) throws -> UnverifiedFork {
        UnverifiedFork(
            first: try side(row, "first", decoder), second: try side(row, "second", decoder))
    }

    private static func side(
        _ row: Row, _ name: String, _ decoder: any CommitDecoding
    ) throws -> UnverifiedFork.Side {
        let bytes = try row.bytes("\(name)_header")
        return UnverifiedFork.Side(
            bytes: bytes, header: try decoder.header(bytes),
            signature: try row.bytes("\(name)_signature"))
    }
}

/// The commits at forks and beyond.
enum BranchTable {
    /// A log's branch commits by what each goes on from.
    static func links(of log: Int64, in database: Database) throws -> [BranchLink] {
        try database.rows(
            "SELECT commit_id, previous, sequence FROM branches WHERE log = ?", [log]
        ).map { row in
            BranchLink(
                commit: try row.identifier("commit_id"), previous: try row.identifier("previous"),
                sequence: try row.sequence("sequence"))
        }
    }

    /// What a commit of a branch had seen of other logs: what its log had up to the fork, and the branch
    /// up to it. `known` tells it of some commits before it.
    static func seen(
        by header: CommitHeader, of log: Int64, _ database: Database,
        _ decoder: any CommitDecoding, known: (CommitID) -> [LogID: UInt64]?
    ) throws -> [LogID: UInt64] {
        var seen = try SeenTable.seen(by: log, database)
        var next: CommitHeader? = header
        while let current = next {
            for position in current.seen {
                seen[position.log] = max(seen[position.log] ?? 0, position.head.sequence)
            }
            if let before = known(current.previous), !before.isEmpty {
                return seen.merging(before) { max($0, $1) }
            }
            next = try database.row(
                "SELECT header FROM branches WHERE commit_id = ?", [current.previous.bytes]
            ).map { try decoder.header(try $0.bytes("header")) }
        }
        return seen
    }

    static func holds(_ commit: CommitID, in database: Database) throws -> Bool {
        try database.number("SELECT 1 FROM branches WHERE commit_id = ?", [commit.bytes]) != nil
    }

    /// Whether a commit stands at this position in a branch of the log.
    static func holds(
        _ commit: CommitID, of log: Int64, at sequence: UInt64, in database: Database
    ) throws -> Bool {
        try database.number(
            "SELECT 1 FROM branches WHERE commit_id = ? AND log = ? AND sequence = ?",
            [commit.bytes, log, Int64(bitPattern: sequence)]) != nil
    }

    static func insert(
        _ commit: VerifiedCommit, space: Int64, log: Int64, now: Milliseconds, in database: Database
    ) throws {
        let (header, encoded) = (commit.header, commit.encoded)
        try database.run(
            """
            INSERT INTO branches (space, log, sequence, previous, facts, clock, received_at,
                commit_id, byte_count, header, signature, clear, operations)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                space, log, Int64(bitPattern: header.sequence), header.previous.bytes,
                !commit.facts.isEmpty, Int64(bitPattern: header.clock.raw), now.stored,
                commit.id.bytes, encoded.byteCount, encoded.header, encoded.signature,
                encoded.clear, encoded.operations,
            ])
    }

    /// Makes a branch of a log's commits from a position on; returns whether there were any.
    static func move(_ log: Int64, from sequence: UInt64, in database: Database) throws {
        let place: [(any Bindable)?] = [log, Int64(bitPattern: sequence)]
        try database.run(
            """
            INSERT INTO branches (space, log, sequence, previous, facts, clock, received_at,
                commit_id, byte_count, header, signature, clear, operations)
            SELECT space, log, sequence, COALESCE(
                    (SELECT before.commit_id FROM commits AS before
                        WHERE before.log = commits.log AND before.sequence = commits.sequence - 1),
                    zeroblob(32)),
                facts, clock, received_at, commit_id, byte_count, header, signature, clear,
                operations
            FROM commits WHERE log = ? AND sequence >= ? ORDER BY sequence
            """, place)
        try database.run("DELETE FROM commits WHERE log = ? AND sequence >= ?", place)
        try database.run("DELETE FROM seen WHERE log = ? AND at_sequence >= ?", place)
    }
}
