import Discovery
import Foundation
internal import Identity
import LocalAPI
internal import Logging
import Records
import Store
import SyncCore

/// Status, devices and sync on request, in people's terms.
struct StatusService: Sendable {
    let runtime: AgentRuntime

    private var node: AgentNode { runtime.node }

    func info() -> InfoView {
        InfoView(
            version: ProgramVersion.text, apiVersion: ProgramVersion.api,
            protocolVersion: Int(Limits.protocolVersion), device: ownDevice, person: ownPerson,
            home: node.home.directory, processID: ProcessInfo.processInfo.processIdentifier)
    }

    private var ownDevice: Reference { node.reference(node.identity.deviceID) }

    private var ownPerson: Reference { node.reference(node.identity.person) }

    // MARK: Status

    func status() async throws -> StatusView {
        let facts = try await facts()
        let verdict = StatusVerdict(facts)
        let words = StatusWords(node)
        let devices = try devices(facts, verdict)
        return StatusView(
            device: ownDevice, person: ownPerson, state: verdict.state,
            verdict: Sentence.Status.verdict(
                verdict.state, decisions: verdict.decisions, isWaiting: verdict.isWaiting,
                because: StatusVerdict.obstacles(of: facts.here).first.map {
                    words.words(for: $0).phrase
                }), syncEnabled: facts.here.isSyncOn, network: await networkStatus(),
            lastSync: devices.compactMap(\.lastSync).max { $0.milliseconds < $1.milliseconds },
            devices: devices, trips: try SpaceService(node).spaces(judgedBy: verdict),
            problems: verdict.problems.map { words.view(of: $0) })
    }

    private func networkStatus() async -> NetworkStatus {
        let port = await runtime.network.port
        let outage = await runtime.network.outage
        let discovery: NetworkStatus.Discovery =
            port == nil ? .off : outage == nil ? .working : .noAvahi
        return NetworkStatus(
            running: runtime.isLongRunning, port: port.map(Int.init), discovery: discovery,
            announcedDevices: await runtime.network.announcedCount)
    }

    // MARK: Devices

    func devices() async throws -> [DeviceView] {
        let facts = try await facts()
        return try devices(facts, StatusVerdict(facts))
    }

    private func devices(
        _ facts: StatusFacts, _ verdict: StatusVerdict
    ) throws -> [DeviceView] {
        let known = Dictionary(facts.devices.map { ($0.device, $0) }) { $1 }
        return try node.knownDevices().compactMap { device in
            guard let facts = known[device.card.device],
                let verdict = verdict.devices[device.card.device]
            else { return nil }
            return view(device, facts, verdict)
        }
    }

    private func view(
        _ device: KnownDevice, _ facts: DeviceFacts, _ verdict: DeviceVerdict
    ) -> DeviceView {
        let own = node.reference(facts.device)
        let words = StatusWords(node)
        return DeviceView(
            id: own.id, shortID: own.shortID, name: own.name,
            person: node.reference(device.card.person),
            mine: device.card.person == node.identity.person, paired: device.pairedAt != nil,
            connected: facts.isPresent, state: verdict.state,
            lastSeen: facts.isPresent ? moment(node.clock.wall) : facts.lastSeen.map(moment),
            lastSync: facts.lastSync.map(moment),
            addresses: device.addresses.map {
                HostPort(host: $0.host, port: $0.port).description
            }, waiting: verdict.toSend, elsewhere: verdict.fromOthers,
            tries: facts.isPresent ? nil : facts.calls.map { words.view(of: $0) },
            problems: verdict.problems.map { words.view(of: $0) })
    }

    // As Lookup.find, which it calls.
    @inline(never)
    func find(_ device: String) throws -> DeviceID {
        try Lookup.find(device, .device, among: try node.knownDevices()) { known in
            let own = node.reference(known.card.device)
            return Lookup.Entry(id: own.id, name: own.name)
        }.card.device
    }

