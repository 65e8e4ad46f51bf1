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
    package let opening: StoreLifetime
    /// What became of the store's file at this opening; nil when it was sound.
    package let rebuilt: RebuiltStore?
    /// Whether this opening found less than there had been: the file was damaged, or an older one.
    package let hasLost: Bool
    let connection: StoreConnection
    /// Whether a mark is kept beside it: not of a store that is made to take the place of another one.
    private let isMarked: Bool
    /// The checksums of its pages as it was opened, where they are known, and when that was.
    private let opened: (sums: PageSums?, at: ContinuousClock.Instant)
    private let queue = DispatchQueue(label: "peersync.store", attributes: .concurrent)

    /// Without a mark: one that is to take the place of a damaged store.
    init(
        _ opened: OpenedStore, _ mark: StoreMarkFile?, _ rebuilt: RebuiltStore?,
        _ schemas: @escaping @Sendable (SchemaPin) -> Schema?, since sums: PageSums? = nil
    ) throws {
        connection = StoreConnection(opened, mark, schemas)
        (opening, self.rebuilt, isMarked) = (opened.opening, rebuilt, mark != nil)
        hasLost = rebuilt != nil || opened.isRestored
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

    /// Throws ``StoreError/gone(folder:)`` once the folder of the store was deleted, ``StoreError/moved(folder:to:)``
    /// once it was moved, or ``StoreError/unlocked(folder:)`` once its lock was deleted; nothing is written any more
    /// then.
    package func requirePlace() throws { try connection.requirePlace() }

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

    /// Has the store rebuilt at its next opening, from the parts that prove themselves.
    package func requestRebuild() {
        RebuildRequest(beside: connection.place).make()
    }

    /// The keys of all devices whose cards were seen.
    package var keys: KeyDirectory { connection.loaded { $0.keys } }

    /// Has everything that `body` reads of the database on this thread come from one snapshot: it fits
    /// together, and no read needs a transaction of its own. Ledgers and counts of files are as they are now. Not for what
    /// writes, which `body` would not see. `body` gets the ``version`` that the snapshot has at least, to keep an answer by.
    package func snapshot<Answer>(_ body: (UInt64) throws -> Answer) throws -> Answer {
        try connection.read { try body(connection.version(readBy: $0)) }
    }

}
