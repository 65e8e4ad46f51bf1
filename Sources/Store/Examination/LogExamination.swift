internal import GRDB
package import SyncCore

/// What is wrong with a commit or a log as it is stored.
package struct LogFault: Hashable, Sendable {
    package enum Kind: String, Sendable {
        /// The bytes are no commit, or a part is not the one the header names.
        case unreadable
        /// The header is not what the commit's id is the hash of.
        case otherHeader
        /// The signature does not hold, or nobody's key for it is known.
        case badSignature
        /// Its place in the log is not the one after the commit before it.
        case brokenChain
        /// What was noted beside the commit is not what it says.
        case wrongNote
        /// It is counted, or left out, against what the membership says.
        case wrongJudgement
        /// The log's end is not its last commit.
        case wrongHead
    }

    package let kind: Kind
    package let space: SpaceID
    package let log: LogID
    /// Nil for what concerns the whole log.
    package let sequence: UInt64?
}

/// The logs of a store, verified again from the first commit on.
package struct LogVerdict: Hashable, Sendable {
    package var commits = 0
    package var logs = 0
    /// How many faults of each kind there are.
    package var counts: [LogFault.Kind: Int] = [:]
    /// The first of each kind.
    package var first: [LogFault.Kind: LogFault] = [:]

    package var faults: Int { counts.values.reduce(0, +) }
}

extension StoreExamination {
    /// Verifies every stored commit again: hashes, signatures, its place in its log, what is noted
    /// beside it, and whether it counts. `progress` is told commits done and in all.
    package func verifyLogs(
        progress: (Int, Int) throws -> Void = { _, _ in }
    ) throws -> LogVerdict {
        try look { try LogExamination($0, self).run(progress) }
    }

    /// How many changes do not count, of all spaces, by space, device and reason.
    package func orphanCounts() throws -> [OrphanCount] {
        try look { database in
            let counts = try OrphanTable.counts(in: nil, database)
            guard !counts.isEmpty else { return counts }
            do {
                let loaded = try LoadedSpaces(from: database, decoder: decoder, verifier: verifier)
                return try loaded.spaces.values.flatMap { state in
                    let rewritten = try OrphanTable.rewritten(
                        in: state, schemas(state.ledger.schema), decoder, database)
                    return try Orphans(of: state.row, by: nil, decoder, in: database)
                        .removing(rewritten).counts
                }
            } catch let error as DatabaseError {
                throw error
            } catch {
                // Some commit cannot be read: which of them were written again is not known.
                return counts
            }
        }
    }
}

/// One walk over all commits in storing order, which is causal.
private final class LogExamination {
    private let database: Database
    private let examination: StoreExamination
    private var verdict = LogVerdict()
    private var keys = KeyDirectory()
    private var spaces: [Int64: SpaceID] = [:]
    private var logs: [Int64: (log: LogID, space: Int64)] = [:]
    private var ends: [Int64: (sequence: UInt64, commit: CommitID)] = [:]
    /// Nil when the membership itself could not be read.
    private var loaded: LoadedSpaces?

    init(_ database: Database, _ examination: StoreExamination) {
        (self.database, self.examination) = (database, examination)
    }

    func run(_ progress: (Int, Int) throws -> Void) throws -> LogVerdict {
        try prepare()
        let total = Int(try database.number("SELECT COUNT(*) FROM commits") ?? 0)
        let cursor = try database.rowCursor(
            """
            SELECT commits.*, \(GroupTable.end), \(SealedTable.claimed)
            ORDER BY commits.id
            """)
        while let row = try cursor.next() {
            try check(row)
            verdict.commits += 1
            if verdict.commits.isMultiple(of: 256) { try progress(verdict.commits, total) }
        }
        try checkHeads()
        try checkBranches()
        return verdict
    }

    private func prepare() throws {
        for row in try database.rows("SELECT id, space_id FROM spaces") {
            spaces[try row.integer("id")] = try row.identifier("space_id")
        }
        for row in try database.rows("SELECT * FROM logs") {
            logs[try row.integer("id")] = (try row.log(), try row.integer("space"))
        }
        verdict.logs = logs.count
        do {
            let loaded = try LoadedSpaces(
                from: database, decoder: examination.decoder, verifier: examination.verifier)
            self.loaded = loaded
            keys = loaded.keys
        } catch let error as DatabaseError {
            throw error
        } catch {
            // Some commit below cannot be read; which one is found on the way.
            loaded = nil
        }
    }

