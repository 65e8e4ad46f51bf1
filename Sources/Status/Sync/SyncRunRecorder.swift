package import Device
import Dispatch
import LocalAPI
internal import Logging
package import Networking
import Records
import Store
package import SyncCore
internal import Synchronization

/// Records the result of each sync: a sync begins when this device and another one differ, and ends
/// when they are equal or their session is over. Then the records it touched are checked, by the
/// same rules as a whole space.
///
/// The store gets the results of several syncs at once: a device that is edited all the time syncs several times
/// a second. Those of the last seconds are lost when the computer loses power; nothing else depends on them.
package final class SyncRunRecorder: Sendable {
    typealias Moved = OpenConnections.Moved

    private struct Run {
        let started: Milliseconds
        let base: Moved
        let conflicts: Int
        let processor: Int64
        var fileMilliseconds: UInt64 = 0
    }

    private struct State {
        var runs: [DeviceID: Run] = [:]
        /// The amounts transferred with each device at the last look.
        var seen: [DeviceID: Moved] = [:]
        var touched: [DeviceID: [SpaceID: Set<RecordKey>]] = [:]
        var lastLook: UInt64 = 0
        /// Records in which the last check found a problem.
        var flawed: [SpaceID: Set<RecordKey>] = [:]
        /// Results that the store does not have yet.
        var waiting: [StoredSyncRun] = []
    }

    private let node: AgentNode
    private let state = Mutex(State())
    private let writing = DispatchQueue(label: "peersync.runs", qos: .utility)

    package init(_ node: AgentNode) { self.node = node }

    /// A device's changes to these records were stored.
    package func note(_ records: Set<RecordKey>, of space: SpaceID, from device: DeviceID) {
        state.withLock { $0.touched[device, default: [:]][space, default: []].formUnion(records) }
    }

    /// For each space, the number of records that had a problem when they arrived and still have
    /// one.
    func flawed() -> [SpaceID: Int] {
        for (space, records) in state.withLock({ $0.flawed }) { _ = check(records, of: space) }
        return state.withLock { $0.flawed.mapValues(\.count) }
    }

    /// Processes one look. `noticed` is the time of the event that led to it.
    package func record(
        _ exchange: Exchange, _ moved: [DeviceID: OpenConnections.Moved], noticed: Instant,
        now: Instant
    ) {
        let ended = state.withLock { state in
            defer {
                state.seen = moved
                state.lastLook = now.monotonic
            }
            var ended: [(DeviceID, Run, Moved, isComplete: Bool)] = []
            for device in Set(exchange.peers.keys).union(state.runs.keys) {
                let now = moved[device] ?? Moved()
                let peer = exchange.peers[device]
                follow(device, now, peer, noticed: noticed, in: &state)
                guard let run = state.runs[device], peer?.isEqual ?? true else { continue }
                state.runs[device] = nil
                ended.append((device, run, now.since(run.base), peer != nil))
            }
            return ended
        }
        for (device, run, moved, isComplete) in ended
        where moved.hasExchanged || moved.errors > 0 {
            let touched = state.withLock { $0.touched.removeValue(forKey: device) } ?? [:]
            writing.async {
                self.write(run, with: device, moved, touched, isComplete, until: now.wall)
            }
        }
    }

    private func follow(
        _ device: DeviceID, _ moved: Moved, _ peer: Exchange.Peer?, noticed: Instant,
        in state: inout State
    ) {
        let before = state.seen[device] ?? Moved()
        if state.runs[device] == nil, let peer,
            moved.since(before).hasExchanged || peer.isDiffering
        {
            state.runs[device] = Run(
                started: noticed.wall, base: before, conflicts: conflicts(),
                processor: ProcessorTime.milliseconds)
        }
        let change = moved.since(before)
        if change.bytesSent + change.bytesReceived > 0 {
            state.runs[device]?.fileMilliseconds +=
                noticed.monotonic - min(state.lastLook, noticed.monotonic)
        }
    }

    /// Returns when every ended run is recorded.
    package func close() async {
        await withCheckedContinuation { done in
            writing.async {
                self.writeDown()
                done.resume()
            }
        }
    }

    /// Has the store hold every ended run, for those who read them.
    func flush() { writing.sync { writeDown() } }

    // MARK: Writing down

    private func writeDown() {
        let runs = state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
        guard !runs.isEmpty else { return }
        do {
            try node.store.syncRuns.add(runs)
        } catch {
            node.storage.notWritten("sync run not written", error)
        }
    }

    /// The first that waits is written down some seconds later, with those that came after it.
    private func keep(_ run: StoredSyncRun) {
        let count = state.withLock { state in
            state.waiting.append(run)
            return state.waiting.count
        }
        if count >= Limits.syncRunsWaiting { return writeDown() }
        guard count == 1 else { return }
        writing.asyncAfter(deadline: .now() + .seconds(Limits.syncRunSeconds)) { [weak self] in
            self?.writeDown()
        }
    }

    private func write(
        _ run: Run, with device: DeviceID, _ moved: Moved, _ touched: [SpaceID: Set<RecordKey>],
        _ isComplete: Bool, until end: Milliseconds
    ) {
        var details = SyncRunView.Details()
        details.complete = isComplete
        details.fileBytesSent = moved.bytesSent
        details.fileBytesReceived = moved.bytesReceived
        details.fileMilliseconds = Int64(clamping: run.fileMilliseconds)
        details.processorMilliseconds = ProcessorTime.milliseconds - run.processor
        for (space, records) in touched {
            for record in records { details.records[record.collection, default: 0] += 1 }
            guard let check = check(records, of: space) else { continue }
            details.checked += check.records
            for flaw in check.flaws.all {
                details.flaws[flaw.key.kind.rawValue, default: 0] += flaw.count
            }
        }
        do {
            let detail = String(decoding: try JSONCoding.encode(details), as: UTF8.self)
            keep(
                StoredSyncRun(
                    device: device, startedAt: run.started, endedAt: max(end, run.started),
                    commitsSent: moved.commitsSent, commitsReceived: moved.commitsReceived,
                    filesSent: moved.filesSent, filesReceived: moved.filesReceived,
                    bytesSent: moved.wireSent, bytesReceived: moved.wireReceived,
                    conflicts: max(0, conflicts() - run.conflicts), errors: moved.errors,
                    detail: detail))
        } catch {
            node.storage.notWritten("sync run not written", error)
        }
    }

    /// The third phase of a sync (requirement J4) for the records it touched; nil if they cannot be
    /// read.
    private func check(_ records: Set<RecordKey>, of space: SpaceID) -> SpaceCheckRun? {
        guard let schema = node.schema(of: space) else { return nil }
        do {
            var check = try SpaceCheckRun(
                node, space, schema, isBulk: records.count > Limits.recordsReadSingly)
            try check.run(only: records)
            let troubled = check.flaws.troubled
            state.withLock { state in
                let open = (state.flawed[space] ?? []).subtracting(records).union(troubled)
                state.flawed[space] = open.isEmpty ? nil : open
            }
            return check
        } catch {
            node.couldNotRead("sync not checked", error)
            return nil
        }
    }

    private func conflicts() -> Int {
        node.reading("conflicts not counted", or: 0) { try ConflictService(node).recordCount() }
    }
}

extension Limits {
    /// How long the results of syncs wait to be written down, and how many.
    static let syncRunSeconds = 10
    static let syncRunsWaiting = 64
}
