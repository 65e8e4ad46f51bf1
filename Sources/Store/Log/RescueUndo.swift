internal import GRDB
package import SyncCore

extension SyncStore {
    /// Takes back what was written here anew of commits without effect: what the new commits wrote and
    /// nobody wrote over is as it was without them, in one commit. Returns nil when nothing was
    /// rescued, else also how many commits are without effect again. Throws as
    /// ``append(to:log:clock:now:under:draft:seal:)``.
    package func takeBackRescued(
        in space: SpaceID, log: LogID, clock: HybridTime, now: Milliseconds,
        seal: (CommitHeader, CommitDraft) throws -> VerifiedCommit
    ) throws -> (outcome: ApplyOutcome, commits: Int)? {
        try turn { turn in
            guard let state = turn.loaded.spaces[space] else {
                throw StoreError.spaceUnknown(space)
            }
            let rescue = try Rescue(in: state, turn)
            guard !rescue.commits.isEmpty else { return nil }
            let outcome = try turn.append(
                to: space, log: log, clock: clock, now: now, under: nil,
                draft: { context in
                    CommitDraft(operations: try rescue.undone(in: context))
                }, seal: seal)
            try UndoneRescues.add(outcome.stored, in: turn.database)
            for commit in rescue.commits {
                try turn.database.run(
                    "DELETE FROM rescued WHERE space = ? AND commit_id = ?",
                    [state.row, commit.bytes])
            }
            return (outcome, rescue.commits.count)
        }
    }
}

/// What was written anew in a space of commits without effect, and what would be without it.
private struct Rescue {
    /// Those that were rescued.
    private(set) var commits: Set<CommitID> = []
    /// Those that did it.
    private var rescuers: Set<CommitID> = []
    private var touched: [RecordKey] = []
    /// What the records would be without them; none that nobody else wrote to.
    private var without: [RecordKey: RecordState] = [:]

    init(in state: LoadedSpace, _ turn: WriteTransaction) throws {
        let rows = try turn.database.rows(
            """
            SELECT rescued.commit_id, rescuer FROM rescued
            JOIN commits ON commits.commit_id = rescued.commit_id
            WHERE rescued.space = ? AND commits.effective = 0
            """, [state.row])
        for row in rows {
            commits.insert(try row.identifier("commit_id"))
            rescuers.insert(try row.identifier("rescuer"))
        }
        guard !rescuers.isEmpty else { return }
        try collectTouched(state, turn)
        let keys = Set(touched)
        try turn.replay(state) { commit, applied, _ in
            guard !rescuers.contains(commit.id) else { return }
            var first: UInt32 = 0
            for (operation, key) in zip(commit.operations, turn.keys(of: commit, in: state)) {
                if keys.contains(key) {
                    without[key, default: RecordState()]
                        .apply(operation, firstIndex: first, of: applied)
                }
                first += UInt32(operation.writes.count)
            }
        }
    }

    /// In storing order: what the rescuers wrote to.
    private mutating func collectTouched(_ state: LoadedSpace, _ turn: WriteTransaction) throws {
        let rows = try turn.database.rows(
            """
            SELECT header, signature, clear, operations FROM commits
            WHERE space = ?1 AND commit_id IN (SELECT rescuer FROM rescued WHERE space = ?1)
            ORDER BY id
            """, [state.row])
        var known: Set<RecordKey> = []
        for row in rows {
            let commit = try row.commit(turn.decoder)
            guard rescuers.contains(commit.id) else { continue }
            touched += turn.keys(of: commit, in: state).filter { known.insert($0).inserted }
        }
    }

    func undone(in context: DraftContext) throws -> [RecordOperation] {
        try touched.compactMap { key in
            guard let now = try context.record(key) else { return nil }
            let writes = without[key].map { undone(now, $0) } ?? [Write.deletion(true)]
            guard !writes.isEmpty else { return nil }
            return RecordOperation(
                collection: key.collection, record: key.record, writes: writes)
        }
    }

    private func undone(_ now: RecordState, _ before: RecordState) -> [Write] {
        var writes: [Write] = []
        for (field, register) in now.fields.sorted(by: { $0.key < $1.key })
        where isRescued(register) {
            let value = before.fields[field]?.latest?.value
            let isExistence = field == Write.existence
            writes.append(
                Write(field: field, value: value ?? (isExistence ? .boolean(false) : .null)))
        }
        for (field, elements) in now.sets.sorted(by: { $0.key < $1.key }) {
            for (element, register) in elements.sorted(by: {
                $0.key.canonicalBytes.lexicographicallyPrecedes($1.key.canonicalBytes)
            }) where isRescued(register) {
                let value = before.sets[field]?[element]?.latest?.value ?? .boolean(false)
                writes.append(Write(field: field, element: element, value: value))
            }
        }
        return writes
    }

    /// Whether what is shown of a register is what the rescue wrote.
    private func isRescued(_ register: Register) -> Bool {
        register.latest.map { rescuers.contains($0.id.commit) } ?? false
    }
}

/// The commits that took back a rescue: who rescues once more goes over them.
enum UndoneRescues {
    private static let key = "undone_rescues"

    static func add(_ commits: [CommitID], in database: Database) throws {
        let known = try Settings.bytes(key, in: database) ?? []
        try Settings.set(key, known + commits.flatMap(\.bytes), in: database)
    }

    static func all(in database: Database) throws -> Set<CommitID> {
        let known = try Settings.bytes(key, in: database) ?? []
        let starts = stride(from: 0, to: known.count, by: CommitID.zero.bytes.count)
        return Set(
            starts.compactMap { CommitID(bytes: known[$0...].prefix(CommitID.zero.bytes.count)) })
    }
}
