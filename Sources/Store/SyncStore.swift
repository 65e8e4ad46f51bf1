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
    let connection: StoreConnection
    /// Whether a mark is kept beside it: not of a store that is made to take the place of another one.
    private let isMarked: Bool
    /// The checksums of its pages as it was opened, where they are known, and when that was.
    private let opened: (sums: PageSums?, at: ContinuousClock.Instant)
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
        let opened: Opened
        do {
            try rebuild.finish()
            rebuild.sums = PageSums(of: place)
            if try rebuild.isNeeded() { rebuilt = try remade() }
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
        guard !isOpenedForReading else { return }
        do {
            let noted = mark.ends()
            if try !stranded.noteLost(Array(noted.values)) {
                _ = try startNewIncarnation(random: &random)
            }
            mark.note(connection.loaded { $0.ends }.filter { noted[$0.key] != $0.value })
        } catch StoreError.diskFull {
            // Without room to note what was lost it is read only: writing would hide the loss, or fork the own log.
            connection.restrictToReading()
            return
        }
        if !connection.loaded({ $0.isMarked }) {
            // Without room the mark of before stays, which says less.
            do { try connection.turn { _ in } } catch StoreError.diskFull {}
        }
        try former.countOpening(by: connection)
    }

    /// Without a mark: one that is to take the place of a damaged store.
    init(
        _ opened: Opened, _ mark: StoreMarkFile?, _ rebuilt: RebuiltStore?,
        _ schemas: @escaping @Sendable (SchemaPin) -> Schema?, since sums: PageSums? = nil
    ) throws {
        connection = StoreConnection(opened, mark, schemas)
        (opening, self.rebuilt, isMarked) = (opened.opening, rebuilt, mark != nil)
        if opened.isReadOnly { connection.restrictToReading() }
        self.opened = (rebuilt == nil ? sums : nil, .now)
        let isOutdated = try connection.read {
            try Settings.bytes(StoreSchema.outdated, in: $0) != nil
        }
        // Otherwise at the next opening with room, and with this device's keys.
        guard isOutdated, !isOpenedForReading, try !records.lackKeys() else { return }
        do {
            try records.remakeAll()
        } catch StoreError.diskFull where isMarked {
            connection.restrictToReading()
        }
    }

    struct Opened {
        let place: any StorePlace
        let decoder: any CommitDecoding
        let verifier: any CommitVerifying
        let checkpoints = Checkpoints()
        let pool: DatabasePool
        /// The disk has no room for what opening has to write.
        let isReadOnly: Bool
        let opening: Opening
        let loaded: LoadedSpaces

        init(
            _ place: any StorePlace, _ mark: StoreMarkFile?, _ decoder: any CommitDecoding,
            _ verifier: any CommitVerifying, random: inout some RandomNumberGenerator
        ) throws {
            (self.place, self.decoder, self.verifier) = (place, decoder, verifier)
            var opened = try StoreOpening.open(place, checkpoints)
            opening = try StoreOpening.incarnation(&opened, place, random: &random)
            let pool = opened.pool
            let before = mark?.read()
            var now = try pool.read { try StoreMark(of: $0) }
            if let before, let older = before.older(now), !opened.isReadOnly {
                do {
                    now = try pool.writeWithoutTransaction { database in
                        try database.writing {
                            try before.renew(older, in: database)
                            return try StoreMark(of: database)
                        }
                    }
                } catch let error as DatabaseError where StoreError(error) == .diskFull {
                    opened.isReadOnly = true
                }
            }
            (self.pool, isReadOnly) = (pool, opened.isReadOnly)
            var loaded = try pool.read { database in
                try LoadedSpaces(from: database, decoder: decoder, verifier: verifier)
            }
            loaded.pending = try pool.read { try PendingRecords(in: $0) }
            loaded.emptied = before?.filled.subtracting(loaded.spaces.keys) ?? []
            now.filled.formUnion(loaded.emptied)
            if let before { now.keepGeneses(of: loaded.emptied, from: before) }
            loaded.isMarked = mark == nil || now.isAsGood(as: before)
            self.loaded = loaded
        }
    }

    /// Closes the database, with everything in one file, and releases its place. After a failure nothing is written any more: opening again finds out what is durable.
    package func close() throws {
        let place = connection.place
        defer { place.release() }
        indexBeforeClosing()
        let isSound = writeFailure == nil
        let isUnchanged = (try? place.hasFile(ending: "-wal")) == false
        try connection.translating {
            if isSound {
                try connection.pool.writeWithoutTransaction { try StoreOpening.writeBack($0) }
            }
            try connection.pool.close()
        }
        if isSound, isMarked {
            let isMoment = opened.at.duration(to: .now) < .seconds(Limits.secondsOfMoment)
            PageSums.keep(
                of: place, known: isUnchanged ? opened.sums : nil,
                readingAtMost: isMoment ? Limits.pagesReadAtClosing : .max)
        }
    }

    /// So that the next opening need not look for records that wait to be indexed. Without it, after a kill or
    /// where it cannot be written, it does.
    private func indexBeforeClosing() {
        guard writeFailure == nil, connection.loaded({ $0.pending.isNoted }) else { return }
        do {
            try connection.turn { turn in
                try PendingIndexing(turn).run()
                try turn.loaded.pending.note(false, in: turn.database)
            }
        } catch {
            // The failure is noted, and the database is closed all the same.
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
    package var writeFailure: StoreError? { connection.failure.withLock { $0 } }

    /// Whether the disk had no room for what opening writes: nothing is written until the store is opened again.
    /// A disk that fills up later refuses single writes and leaves this false.
    package var isOpenedForReading: Bool { connection.isOpenedForReading }

    /// The ledger of a space as of the last committed transaction; nil without its genesis.
    package func ledger(of space: SpaceID) -> SpaceLedger? {
        connection.loaded { $0.spaces[space]?.ledger }
    }

    /// Grows with each write transaction.
    package var version: UInt64 { connection.loaded { $0.version } }

    /// The ledgers of all spaces whose genesis is here.
    package var ledgers: [SpaceID: SpaceLedger] {
        connection.loaded { $0.spaces.mapValues(\.ledger) }
    }

    /// The incarnation under which this device writes now; ``opening`` says the one at opening.
    package func incarnation() throws -> Incarnation {
        guard let incarnation = connection.loaded({ $0.incarnation }) else {
            throw StoreError.corrupt("no incarnation")
        }
        return incarnation
    }

    /// Starts a new incarnation: after a fork, or when a peer knows more of one's own log.
    package func startNewIncarnation(
        random: inout some RandomNumberGenerator
    ) throws -> Incarnation {
        let fresh = Incarnation(random: &random)
        try connection.turn { turn in
            try Settings.set("incarnation", fresh.bytes, in: turn.database)
            turn.loaded.incarnation = fresh
        }
        return fresh
    }

    /// The keys of all devices whose cards were seen.
    package var keys: KeyDirectory { connection.loaded { $0.keys } }

    /// Has everything that `body` reads of the database on this thread come from one snapshot: it fits
    /// together, and no read needs a transaction of its own. Ledgers and counts of files are as they are now. Not for what
    /// writes, which `body` would not see. `body` gets the ``version`` that the snapshot has at least, to keep an answer by.
    package func snapshot<Answer>(_ body: (UInt64) throws -> Answer) throws -> Answer {
        try connection.read { try body(connection.version(readBy: $0)) }
    }

    /// Has the store rebuilt at its next opening, from the parts that prove themselves.
    package func requestRebuild() {
        StoreRebuild(place: connection.place).request()
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