    private func view(of id: DeviceID) async throws -> DeviceView {
        let text = DeviceIDText.text(of: id)
        guard let view = try await devices().first(where: { $0.id == text }) else {
            throw APIError.unknown(.device, text)
        }
        return view
    }

    func forget(_ device: String) async throws -> DeviceView {
        let id = try find(device)
        let view = try await view(of: id)
        try node.forget(id)
        await runtime.network.trustChanged()
        return view
    }

    func addAddress(_ device: String, _ draft: AddressDraft) async throws -> DeviceView {
        let id = try add(draft.address, to: device)
        await runtime.network.trustChanged()
        return try await view(of: id)
    }

    private func add(_ typed: String, to device: String) throws -> DeviceID {
        let id = try find(device)
        let address: HostPort
        do throws(HostPortError) {
            address = try HostPort(parsing: typed, defaultPort: Limits.defaultPort)
        } catch {
            throw APIError.malformedAddress(typed)
        }
        try node.addAddress(id, host: address.host, port: address.port)
        return id
    }

    // MARK: Sync

    func setSync(_ setting: SyncSetting) async throws -> SyncSetting {
        try node.store.setSetting("sync", to: setting.enabled ? nil : "off")
        if !setting.enabled {
            await runtime.network.stop(.syncOff)
        } else if runtime.isLongRunning {
            try await runtime.startNetwork(port: nil, advertises: true)
        }
        return setting
    }

    func syncNow() async throws -> SyncReport {
        guard try runtime.isSyncOn() else { throw APIError.syncIsOff }
        let started = node.clock.now
        let before = runtime.sessions.open.moved
        await runtime.network.dialAll(within: Limits.reachSeconds)
        let isDone = await runtime.syncs.run(on: node.loop, within: Limits.syncSeconds)
        let connected = node.connectedDevices
        let after = runtime.sessions.open.moved
        for device in connected where isDone { node.noteSynced(device) }
        noteRun(since: started, before, after, reached: connected.count, isDone: isDone)
        let results = try node.knownDevices().map { device in
            let id = device.card.device
            let one = before[id] ?? OpenConnections.Moved()
            let other = after[id] ?? OpenConnections.Moved()
            let isConnected = connected.contains(id)
            return SyncReport.DeviceResult(
                device: node.reference(id), reached: isConnected,
                sent: WaitingCount(
                    changes: other.commitsSent - one.commitsSent,
                    files: other.filesSent - one.filesSent,
                    bytes: other.bytesSent - one.bytesSent),
                received: WaitingCount(
                    changes: other.commitsReceived - one.commitsReceived,
                    files: other.filesReceived - one.filesReceived,
                    bytes: other.bytesReceived - one.bytesReceived),
                problem: isConnected && !isDone ? Sentence.Sync.notFinished : nil)
        }
        return SyncReport(
            started: moment(started.wall),
            durationMilliseconds: Int64(node.clock.now.monotonic - started.monotonic),
            devices: results)
    }

    private func noteRun(
        since started: Instant, _ before: [DeviceID: OpenConnections.Moved],
        _ after: [DeviceID: OpenConnections.Moved], reached: Int, isDone: Bool
    ) {
        var moved = OpenConnections.Moved()
        for (device, now) in after {
            moved.add(now.since(before[device] ?? OpenConnections.Moved()))
        }
        var details = moved.logged
        details["reached"] = "\(reached)"
        details["done"] = "\(isDone)"
        details["milliseconds"] = "\(node.clock.now.monotonic - started.monotonic)"
        node.logger.note(isDone ? .info : .warning, .sync, "run ended", details: details)
    }

    private func moment(_ time: Milliseconds) -> Moment {
        Moment(milliseconds: Int64(time.value))
    }
}

extension Limits {
    /// How long a sync on request waits for known devices to answer a call.
    package static let reachSeconds = 8
    /// How long it waits for everything to be exchanged before it answers that it was not.
    package static let syncSeconds = 3_600
}
