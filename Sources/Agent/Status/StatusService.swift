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
        let devices = try devices()
        let trips = try SpaceService(node).spaces()
        let isOn = try runtime.isSyncOn()
        let conflicts = try ConflictService(node).recordCount()
        let damaged = try damagedChanges()
        let network = await networkStatus(isOn: isOn)
        let lastSync = devices.compactMap(\.lastSync).max {
            $0.milliseconds < $1.milliseconds
        }
        return StatusView(
            device: ownDevice, person: ownPerson,
            state: damaged.needsSomebody ? .error : overall(devices, trips, isOn: isOn),
            syncEnabled: isOn, network: network,
            lastSync: lastSync, devices: devices, trips: trips,
            notices: notices(devices) + damaged.notices + (try deletions())
                + (try quarantined(trips))
                + flawed(trips)
                + (conflicts > 0 ? [Sentence.Status.conflicts(conflicts)] : []))
    }

    private func networkStatus(isOn: Bool) async -> NetworkStatus {
        let port = await runtime.network.port
        let outage = await runtime.network.outage
        let discovery: NetworkStatus.Discovery =
            port == nil ? .off : outage == nil ? .working : .noAvahi
        return NetworkStatus(
            running: runtime.isLongRunning, port: port.map(Int.init), discovery: discovery,
            announcedDevices: await runtime.network.announcedCount)
    }

    private func overall(
        _ devices: [DeviceView], _ trips: [TripView], isOn: Bool
    ) -> SyncState {
        if node.storageFault != nil || node.isDiskFull
            || devices.contains(where: { $0.state == .error })
            || trips.contains(where: { $0.state == .error })
        {
            return .error
        }
        guard isOn, devices.contains(where: \.connected) else { return .offline }
        if devices.contains(where: { $0.state == .syncing })
            || trips.contains(where: { $0.state == .syncing })
        {
            return .syncing
        }
        let isWaiting =
            devices.contains { $0.waiting != .nothing }
            || trips.contains { $0.missing != .nothing }
        return isWaiting ? .pending : .synced
    }

    /// What the other parts of the status do not say by themselves.
    private func notices(_ devices: [DeviceView]) -> [String] {
        let fault =
            node.storageFault.map { [$0.sentence, $0.hint].compactMap(\.self) }
            ?? (node.isDiskFull ? [Sentence.Status.diskFull] : [])
        return fault + devices.compactMap(\.problem)
    }

    /// What a damaged disk took from here, and where it comes from again.
    private func damagedChanges() throws -> (notices: [String], needsSomebody: Bool) {
        let connected = node.connectedDevices
        var counts: [Set<DeviceID>: Int] = [:]
        for lost in try node.store.lostChanges() {
            let others = lost.holders.subtracting([node.identity.deviceID])
            let near = others.intersection(connected)
            counts[near.isEmpty ? others : near, default: 0] += lost.count
        }
        let notices = counts.map { devices, count in
            Sentence.Status.damaged(
                count, on: devices.map { node.deviceName($0) }.sorted(),
                isComing: !devices.isDisjoint(with: connected))
        }
        return (notices.sorted(), counts[[]] != nil)
    }

    /// Trips that somebody else deleted, or while somebody wrote in them.
    private func deletions() throws -> [String] {
        try SpaceService(node).deletedToTell().map { trip in
            let at = trip.deletion?.at.milliseconds ?? 0
            let seconds = (Int64(node.clock.wall.value) - at) / 1000
            return Sentence.Status.deleted(
                trip, ago: Sentence.Status.ago(seconds: Int(max(0, seconds))))
        }
    }

    /// What was quarantined because a device wrote twice from one state, with the way to get it back.
    private func quarantined(_ trips: [TripView]) throws -> [String] {
        let own = node.identity.homeSpace
        let ofLists =
            node.store.ledger(of: own) == nil ? 0 : try node.store.quarantined(in: own)
        return trips.filter { $0.quarantined > 0 }.map {
            Sentence.Status.quarantined(
                $0.quarantined, trip: $0.name.isEmpty ? $0.shortID : $0.name)
        } + (ofLists > 0 ? [Sentence.Status.quarantined(ofLists, trip: nil)] : [])
    }

    /// What the last sync left to do among the records that it touched.
    private func flawed(_ trips: [TripView]) -> [String] {
        let flawed = runtime.runs.flawed
        return trips.compactMap { trip in
            flawed.first { $0.key.description == trip.id }.map {
                Sentence.Status.flawed(
                    $0.value, trip: trip.name.isEmpty ? trip.shortID : trip.name,
                    isTrip: trip.isTrip)
            }
        }
    }

    // MARK: Devices

    func devices() throws -> [DeviceView] {
        let connected = node.connectedDevices
        return try node.knownDevices().map { device in
            try view(device, isConnected: connected.contains(device.card.device))
        }
    }

    private func view(_ device: KnownDevice, isConnected: Bool) throws -> DeviceView {
        let id = device.card.device
        let waiting = try waitingCount(for: id)
        let own = node.reference(id)
        let addresses = device.addresses.map { HostPort(host: $0.host, port: $0.port).description }
        let seen = device.addresses.compactMap(\.lastSuccess).max()
        return DeviceView(
            id: own.id, shortID: own.shortID, name: own.name,
            person: node.reference(device.card.person),
            mine: device.card.person == node.identity.person, paired: device.pairedAt != nil,
            connected: isConnected, state: state(isConnected: isConnected, waiting),
            lastSeen: isConnected ? moment(node.clock.wall) : seen.map(moment),
            lastSync: device.lastSync.map(moment), addresses: addresses, waiting: waiting,
            problem: problem(device, own.name))
    }

    private func state(isConnected: Bool, _ waiting: WaitingCount) -> SyncState {
        guard isConnected else { return waiting == .nothing ? .offline : .pending }
        return waiting == .nothing ? .synced : .syncing
    }

    private func problem(_ device: KnownDevice, _ name: String) -> String? {
        if let versions = node.foreignVersions(of: device.card.device) {
            return Sentence.Status.foreignVersion(
                device: name, isNewer: versions.lowerBound > Limits.protocolVersion)
        }
        guard let skew = device.clockSkewMilliseconds,
            abs(skew) > Int64(Limits.clockSkewMilliseconds)
        else { return nil }
        return Sentence.Status.clockSkew(device: name, seconds: Int(skew / 1000))
    }

    /// What a device does not have yet, by its own last word.
    private func waitingCount(for device: DeviceID) throws -> WaitingCount {
        var changes: UInt64 = 0
        var files: UInt64 = 0
        var bytes: UInt64 = 0
        for entry in try node.spaces() {
            guard case .active = entry.stage, let membership = node.membership(of: entry.space),
                membership.permissions(of: device).contains(.read)
            else { continue }
            let known = try node.acks(of: entry.space)[device] ?? Watermark()
            changes += node.watermark(of: entry.space).count(beyond: known, exceptOf: device)
            // Of a deleted space no files are fetched.
            guard try node.store.deletions(of: entry.space).isEmpty else { continue }
            let said = try node.store.holdings(of: entry.space)
                .first { $0.said.device == device }?.said
            if let said {
                files += said.missingCount
                bytes += said.missingBytes
            } else {
                let counts = try node.store.blobCounts(of: entry.space)
                files += UInt64(counts.named)
                bytes += counts.namedBytes
            }
        }
        return WaitingCount(
            changes: Int(clamping: changes), files: Int(clamping: files),
            bytes: Int64(clamping: bytes))
    }

    // As Lookup.find, which it calls.
    @inline(never)
    func find(_ device: String) throws -> DeviceID {
        try Lookup.find(device, .device, among: try node.knownDevices()) { known in
            let own = node.reference(known.card.device)
            return Lookup.Entry(id: own.id, name: own.name)
        }.card.device
    }

    private func view(of id: DeviceID) throws -> DeviceView {
        let text = DeviceIDText.text(of: id)
        guard let view = try devices().first(where: { $0.id == text }) else {
            throw APIError.unknown(.device, text)
        }
        return view
    }

    func forget(_ device: String) async throws -> DeviceView {
        let id = try find(device)
        let view = try view(of: id)
        try node.forget(id)
        await runtime.network.trustChanged()
        return view
    }

    func addAddress(_ device: String, _ draft: AddressDraft) async throws -> DeviceView {
        let id = try add(draft.address, to: device)
        await runtime.network.trustChanged()
        return try view(of: id)
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

    private func moment(_ time: Milliseconds) -> Moment {
        Moment(milliseconds: Int64(time.value))
    }
}
