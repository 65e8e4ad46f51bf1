package import Device
import Foundation
package import LocalAPI
internal import Logging
package import Networking
internal import Node
import Records
internal import Store
import SyncCore

/// Sync on request, past syncs, and the current transfers.
package struct SyncService: Sendable {
    private let node: AgentNode
    private let network: NetworkService
    private let sessions: SessionService
    private let requests: SyncRequests
    private let exchanges: ExchangeWatch

    package init(
        _ node: AgentNode, _ network: NetworkService, _ sessions: SessionService,
        _ requests: SyncRequests, _ exchanges: ExchangeWatch
    ) {
        (self.node, self.network, self.sessions) = (node, network, sessions)
        (self.requests, self.exchanges) = (requests, exchanges)
    }

    /// Dials every device, and returns when this device and the reached ones have exchanged
    /// everything, or nothing has moved for a while.
    package func now() async throws -> SyncReport {
        guard try node.isSyncOn() else { throw APIError.syncIsOff }
        let started = node.clock.now
        await node.compareFiles()
        let before = sessions.open.moved
        let meter = ProgressMeter(.reaching)
        await network.dialAll(within: Limits.reachSeconds)
        try Task.checkCancellation()
        meter.begin(.syncing)
        let isDone = try await exchange(meter)
        let connected = node.connectedDevices
        for device in connected where isDone { node.peers.noteSynced(device, hasExchanged: true) }
        let report = try report(
            since: started,
            Dictionary(
                uniqueKeysWithValues: sessions.open.moved.map {
                    ($0, $1.since(before[$0] ?? OpenConnections.Moved()))
                }), connected)
        note(report, isDone: isDone)
        return report
    }

    /// Returns false if nothing has moved for a while although something is missing.
    private func exchange(_ meter: ProgressMeter) async throws -> Bool {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                guard await requests.run(on: node.loop) else { return false }
                try await waitForFiles()
                return true
            }
            group.addTask {
                try await follow(meter)
                return false
            }
            let isDone = try await group.next() ?? false
            try Task.checkCancellation()
            return isDone
        }
    }

    /// Waits until the connected devices have every file that they can get from here.
    private func waitForFiles() async throws {
        while exchanges.look().peers.values.contains(where: { $0.toSend.count > 0 }) {
            let picture = exchanges.picture
            let revision = picture.value.revision
            _ = try await picture.first(within: .seconds(1)) {
                $0.revision == revision ? nil : true
            }
        }
    }

    /// Tells how far it is, and returns when nothing has changed for a while.
    private func follow(_ meter: ProgressMeter) async throws {
        let picture = exchanges.picture
        var seen = picture.value
        var still = 0
        // That its disk is full a device may say at any time.
        while still < seen.exchange.stillSeconds(full: node.devicesWithFullDisk) {
            node.loop.post(.connectionsLookedAt)
            meter.note(filesLeft: seen.filesLeft, bytesLeft: seen.bytesLeft)
            let revision = seen.revision
            let next = try await picture.first(within: .seconds(Limits.syncFullSeconds)) {
                $0.revision == revision ? nil : $0
            }
            still = next == nil ? still + Limits.syncFullSeconds : 0
            seen = next ?? seen
        }
    }

    // MARK: What came of it

    private func report(
        since started: Instant, _ moved: [DeviceID: OpenConnections.Moved],
        _ connected: Set<DeviceID>
    ) throws -> SyncReport {
        let exchange = exchanges.look()
        // With many devices, the data of some arrives by way of others.
        let inReach = connected.union(node.reachedDevices)
        var problems: [String] = []
        // Read once, and only where a device lacks something.
        lazy var facts = readableFacts()
        let devices = try node.knownDevices().filter { $0.loss == nil }.map { known in
            let device = known.card.device
            let outcome = DeviceOutcome(
                moved[device] ?? OpenConnections.Moved(),
                lacking: connected.contains(device)
                    ? exchange.peers[device].map(\.lackingThere) : nil,
                isCompared: exchange.peers[device]?.isCompared ?? true,
                isInReach: inReach.contains(device), isDiskFull: node.peers[device].isDiskFull,
                owed: { owed(to: device, facts) })
            let reference = node.reference(device)
            if outcome.lacking != .nothing {
                problems.append(
                    SyncReport.stillLacks(
                        reference.name, outcome.lacking, isFull: outcome.isFull))
            }
            return SyncReport.DeviceResult(
                device: reference, reached: outcome.isReached, sent: outcome.moved.sent,
                received: outcome.moved.received, lacking: outcome.lacking)
        }
        let changes = exchange.peers.values.map(\.changesToReceive).max() ?? 0
        problems += SyncReport.reasons(exchange, changes: Int(clamping: changes))
        return SyncReport(
            started: Moment(started.wall),
            durationMilliseconds: Int64(node.clock.now.monotonic - started.monotonic),
            devices: devices, problems: problems,
            elsewhere: WaitingCount(needed(exchange.elsewhere)), onlyHere: try node.sync.onlyHere())
    }

    /// The files that no device in reach has, without those that no device has at all and only deleted records name:
    /// nobody waits for these, and ``WaitingService`` lists none of them.
    private func needed(_ elsewhere: Exchange.Files) -> Exchange.Files {
        guard elsewhere.count > 0 else { return elsewhere }
        let unneeded: [NamedBlob] = node.reading("files not read", or: []) {
            try node.store.ledgers.keys.flatMap { try node.sync.unneededFiles(of: $0) }
        }
        var files = elsewhere
        for file in Dictionary(unneeded.map { ($0.blob, $0) }, uniquingKeysWith: { one, _ in one })
            .values
        {
            files.count -= min(files.count, 1)
            files.bytes -= min(files.bytes, file.size)
        }
        return files
    }

    /// None where they cannot be read: what was synced is told all the same.
    private func readableFacts() -> [SpaceFacts] {
        node.reading("spaces not read", or: []) { try node.sync.facts() }
    }

    /// The items that a device without an open session lacks.
    private func owed(to device: DeviceID, _ facts: [SpaceFacts]) -> WaitingCount {
        facts.reduce(into: .nothing) { lacking, space in
            lacking += SpaceBalance(space).owed(to: device).toSend
        }
    }

    private func note(_ report: SyncReport, isDone: Bool) {
        var moved = OpenConnections.Moved()
        for result in report.devices {
            moved.commitsSent += result.sent.changes
            moved.commitsReceived += result.received.changes
            moved.filesSent += result.sent.files
            moved.filesReceived += result.received.files
            moved.bytesSent += result.sent.bytes
            moved.bytesReceived += result.received.bytes
        }
        var details = moved.logged
        details["reached"] = "\(report.devices.count(where: \.reached))"
        details["done"] = "\(isDone)"
        details["milliseconds"] = "\(report.durationMilliseconds)"
        node.logger.note(isDone ? .info : .warning, .sync, "run ended", details: details)
    }

    package func runs(_ filter: SyncRunFilter) throws -> [SyncRunView] {
        exchanges.runs.flush()
        let runs = try node.store.syncRuns.latest(
            atMost: min(filter.limit ?? 20, Limits.syncRunsKept))
        return try runs.map { run in
            SyncRunView(
                id: run.id, device: node.reference(run.device), started: Moment(run.startedAt),
                ended: Moment(run.endedAt),
                sent: WaitingCount(
                    changes: run.commitsSent, files: run.filesSent,
                    bytes: try run.details().fileBytesSent),
                received: WaitingCount(
                    changes: run.commitsReceived, files: run.filesReceived,
                    bytes: try run.details().fileBytesReceived),
                bytesSent: run.bytesSent, bytesReceived: run.bytesReceived,
                conflicts: run.conflicts, errors: run.errors, details: try run.details())
        }
    }

    // MARK: What moves now

    package func activity(_ poll: RevisionPoll) async throws -> ActivityView {
        let picture = exchanges.picture
        let changed = try await picture.first(within: .seconds(poll.waitSeconds)) {
            $0.revision == poll.knownRevision ? nil : $0
        }
        let now = changed ?? picture.value
        let devices = now.exchange.peers.sorted { $0.key < $1.key }.map { device, peer in
            ActivityView.Device(
                device: node.reference(device),
                sending: ActivityView.Flow(
                    waiting: peer.lackingThere, bytesPerSecond: now.sending[device]),
                receiving: ActivityView.Flow(
                    waiting: WaitingCount(peer.toReceive, changes: peer.changesToReceive),
                    bytesPerSecond: now.receiving[device]))
        }
        return ActivityView(revision: now.revision, devices: devices)
    }
}

