package import Device
import Discovery
package import Files
import Foundation
internal import Identity
package import LocalAPI
package import Networking
import Node
package import Records
import SyncCore

/// Status, devices and sync on request, in people's terms.
package struct StatusService: Sendable {
    package let node: AgentNode
    let network: NetworkService
    let sessions: SessionService
    let media: MediaLibrary
    let runs: SyncRunRecorder
    /// Whether the agent runs until it is told to end; false in a command that opened the store.
    package let isLongRunning: Bool

    package init(
        _ node: AgentNode, _ network: NetworkService, _ sessions: SessionService,
        _ media: MediaLibrary, _ runs: SyncRunRecorder, isLongRunning: Bool
    ) {
        (self.node, self.network, self.sessions) = (node, network, sessions)
        (self.media, self.runs, self.isLongRunning) = (media, runs, isLongRunning)
    }

    package func info() -> InfoView {
        InfoView(
            version: ProgramVersion.text, apiVersion: ProgramVersion.api,
            protocolVersion: Int(Limits.protocolVersion), device: ownDevice, person: ownPerson,
            home: node.home.directory, processID: ProcessInfo.processInfo.processIdentifier)
    }

    private var ownDevice: Reference { node.reference(node.identity.deviceID) }

    private var ownPerson: Reference { node.reference(node.identity.person) }

    // MARK: Status

    package func status() async throws -> StatusView {
        let facts = try await facts()
        let verdict = StatusVerdict(facts)
        let words = StatusWords(node)
        let network = await networkStatus()
        return try node.snapshot {
            let devices = try devices(facts, verdict)
            return StatusView(
                device: ownDevice, person: ownPerson, state: verdict.state,
                verdict: words.headLine(verdict, of: facts), syncEnabled: facts.here.isSyncOn,
                network: network,
                lastSync: lastSync(of: devices),
                lastBackup: try BackupService(node, media).last(),
                devices: devices, trips: try SpaceService(node).spaces(judgedBy: verdict),
                problems: verdict.problems.map { words.view(of: $0) })
        }
    }

    /// A time in the future, noted by a wrong clock, counts only if there is no other time.
    private func lastSync(of devices: [DeviceView]) -> Moment? {
        let now = Moment(node.clock.wall).milliseconds
        let times = devices.compactMap(\.lastSync)
        let past = times.filter { $0.milliseconds <= now }
        return (past.isEmpty ? times : past).max { $0.milliseconds < $1.milliseconds }
    }

    /// Some of the problems in status; without names if masked.
    package func problems(
        isMasked: Bool, where isMeant: (StatusProblem) -> Bool
    ) async throws -> [ProblemView] {
        let words = StatusWords(node, isMasked: isMasked)
        return StatusVerdict(try await facts()).problems.filter(isMeant)
            .map { words.view(of: $0) }
    }

    /// The checks of `doctor` for the urgent problems in status, one for each problem.
    package func urgentChecks() async throws -> [HealthReport.Check] {
        StatusVerdict(try await facts()).problems.filter(\.isUrgent).map(\.check)
    }

    /// The problems of this computer itself in status.
    package func ownProblems() async throws -> [ProblemView] {
        let words = StatusWords(node)
        return StatusVerdict(try await facts()).problems.filter(\.isOfThisDevice)
            .map { words.view(of: $0) }
    }

    private func networkStatus() async -> NetworkStatus {
        let port = await network.port
        let outage = await network.outage
        let discovery: NetworkStatus.Discovery =
            port == nil ? .off : outage == nil ? .working : .noAvahi
        return NetworkStatus(
            running: isLongRunning, port: port.map(Int.init), discovery: discovery,
            announcedDevices: await network.announcedCount)
    }

    // MARK: Devices

    package func devices() async throws -> [DeviceView] {
        let facts = try await facts()
        return try devices(facts, StatusVerdict(facts))
    }

    private func devices(
        _ facts: StatusFacts, _ verdict: StatusVerdict
    ) throws -> [DeviceView] {
        let known = Dictionary(facts.devices.map { ($0.device, $0) }) { $1 }
        let devices = try node.knownDevices()
        let successors = Replacements(among: devices, connected: node.connectedDevices).successors
        return devices.compactMap { device in
            if let loss = device.loss { return view(device, loss) }
            guard let facts = known[device.card.device],
                let verdict = verdict.devices[device.card.device]
            else { return nil }
            let successor = successors[device.card.device].map { node.reference($0) }
            return view(device, facts, verdict, replacedBy: successor)
        }
    }

    /// Nothing waits for a lost device, and a lost device waits for nothing.
    private func view(_ device: KnownDevice, _ loss: KnownLoss) -> DeviceView {
        let problem = StatusWords(node).view(of: .deviceLost(device.card.device, loss))
        return DeviceView(
            identity(of: device),
            .init(
                .offline, connected: false, lastSeen: device.lastSeen.map { Moment($0) },
                lastSync: device.lastSync.map { Moment($0) }, problems: [problem]))
    }

    private func view(
        _ device: KnownDevice, _ facts: DeviceFacts, _ verdict: DeviceVerdict,
        replacedBy successor: Reference?
    ) -> DeviceView {
        let words = StatusWords(node)
        let addresses = device.addresses.map { HostPort(host: $0.host, port: $0.port).description }
        var standing = DeviceView.Standing(
            verdict.state, connected: facts.isConnected && facts.isPresent,
            reached: facts.link == .reached,
            lastSeen: facts.isPresent
                ? Moment(node.clock.wall) : facts.lastSeen.map { Moment($0) },
            lastSync: facts.lastSync.map { Moment($0) }, addresses: addresses,
            waiting: verdict.toSend, elsewhere: verdict.fromOthers,
            tries: facts.isPresent ? nil : facts.calls.map { words.view(of: $0) },
            problems: verdict.problems.map { words.view(of: $0) }, replacedBy: successor)
        if node.peers[facts.device].refusal == .notTrusted { standing.refuses = true }
        return DeviceView(identity(of: device), standing)
    }

    private func identity(of device: KnownDevice) -> DeviceView.Identity {
        let own = node.reference(device.card.device)
        return .init(
            id: own.id, shortID: own.shortID, name: own.name,
            person: node.reference(device.card.person),
            mine: device.card.person == node.identity.person, paired: device.pairedAt != nil)
    }

    // Like Lookup.find, which it calls.
    @inline(never)
    func find(_ device: String) throws -> DeviceID {
        try Lookup.device(device, among: try node.knownDevices(), of: node, by: \.card.device)
            .card.device
    }

    private func view(of id: DeviceID) async throws -> DeviceView {
        let text = DeviceIDText.text(of: id)
        guard let view = try await devices().first(where: { $0.id == text }) else {
            throw APIError.unknown(.device, text)
        }
        return view
    }

    package func forget(_ device: String) async throws -> DeviceView {
        let id = try find(device)
        let view = try await view(of: id)
        try SpaceDirectory(node).requireNothingShared(with: id)
        try DeviceDirectory(node).forget(id)
        await network.trustChanged()
        return view
    }

    package func addAddress(_ device: String, _ draft: AddressDraft) async throws -> DeviceView {
        let id = try add(draft.address, to: device)
        await network.trustChanged()
        return try await view(of: id)
    }

    private func add(_ typed: String, to device: String) throws -> DeviceID {
        let id = try find(device)
        let address = try HostPort(typed: typed)
        try DeviceDirectory(node).addAddress(id, host: address.host, port: address.port)
        return id
    }
}
