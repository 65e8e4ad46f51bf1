internal import GRDB
internal import SyncCore
internal import Synchronization

/// The connection to the store's database: reads and write transactions, and what is kept in memory
/// beside it. Throws ``StoreError``, or what a closure given to it threw.
final class StoreConnection: Sendable {
    let decoder: any CommitDecoding
    let verifier: any CommitVerifying
    let schemas: @Sendable (SchemaPin) -> Schema?
    /// Kept because a lock ends with the value that holds it.
    let place: any StorePlace
    let pool: DatabasePool
    /// Why every write is refused; nil while the store is sound.
    let failure = Mutex<StoreError?>(nil)
    /// How long the transactions of a sync are.
    let pace = Mutex(ApplyPace())
    let waitingAcks = Mutex(WaitingAcks())
    private let checkpoints: Checkpoints
    /// Nil for a store that is made to take the place of another one.
    private let mark: StoreMarkFile?
    /// What transactions that were committed made; replaced on the writer's queue only.
    private let committed: Mutex<LoadedSpaces>
    private let kept = Mutex<[SpaceID: KeptFindings]>([:])
    /// By connection of the pool.
    private let snapshots = Mutex<[ObjectIdentifier: Snapshot]>([:])

    /// The state of the loaded spaces just before a connection took its last snapshot.
    private struct Snapshot {
        /// ``LoadedSpaces/version``.
        let version: UInt64
        /// Whether the snapshot shows at least one transaction more, perhaps.
        let wasCommitting: Bool
    }

    init(
        _ opened: OpenedStore, _ mark: StoreMarkFile?,
        _ schemas: @escaping @Sendable (SchemaPin) -> Schema?
    ) {
        committed = Mutex(opened.loaded)
        (pool, checkpoints) = (opened.pool, opened.checkpoints)
        (place, decoder, verifier) = (opened.place, opened.decoder, opened.verifier)
        (self.mark, self.schemas) = (mark, schemas)
    }

    /// Looks at what transactions that were committed made.
    func loaded<Answer: Sendable>(_ body: (LoadedSpaces) -> Answer) -> Answer {
        committed.withLock { body($0) }
    }

    /// Counts what is kept up to date from then on. No transaction comes between counting and
    /// keeping: while a sync writes all the time, nothing that was counted beside it would be kept.
    func counting<Counts>(
        _ body: (inout LoadedSpaces, Database) throws -> Counts
    ) throws -> Counts {
        try translating {
            try pool.writeWithoutTransaction { database in
                var loaded = committed.withLock { $0 }
                let counts = try database.reading { try body(&loaded, database) }
                committed.withLock {
                    precondition(
                        $0.version == loaded.version, "a transaction came while counting")
                    Invariants.check(
                        $0.spaces.allSatisfy {
                            loaded.spaces[$0.key]?.ledger.watermark == $0.value.ledger.watermark
                        }, "counting changed a ledger")
                    Invariants.check(
                        $0.standings == loaded.standings
                            && $0.pending.rows == loaded.pending.rows,
                        "counting changed what is here")
                    $0 = loaded
                }
                return counts
            }
        }
    }

    /// What was found in a space and has not changed since.
    func findings(in space: SpaceID) -> KeptFindings {
        let kept = kept.withLock { $0[space] ?? KeptFindings() }
        return loaded { $0.spaces[space].map { kept.current(in: $0) } ?? KeptFindings() }
    }

    func keepFindings(in space: SpaceID, _ change: (inout KeptFindings) -> Void) {
        kept.withLock { change(&$0[space, default: KeptFindings()]) }
    }

    /// Reads from one snapshot of the database: that of ``SyncStore/snapshot(_:)``, when it is called below it.
    func read<Answer>(_ body: (Database) throws -> Answer) throws -> Answer {
        try translating {
            // GRDB's own reading transaction would prepare two statements each time.
            try pool.unsafeReentrantRead { database in
                guard !database.isInsideTransaction else { return try body(database) }
                let snapshot = loaded {
                    Snapshot(version: $0.version, wasCommitting: $0.isCommitting)
                }
                return try database.reading {
                    snapshots.withLock { $0[ObjectIdentifier(database)] = snapshot }
                    return try body(database)
                }
            }
        }
    }

    /// The version of the snapshot that a connection reads from, at least.
    func version(readBy database: Database) -> UInt64 {
        snapshots.withLock { $0[ObjectIdentifier(database)]?.version } ?? loaded { $0.version }
    }