    private func check(_ row: Row) throws {
        let number = try row.integer("log")
        guard let (log, spaceRow) = logs[number], let space = spaces[spaceRow] else {
            throw row.wrong("log")
        }
        let sequence = try row.sequence("sequence")
        func blame(_ kind: LogFault.Kind) {
            note(LogFault(kind: kind, space: space, log: log, sequence: sequence))
        }
        let before = ends[number] ?? (0, .zero)
        ends[number] = (sequence, try row.identifier("commit_id"))
        guard let commit = try verified(row, blame) else { return }
        let header = commit.header
        if header.log != log || commit.space != space { blame(.wrongNote) }
        if header.sequence != sequence || sequence != before.sequence + 1
            || header.previous != before.commit
        {
            blame(.brokenChain)
        }
        try checkNotes(of: commit, row, space, blame)
    }

    /// The commit of a row, when its bytes are what was signed.
    private func verified(
        _ row: Row, _ blame: (LogFault.Kind) -> Void
    ) throws -> UnverifiedCommit? {
        let id: CommitID = try row.identifier("commit_id")
        let encoded = try row.encodedCommit()
        guard encoded.id == id else {
            blame(.otherHeader)
            return nil
        }
        let commit: UnverifiedCommit
        do {
            commit = try examination.decoder.decode(encoded)
        } catch {
            blame(.unreadable)
            return nil
        }
        let batch = examination.verifier.verify([commit], keys: keys)
        guard batch.verdict == .sound else {
            blame(.badSignature)
            return nil
        }
        keys = batch.keys
        return commit
    }

    /// What forked counts for nothing, but can be brought back: it has to be whole as well.
    private func checkBranches() throws {
        let cursor = try database.rowCursor("SELECT * FROM branches ORDER BY id")
        while let row = try cursor.next() {
            guard let (log, spaceRow) = logs[try row.integer("log")],
                let space = spaces[spaceRow]
            else { throw row.wrong("log") }
            let sequence = try row.sequence("sequence")
            func blame(_ kind: LogFault.Kind) {
                note(LogFault(kind: kind, space: space, log: log, sequence: sequence))
            }
            verdict.commits += 1
            guard let commit = try verified(row, blame) else { continue }
            let header = commit.header
            let previous: CommitID = try row.identifier("previous")
            if header.log != log || commit.space != space || header.sequence != sequence
                || header.previous != previous
            {
                blame(.wrongNote)
            }
        }
    }

    private func checkNotes(
        of commit: UnverifiedCommit, _ row: Row, _ space: SpaceID,
        _ blame: (LogFault.Kind) -> Void
    ) throws {
        guard let ledger = loaded?.spaces[space]?.ledger else { return }
        if try row.unsigned("clock") != ledger.clock(of: commit.header).raw { blame(.wrongNote) }
        let (claim, noted) = (ledger.claim(of: commit), try row.claim(of: commit.header.log))
        // Who looks without the device's keys cannot tell what is in what is sealed.
        if claim.contents == .closed, noted.contents != .closed, noted.epoch != nil { return }
        if noted != claim { blame(.wrongNote) }
        if try row.flag("effective") != ledger.isEffective(claim) { blame(.wrongJudgement) }
    }

    private func checkHeads() throws {
        for row in try database.rows("SELECT * FROM logs") {
            let number = try row.integer("id")
            guard let (log, spaceRow) = logs[number], let space = spaces[spaceRow] else { continue }
            let end = ends[number] ?? (0, .zero)
            if try row.sequence("head_sequence") != end.sequence
                || row.identifier("head_commit") != end.commit
            {
                note(LogFault(kind: .wrongHead, space: space, log: log, sequence: nil))
            }
        }
    }

    private func note(_ fault: LogFault) {
        verdict.counts[fault.kind, default: 0] += 1
        verdict.first[fault.kind] = verdict.first[fault.kind] ?? fault
    }
}