extension SyncReport {
    /// Why a device that was reached has not everything.
    fileprivate static func stillLacks(
        _ device: String, _ lacking: WaitingCount, isFull: Bool
    ) -> String {
        let (name, waiting) = (Sentence.plain(device), Sentence.waiting(lacking))
        return isFull
            ? tr(
                lacking.changes + lacking.files,
                "\(name) has no room: \(waiting) waits. Make room there; it is sent again by itself.",
                "\(name) has no room: \(waiting) wait. Make room there; they are sent again by themselves."
            )
            : tr(
                """
                \(name) still lacks \(waiting), and nothing has moved for \
                \(Limits.syncStillSeconds) seconds.
                """)
    }

    /// Why something that lacks here did not come.
    fileprivate static func reasons(_ exchange: Exchange, changes: Int) -> [String] {
        var reasons: [String] = []
        let coming = WaitingCount(exchange.coming, changes: UInt64(changes))
        if coming != .nothing {
            reasons.append(
                tr(
                    """
                    \(Sentence.waiting(coming)) did not come: nothing has moved for \
                    \(Limits.syncStillSeconds) seconds.
                    """))
        }
        if exchange.unfit.count > 0 {
            reasons.append(
                tr(
                    """
                    This disk has no room for \(Sentence.waiting(WaitingCount(exchange.unfit))). \
                    Make room, then sync again.
                    """))
        }
        if exchange.failed.count > 0 {
            reasons.append(
                tr(
                    """
                    \(Sentence.waiting(WaitingCount(exchange.failed))) could not be fetched in \
                    three tries: peersync status
                    """))
        }
        return reasons
    }
}

extension StoredSyncRun {
    /// Throws `DecodingError`.
    fileprivate func details() throws -> SyncRunView.Details {
        try JSONCoding.decode(SyncRunView.Details.self, from: Data(detail.utf8))
    }
}

extension WaitingCount {
    init(_ files: Exchange.Files, changes: UInt64 = 0) {
        self.init(
            changes: Int(clamping: changes), files: Int(clamping: files.count),
            bytes: Int64(clamping: files.bytes))
    }
}

extension Exchange.Peer {
    fileprivate var lackingThere: WaitingCount { WaitingCount(toSend, changes: changesToSend) }
}

extension OpenConnections.Moved {
    var sent: WaitingCount {
        WaitingCount(changes: commitsSent, files: filesSent, bytes: bytesSent)
    }
    var received: WaitingCount {
        WaitingCount(changes: commitsReceived, files: filesReceived, bytes: bytesReceived)
    }
}

extension Limits {
    /// How long a sync on request waits for known devices to answer a call.
    package static let reachSeconds = 8
}