    /// Looks at what is loaded, if that is what the snapshot of a connection shows, neither older nor newer; nil
    /// otherwise. The connection must have read something: its snapshot begins with that.
    func loaded<Answer>(
        shownTo database: Database, _ body: (LoadedSpaces) -> Answer?
    ) -> Answer? {
        guard let snapshot = snapshots.withLock({ $0[ObjectIdentifier(database)] }),
            !snapshot.wasCommitting
        else { return nil }
        return committed.withLock {
            $0.isCommitting || $0.version != snapshot.version ? nil : body($0)
        }
    }

    /// One write transaction: all of it is durable when this returns, or nothing of it happened.
    func turn<Answer>(_ body: (WriteTransaction) throws -> Answer) throws -> Answer {
        try translating {
            try pool.writeWithoutTransaction { database in
                if let failure = failure.withLock({ $0 }) { throw failure }
                let turn = WriteTransaction(
                    database, committed.withLock { $0 }, decoder: decoder, schemas: schemas)
                let answer = try committing(database) {
                    let answer = try body(turn)
                    try PendingIndexing(turn).settle()
                    if mark != nil, !turn.loaded.isMarked { try StoreMark.count(in: database) }
                    if turn.isToBeMarked {
                        try mark?.prepare(database, emptied: turn.loaded.emptied)
                    }
                    return answer
                }
                var loaded = turn.loaded
                loaded.version += 1
                loaded.check(ending: turn.ends)
                committed.withLock {
                    loaded.check(after: $0)
                    $0 = loaded
                }
                try requirePlace()
                // This transaction is durable; none may follow.
                if let failure = checkpoints.failure { _ = remembered(failure) }
                mark?.note(turn.ends)
                // Written before the lock is taken: readers of ledgers do not wait for the disk.
                if !loaded.isMarked, keepMark(of: turn, database) {
                    committed.withLock { $0.isMarked = true }
                }
                return answer
            }
        }
    }

    /// Has the mark say what a transaction made, which is committed. Returns whether it does.
    private func keepMark(of turn: WriteTransaction, _ database: Database) -> Bool {
        guard let mark else { return false }
        guard turn.isToBeMarked else {
            return mark.keep(database, emptied: turn.loaded.emptied)
        }
        do {
            try mark.keepPrepared()
            return true
        } catch {
            // A name that cannot be given is a fault of the disk: opening writes the mark again.
            _ = remembered(error)
            return false
        }
    }

    /// One transaction that writes. While it is being committed, readers cannot know whether they see it.
    private func committing<Answer>(
        _ database: Database, _ body: () throws -> Answer
    ) throws -> Answer {
        do {
            return try database.writing {
                let answer = try body()
                committed.withLock { $0.isCommitting = true }
                return answer
            }
        } catch {
            committed.withLock { $0.isCommitting = false }
            mark?.dropPrepared()
            throw error
        }
    }

    /// A transaction that touches no ledger.
    func write<Answer>(_ body: (Database) throws -> Answer) throws -> Answer {
        try turn { try body($0.database) }
    }

    /// Runs `body` with errors of the database as ``StoreError``; damage and faults of the disk are remembered.
    func translating<Answer>(_ body: () throws -> Answer) throws -> Answer {
        do {
            return try body()
        } catch let error as DatabaseError {
            throw remembered(StoreError(error))
        } catch let error as StoreError {
            throw remembered(error)
        } catch is RecordCodec.Malformed {
            throw remembered(.corrupt("a record's bytes"))
        }
    }

    var isWritable: Bool { failure.withLock { $0 == nil } }

    var isOpenedForReading: Bool { failure.withLock { $0 == .diskFull } }

    /// Refuses writes until the store is opened again: what opening has to write found no room.
    func restrictToReading() { failure.withLock { $0 = $0 ?? .diskFull } }

    /// Throws why the store is not where it was opened, if so, and refuses every write from then on.
    func requirePlace() throws {
        if let absence = place.absence { throw remembered(absence) }
    }

    private func remembered(_ found: StoreError) -> StoreError {
        // Below a folder that was deleted everything fails.
        let error = found.forbidsWriting ? place.absence ?? found : found
        if case .corrupt = error { RebuildRequest(beside: place).make() }
        if error.forbidsWriting {
            failure.withLock { $0 = $0 ?? error }
        }
        return error
    }
}
