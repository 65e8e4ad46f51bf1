internal import GRDB
package import SyncCore

/// What a store has of forked logs for a peer; commits as they are kept.
package struct StoredForks {
    package var proofs: [UnverifiedFork] = []
    /// Of one branch, each followed by the one before it in the log.
    package var headers: [UnverifiedHeader] = []
    package var commits: [EncodedCommit] = []
}

extension CommitLog {
    /// What a peer lacks of forked logs: the proofs of forks that are other or lower than those that it
    /// listed; where it wants headers that are here, these, and else branch commits after a place, those
    /// left out that it must have. Both until `byteLimit` is reached; at least one, when there is one.
    package func forks(
        of space: SpaceID, for question: ForkQuestion, byteLimit: Int
    ) throws -> StoredForks {
        let known = connection.loaded { $0.spaces[space]?.ledger.forks } ?? [:]
        var theirs: [LogID: ForkPoint] = [:]
        for point in question.listed { theirs[point.log] = point }
        return try connection.read { database in
            let row = try SpaceTable.row(of: space, in: database)
            var found = StoredForks()
            found.headers = try BranchTable.headers(
                question.wanted, of: row, known, byteLimit: byteLimit, database, connection.decoder)
            var bytes = 0
            for log in known.keys.sorted() {
                guard let fork = known[log] else { continue }
                if theirs[log].map({ $0.sequence > fork.sequence }) ?? true {
                    let proof = try ForkTable.proof(of: log, in: row, database, connection.decoder)
                    found.proofs += proof.map { [$0] } ?? []
                }
                // Before it knows of the fork it cannot keep branches.
                guard found.headers.isEmpty, let theirs = theirs[log],
                    theirs.sequence <= fork.sequence,
                    bytes < byteLimit, !fork.tips.isSubset(of: theirs.tips)
                else { continue }
                let tips = theirs.tips
                for commit in try BranchTable.missing(of: log, in: row, beyond: tips, database)
                where question.after.map({ $0 < commit.place }) ?? true {
                    let kept = try BranchTable.commit(commit.row, in: database)
                    bytes += kept.byteCount
                    guard found.commits.isEmpty || bytes <= byteLimit else { break }
                    found.commits.append(kept)
                }
            }
            return found
        }
    }
}

extension BranchTable {
    fileprivate struct Kept {
        let row: Int64
        let place: BranchPlace
        let previous: CommitID
    }

    /// A log's branch commits that are neither among these tips nor come before one, by their places.
    fileprivate static func missing(
        of log: LogID, in space: Int64, beyond tips: [CommitID], _ database: Database
    ) throws -> [Kept] {
        let all = try database.rows(
            """
            SELECT branches.id, sequence, commit_id, previous FROM branches
                JOIN logs ON logs.id = log
            WHERE logs.space = ? AND device = ? AND incarnation = ? ORDER BY sequence, commit_id
            """, [space, log.device.bytes, log.incarnation.bytes]
        ).map { row in
            Kept(
                row: try row.integer("id"),
                place: BranchPlace(
                    log: log, sequence: try row.sequence("sequence"),
                    commit: try row.identifier("commit_id")),
                previous: try row.identifier("previous"))
        }
        let previous = Dictionary(all.map { ($0.place.commit, $0.previous) }) { first, _ in first }
        var held: Set<CommitID> = []
        for tip in tips {
            var next: CommitID? = tip
            while let commit = next, let before = previous[commit], held.insert(commit).inserted {
                next = before
            }
        }
        return all.filter { !held.contains($0.place.commit) }
    }

    /// Headers from the first of these places that is here down to the fork, as many as fit.
    fileprivate static func headers(
        _ wanted: [BranchPlace], of space: Int64, _ known: [LogID: ForkedLog], byteLimit: Int,
        _ database: Database, _ decoder: any CommitDecoding
    ) throws -> [UnverifiedHeader] {
        var headers: [UnverifiedHeader] = []
        for place in wanted where headers.isEmpty {
            guard let fork = known[place.log]?.sequence else { continue }
            var bytes = 0
            var (next, sequence) = (place.commit, place.sequence)
            while let row = try database.row(
                "SELECT header FROM branches WHERE commit_id = ? AND space = ?",
                [next.bytes, space])
            {
                let encoded = try row.bytes("header")
                let header = UnverifiedHeader(
                    bytes: encoded, header: try decoder.header(encoded))
                bytes += encoded.count
                guard header.header.log == place.log, header.header.sequence == sequence,
                    headers.isEmpty || bytes <= byteLimit
                else { break }
                headers.append(header)
                guard sequence > fork else { break }
                (next, sequence) = (header.header.previous, sequence - 1)
            }
        }
        return headers
    }

    fileprivate static func commit(_ row: Int64, in database: Database) throws -> EncodedCommit {
        let found = try database.row(
            "SELECT header, signature, clear, operations FROM branches WHERE id = ?", [row])
        guard let found else { throw StoreError.corrupt("branch commit \(row) is not there") }
        return try found.encodedCommit()
    }
}
