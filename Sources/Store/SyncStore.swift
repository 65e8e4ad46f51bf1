internal import Foundation
internal import GRDB
package import SyncCore
internal import Synchronization

/// Everything a device keeps, in one SQLite database: the log of each space, the records shown from
/// it, blobs, and what is known of other devices.
///
/// Functions block: call them from threads that may wait, or through ``offloaded(_:)``. Any number of
/// reads go on beside one write, and a write that returned is durable. They throw ``StoreError``, or
/// what a closure given to them threw.
package final class SyncStore: Sendable {
    /// The device's current database lifetime, and whether opening started it.
    package struct Opening: Hashable, Sendable {
        package enum Reason: String, Hashable, Sendable {
            case firstOpening
            /// The file came from another machine.
            case machineChanged
            /// The file is a copy: a restored backup, for example.
            case fileReplaced
        }

        package let incarnation: Incarnation
        /// Nil when the incarnation goes on.
        package let newBecause: Reason?
    }

    package let opening: Opening
    /// What became of the store's file at this opening; nil when it was sound.
    package let rebuilt: RebuiltStore?
    let decoder: any CommitDecoding
    let verifier: any CommitVerifying
    let schemas: @Sendable (SchemaPin) -> Schema?
    /// Kept because a lock ends with the value that holds it.
    let place: any StorePlace
    private let pool: DatabasePool
    private let checkpoints: Checkpoints
    /// Nil for a store that is made to take the place of another one.
    private let mark: StoreMarkFile?
    /// The checksums of its pages as it was opened, where they are known, and when that was.
    private let opened: (sums: PageSums?, at: ContinuousClock.Instant)
    /// What transactions that were committed made; replaced on the writer's queue only.
    private let committed: Mutex<LoadedSpaces>
    private let failure = Mutex<StoreError?>(nil)
    /// By connection: ``version`` as it was just before its last snapshot.
    private let snapshots = Mutex<[ObjectIdentifier: UInt64]>([:])
    private let queue = DispatchQueue(label: "peersync.store", attributes: .concurrent)

    /// Opens the store at a place, below a locked home for example, making it when there is none, and
    /// loads the ledger of every space. `schemas` gives the schema that a pin names, nil while it is
    /// not known.
    package convenience init(
        holding place: some StorePlace, decoder: any CommitDecoding, verifier: any CommitVerifying,
        random: inout some RandomNumberGenerator,
        schemas: @escaping @Sendable (SchemaPin) -> Schema?
    ) throws {
        var rebuild = StoreRebuild(place: place)
        func remade() throws -> RebuiltStore {
            try rebuild.run(
                decoder: decoder, verifier: verifier, random: &random, schemas: schemas)
        }
        let (mark, former) = (StoreMarkFile(beside: place), FormerStores(beside: place))
        var rebuilt: RebuiltStore?
        do {
            try rebuild.finish()
            rebuild.sums = PageSums(of: place)
            if try rebuild.isNeeded() { rebuilt = try remade() }
            let opened: Opened
            do {
                opened = try Opened(place, mark, decoder, verifier, random: &random)
            } catch {
                guard rebuilt == nil, StoreError.isDamage(error) else { throw error }
                // The opened file may have been written to.
                rebuild.sums = nil
                rebuilt = try remade()
                opened = try Opened(place, mark, decoder, verifier, random: &random)
            }
            try self.init(opened, mark, rebuilt, schemas, since: rebuild.sums)
        } catch {
            let told = (error as? DatabaseError).map { StoreError($0) } ?? error
            throw (told as? StoreError).map { former.explaining($0) } ?? told
        }
        let noted = mark.ends()
        if try !noteLost(Array(noted.values)) { _ = try startNewIncarnation(random: &random) }
        mark.note(loaded { $0.ends }.filter { noted[$0.key] != $0.value })
        if !loaded({ $0.isMarked }) { try turn { _ in } }
        try former.countOpening(of: self)
    }

    /// Without a mark: one that is to take the place of a damaged store.
    init(
        _ opened: Opened, _ mark: StoreMarkFile?, _ rebuilt: RebuiltStore?,
        _ schemas: @escaping @Sendable (SchemaPin) -> Schema?, since sums: PageSums? = nil
    ) throws {
        (pool, opening, checkpoints) = (opened.pool, opened.opening, opened.checkpoints)
        committed = Mutex(opened.loaded)
        (place, decoder, verifier) = (opened.place, opened.decoder, opened.verifier)
        (self.mark, self.rebuilt, self.schemas) = (mark, rebuilt, schemas)
        self.opened = (rebuilt == nil ? sums : nil, .now)
        let isOutdated = try read { try Settings.bytes(StoreSchema.outdated, in: $0) != nil }
        if isOutdated { try remakeShown() }
    }

    struct Opened {
        let place: any StorePlace
        let decoder: any CommitDecoding
        let verifier: any CommitVerifying
        let checkpoints = Checkpoints()
        let pool: DatabasePool
        let opening: Opening
        let loaded: LoadedSpaces

        init(
            _ place: any StorePlace, _ mark: StoreMarkFile?, _ decoder: any CommitDecoding,
            _ verifier: any CommitVerifying, random: inout some RandomNumberGenerator
        ) throws {
            (self.place, self.decoder, self.verifier) = (place, decoder, verifier)
            pool = try StoreOpening.open(place, checkpoints)
            opening = try StoreOpening.incarnation(pool, place, random: &random)
            let before = mark?.read()
            var now = try pool.read { try StoreMark(of: $0) }
            if let before, let older = before.older(now) {
                now = try pool.writeWithoutTransaction { database in
                    try database.writing {
                        try before.renew(older, in: database)
                        return try StoreMark(of: database)
                    }
                }
            }
            var loaded = try pool.read { database in
                try LoadedSpaces(from: database, decoder: decoder, verifier: verifier)
            }
            loaded.emptied = before?.filled.subtracting(loaded.spaces.keys) ?? []
            now.filled.formUnion(loaded.emptied)
            if let before { now.keepGeneses(of: loaded.emptied, from: before) }
            loaded.isMarked = mark == nil || now.isAsGood(as: before)
            self.loaded = loaded
        }
    }

    /// Closes the database, with everything in one file, and releases its place. After a failure nothing is written any more: opening again finds out what is durable.
    package func close() throws {
        defer { place.release() }
        let isSound = writeFailure == nil
        let isUnchanged = (try? place.hasFile(ending: "-wal")) == false
        try translating {
            if isSound {
                try pool.writeWithoutTransaction { try StoreOpening.writeBack($0) }
            }
            try pool.close()
        }
        if isSound, mark != nil {
            let isMoment = opened.at.duration(to: .now) < .seconds(Limits.secondsOfMoment)
            PageSums.keep(
                of: place, known: isUnchanged ? opened.sums : nil,
                readingAtMost: isMoment ? Limits.pagesReadAtClosing : .max)
        }
    }

    /// Runs blocking work on a thread of the store's own.
    package func offloaded<Answer: Sendable>(
        _ work: @escaping @Sendable (SyncStore) throws -> Answer
    ) async throws -> Answer {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try work(self) }) }
        }
    }

    /// Why every write is refused; nil while the store is sound.
    package var writeFailure: StoreError? { failure.withLock { $0 } }

    /// The ledger of a space as of the last committed transaction; nil without its genesis.
    package func ledger(of space: SpaceID) -> SpaceLedger? {
        committed.withLock { $0.spaces[space]?.ledger }
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
                committed.withLock { $0 = loaded }
                return counts
            }
        }
    }

    /// Grows with each write transaction.
    package var version: UInt64 { committed.withLock { $0.version } }

    /// The ledgers of all spaces whose genesis is here.
    package var ledgers: [SpaceID: SpaceLedger] {
        committed.withLock { $0.spaces.mapValues(\.ledger) }
    }

    /// What is kept of each space in memory.
    var loadedSpaces: [SpaceID: LoadedSpace] { committed.withLock { $0.spaces } }

    /// The keys of all devices whose cards were seen.
    package var keys: KeyDirectory { committed.withLock { $0.keys } }

    /// Reads from one snapshot of the database: that of ``snapshot(_:)``, when it is called below it.
    func read<Answer>(_ body: (Database) throws -> Answer) throws -> Answer {
        try translating {
            // GRDB's own reading transaction would prepare two statements each time.
            try pool.unsafeReentrantRead { database in
                guard !database.isInsideTransaction else { return try body(database) }
                let version = version
                return try database.reading {
                    snapshots.withLock { $0[ObjectIdentifier(database)] = version }
                    return try body(database)
                }
            }
        }
    }

    /// Has everything that `body` reads of the database on this thread come from one snapshot: it fits
    /// together, and no read needs a transaction of its own. Ledgers and counts are as they are now. Not for what writes, which `body` would not see. `body` gets
    /// the ``version`` that the snapshot has at least, to keep an answer by.
    package func snapshot<Answer>(_ body: (UInt64) throws -> Answer) throws -> Answer {
        try read { database in
            try body(snapshots.withLock { $0[ObjectIdentifier(database)] } ?? version)
        }
    }

    /// One write transaction: all of it is durable when this returns, or nothing of it happened.
    func turn<Answer>(_ body: (WriteTransaction) throws -> Answer) throws -> Answer {
        try translating {
            try pool.writeWithoutTransaction { database in
                if let failure = writeFailure { throw failure }
                let turn = WriteTransaction(
                    database, committed.withLock { $0 }, decoder: decoder, schemas: schemas)
                let answer = try database.writing { try body(turn) }
                var loaded = turn.loaded
                loaded.version += 1
                Invariants.check(
                    loaded.spaces.keys.allSatisfy { loaded.standings[$0] != nil },
                    "a space is here that has no row")
                committed.withLock {
                    precondition($0.version < loaded.version, "two transactions at once")
                    $0 = loaded
                }
                // This transaction is durable; none may follow.
                if let failure = checkpoints.failure { _ = remembered(failure) }
                mark?.note(turn.ends)
                if !loaded.isMarked, mark?.keep(database, emptied: loaded.emptied) == true {
                    // Written before the lock is taken: readers of ledgers do not wait for the disk.
                    committed.withLock { $0.isMarked = true }
                }
                return answer
            }
        }
    }

    /// Spaces of which everything was lost to damage, and nothing came again yet.
    package var emptiedSpaces: Set<SpaceID> {
        loaded { loaded in loaded.emptied.filter { loaded.standings[$0] == .active } }
    }

    /// A transaction that touches no ledger.
    func write<Answer>(_ body: (Database) throws -> Answer) throws -> Answer {
        try turn { try body($0.database) }
    }

    /// Has the store rebuilt at its next opening, from the parts that prove themselves.
    package func requestRebuild() {
        StoreRebuild(place: place).request()
    }

    /// The row of a space; throws ``StoreError/spaceUnknown(_:)``.
    func row(of space: SpaceID, in database: Database) throws -> Int64 {
        let row = try database.number(
            "SELECT id FROM spaces WHERE space_id = ?", [space.bytes])
        guard let row else { throw StoreError.spaceUnknown(space) }
        return row
    }

    private func translating<Answer>(_ body: () throws -> Answer) throws -> Answer {
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

    private func remembered(_ error: StoreError) -> StoreError {
        if case .corrupt = error { requestRebuild() }
        if error.forbidsWriting {
            failure.withLock { $0 = $0 ?? error }
        }
        return error
    }
}

extension StoreError {
    fileprivate static func isDamage(_ error: any Error) -> Bool {
        switch (error as? DatabaseError).map({ StoreError($0) }) ?? error {
        case StoreError.corrupt: true
        default: false
        }
    }
}
