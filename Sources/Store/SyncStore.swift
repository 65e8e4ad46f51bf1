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
    private let checkpoints = Checkpoints()
    /// What transactions that were committed made; replaced on the writer's queue only.
    private let committed: Mutex<LoadedSpaces>
    private let failure = Mutex<StoreError?>(nil)
    /// By connection: ``version`` as it was just before its last snapshot.
    private let snapshots = Mutex<[ObjectIdentifier: UInt64]>([:])
    private let queue = DispatchQueue(label: "peersync.store", attributes: .concurrent)

    /// Opens the store at a place, below a locked home for example, making it when there is none, and
    /// loads the ledger of every space. `schemas` gives the schema that a pin names, nil while it is
    /// not known.
    package init(
        holding place: some StorePlace, decoder: any CommitDecoding, verifier: any CommitVerifying,
        random: inout some RandomNumberGenerator,
        schemas: @escaping @Sendable (SchemaPin) -> Schema?
    ) throws {
        let rebuild = place.home.map {
            StoreRebuild(
                place: place, home: $0, decoder: decoder, verifier: verifier, schemas: schemas)
        }
        var rebuilt: RebuiltStore?
        do {
            if let rebuild {
                try StoreRebuild.finish(in: rebuild.home)
                if try rebuild.isNeeded() { rebuilt = try rebuild.run(random: &random) }
            }
            let opened: Opened
            do {
                opened = try Opened(place, decoder, verifier, checkpoints, random: &random)
            } catch {
                guard let rebuild, rebuilt == nil, StoreError.isDamage(error) else { throw error }
                rebuilt = try rebuild.run(random: &random)
                opened = try Opened(place, decoder, verifier, checkpoints, random: &random)
            }
            (pool, opening) = (opened.pool, opened.opening)
            committed = Mutex(opened.loaded)
        } catch let error as DatabaseError {
            throw StoreError(error)
        }
        self.rebuilt = rebuilt
        (self.place, self.decoder) = (place, decoder)
        (self.verifier, self.schemas) = (verifier, schemas)
        let isOutdated = try read { try Settings.bytes(StoreSchema.outdated, in: $0) != nil }
        if isOutdated { try remakeShown() }
    }

    private struct Opened {
        let pool: DatabasePool
        let opening: Opening
        let loaded: LoadedSpaces

        init(
            _ place: some StorePlace, _ decoder: any CommitDecoding,
            _ verifier: any CommitVerifying, _ checkpoints: Checkpoints,
            random: inout some RandomNumberGenerator
        ) throws {
            pool = try StoreOpening.open(place, checkpoints)
            opening = try StoreOpening.incarnation(pool, place, random: &random)
            loaded = try pool.read { database in
                try LoadedSpaces(from: database, decoder: decoder, verifier: verifier)
            }
        }
    }

    /// Closes the database, with everything in one file, and releases its place. After a failure nothing is written any more: opening again finds out what is durable.
    package func close() throws {
        defer { place.release() }
        try translating {
            if writeFailure == nil {
                try pool.writeWithoutTransaction { try StoreOpening.writeBack($0) }
            }
            try pool.close()
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
                committed.withLock { $0 = loaded }
                // This transaction is durable; none may follow.
                if let failure = checkpoints.failure { _ = remembered(failure) }
                return answer
            }
        }
    }

    /// A transaction that touches no ledger.
    func write<Answer>(_ body: (Database) throws -> Answer) throws -> Answer {
        try turn { try body($0.database) }
    }

    /// The names of damaged databases that are kept below a home.
    package static func damagedCopies(in home: String) -> [String] {
        StoreRebuild.names.filter { StoreFile.isThere(home + "/" + $0) }
    }

    /// Has the store made anew when it is opened next, from what of it proves itself.
    package func requestRebuild() {
        if let home = place.home { StoreRebuild.request(in: home) }
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
