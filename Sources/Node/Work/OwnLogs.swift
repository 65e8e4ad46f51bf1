internal import Store
internal import SyncCore

/// The logs that this device writes to: a new one where the last cannot go on.
struct OwnLogs: Sendable {
    private let work: EngineWork
    private var store: SyncStore { work.store }
    private var device: DeviceID { work.device }

    init(_ work: EngineWork) { self.work = work }

    /// The log this device writes to in a space: never one that forked there, nor one that has few
    /// facts left, so that a flood of key requests cannot stop this device from removing people; nor one that ends
    /// within a group of which only others have the rest.
    func current(in space: SpaceID) throws -> LogID {
        let log = LogID(device: device, incarnation: try store.incarnation())
        guard let ledger = store.ledger(of: space) else { return log }
        let logs = ledger.watermark.heads.keys.count { $0.device == device }
        let facts = ledger.membership.facts.size(in: log)
        let bytes =
            ledger.membership.permissions(of: device).contains(.write)
            ? Int.max : Limits.readerFactBytes * 3 / 4
        let isFull =
            (facts.count >= Limits.factsBeforeNewLog || facts.bytes >= bytes)
            && logs < Limits.logsPerDevice / 2
        guard isFull || ledger.forks[log] != nil || ledger.openGroups[log] != nil else {
            return log
        }
        try leave(log)
        return LogID(device: device, incarnation: try store.incarnation())
    }

    /// Goes on in a new incarnation.
    func leave(_ log: LogID) throws {
        guard log.device == device, try store.incarnation() == log.incarnation else { return }
        var random = work.random
        _ = try store.startNewIncarnation(random: &random)
    }

    /// A restored backup went on writing in a log that others know further: the next commit opens a
    /// new one.
    func leave(
        claimed log: LogID, upTo sequence: UInt64, in space: SpaceID
    ) throws -> [EngineWork.Note] {
        // The peer may have a commit that was written just now before the engine hears of it.
        guard try store.incarnation() == log.incarnation,
            store.ledger(of: space)?.watermark.covers(log, sequence) != true
        else { return [] }
        // Nothing proves what a peer claims to know: it must not use up all logs.
        let used =
            store.ledgers.values.map { ledger in
                ledger.watermark.heads.keys.count { $0.device == log.device }
            }.max() ?? 0
        guard used < Limits.claimedIncarnations else { return [] }
        var random = work.random
        _ = try store.startNewIncarnation(random: &random)
        return [.newIncarnation]
    }
}

extension Limits {
    /// Facts of a log after which its device begins another one: an eighth of them is left for what has
    /// to stand in the same log.
    package static let factsBeforeNewLog = factsPerLog - 2 * factsForRights
}
