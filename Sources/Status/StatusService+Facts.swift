import Device
import Files
internal import Identity
import LocalAPI
internal import Logging
internal import Media
import Networking
import Node
package import Records
import Store
import SyncCore

/// Collects the facts from which every sign and sentence about sync follows.
extension StatusService {
    package func facts() async throws -> StatusFacts {
        do {
            try await media.fileFinder.compareMissed()
        } catch {
            node.storage.notWritten("files not compared", error)
        }
        var facts = StatusFacts()
        await node.lookAtConnections()
        facts.here = try await here()
        facts.isCopy = try isCopy()
        let flawed = runs.flawed()
        let known = try node.snapshot {
            facts.spaces = try node.sync.facts().map { space in
                var space = space
                space.incomplete = flawed[space.space] ?? 0
                return space
            }
            facts.deletions = try SpaceService(node).deletedToTell()
            facts.upgrades = try SchemaChangeService(node)
                .upgradable(of: facts.spaces.map(\.space))
            facts.arrivals = try ChangeService(node).arrivals(
                in: facts.spaces.filter { !$0.isDeleted && $0.taken == nil }.map(\.space))
            facts.leaves = try node.sync.unsentLeaves()
            facts.invitations = try node.store.spaces.all().filter(\.isOffered).map(\.space)
            return try node.knownDevices()
        }
        let (connected, reached) = (node.connectedDevices, node.reachedDevices)
        for device in known where device.loss == nil {
            let id = device.card.device
            let link =
                connected.contains(id)
                ? self.connected(id) : reached.contains(id) ? DeviceFacts.Link.reached : .away
            var there = try await self.facts(of: device, link)
            // One problem already explains why other devices do not trust this one.
            if facts.here.loss != nil { there.distrustsThis = false }
            facts.devices.append(there)
        }
        return facts
    }

    private func here() async throws -> HereFacts {
        var here = HereFacts()
        here.isSyncOn = try node.isSyncOn()
        here.isAgentRunning = isLongRunning
        here.storageFault =
            node.store.isOpenedForReading
            ? .readOnly
            : node.storage.fault.map { .broken($0) }
                ?? media.files.access.closedFolder.map { StorageFault.closedFiles(folder: $0) }
                ?? (media.files.access.isThere ? nil : .noFiles)
        here.isDiskFull = node.storage.isFull
        let folder = node.home.directory
        here.disk = BlobFiles.freeBytes(at: folder).map {
            DiskFacts(folder: folder, freeBytes: $0, spareBytes: media.files.spareBytes)
        }
        here.damage = try damage()
        here.loss = try node.losses.loss(of: node.identity.deviceID)
        here.keyRivals = try node.losses.keyRivals().sorted()
        here.dataSets = try FollowedSets(node).notices()
        here.moves = try InterruptedMoves(node).all()
        guard isLongRunning, await network.isOn else { return here }
        here.hasNetwork = await network.hasNetwork
        await network.reachability.tell(&here, await network.outage)
        return here
    }

    /// Whether this home was first opened as a copy a few days ago.
    private func isCopy() throws -> Bool {
        let time = try node.store.settings.value(of: DeviceSetting.copied).flatMap { UInt64($0) }
        guard let time else { return false }
        let now = node.clock.wall.value
        return now < time || now - time < Limits.copyToldMilliseconds
    }

    /// The data that a damaged disk lost here, without dismissed losses, by the devices that have it.
    private func damage() throws -> [DamageFacts] {
        let connected = node.connectedDevices.subtracting(node.silentDevices)
        var counts: [Set<DeviceID>: Int] = [:]
        let damage = try node.store.stranded.damage().reported
        for lost in damage.changes {
            let others = lost.holders.subtracting([node.identity.deviceID])
            let near = others.intersection(connected)
            counts[near.isEmpty ? others : near, default: 0] += lost.count
        }
        let (emptied, home) = (damage.spaces, node.identity.homeSpace)
        let whole: [DamageFacts] =
            emptied.isEmpty
            ? []
            : [.emptied(trips: emptied.subtracting([home]).count, lists: emptied.contains(home))]
        return whole
            + counts.sorted { $0.value > $1.value }.map { holders, count in
                .changes(
                    count, on: holders.sorted(), coming: !holders.isDisjoint(with: connected))
            }
    }

    /// Whether a device also has a space that this one has. A space whose rights were revoked does
    /// not count: only this device still lists it.
    private func shares(_ device: DeviceID) throws -> Bool {
        return try node.snapshot {
            try node.sync.facts().contains {
                $0.taken == nil && $0.sync.holders.contains(device)
            }
        }
    }

    private func connected(_ device: DeviceID) -> DeviceFacts.Link {
        .connected(silence: node.peers[device].silence, gap: sessions.gap(of: device))
    }

    private func facts(
        of device: KnownDevice, _ link: DeviceFacts.Link
    ) async throws -> DeviceFacts {
        let id = device.card.device
        var facts = DeviceFacts(id)
        facts.link = link
        facts.hasAddress = !device.addresses.isEmpty
        facts.lastSeen = device.lastSeen
        facts.lastSync = device.lastSync
        facts.clockSkewMilliseconds = device.clockSkewMilliseconds
        let peers = node.peers
        let peer = peers[id]
        facts.speaksNewer = peer.version?.isNewer
        facts.version = peer.version.map { ShownText.line($0.text) } ?? ""
        facts.isDiskFull = peer.isDiskFull
        facts.isSyncOff = peer.isSyncOff
        if peers.did(.wroteBeyondRights, id) { facts.oddities.insert(.sentRefusedChanges) }
        if peers.did(.sentBrokenData, id) { facts.oddities.insert(.sentBrokenData) }
        if peers.runsTwice(.there, id) { facts.oddities.insert(.runsTwice) }
        if peers.runsTwice(.here, id) { facts.oddities.insert(.meetsCopyOfThis) }
        facts.distrustsThis =
            try peer.refusal == .notTrusted
            && (device.pairedAt != nil || shares(id))
        facts.calls = await network.calls(to: id)
        facts.admission = try admission(of: device)
        return facts
    }

    /// Whether the recovery key alone admitted a device of this person: shown for a while, unless
    /// this device was paired with it.
    private func admission(of device: KnownDevice) throws -> KeyAdmission? {
        guard device.pairedAt == nil, device.card.person == node.identity.person else {
            return nil
        }
        var found: [SpaceID: Milliseconds] = [:]
        for ledger in node.store.ledgers.values where ledger.role == .shared {
            let grants = ledger.membership.members.filter {
                $0.standing.card.device == device.card.device
            }
            guard !grants.isEmpty, grants.allSatisfy(\.standing.isByKey) else { continue }
            let times = try grants.compactMap {
                try node.store.log.arrival(of: $0.grant.commit)?.receivedAt
            }
            found[ledger.space] = times.min { $0.value < $1.value }
        }
        guard let since = found.values.min(by: { $0.value < $1.value }),
            node.clock.wall.value < since.value + Limits.keyAdmissionMilliseconds
        else { return nil }
        return KeyAdmission(to: found.keys.sorted(), since: since)
    }
}

extension Limits {
    /// How long status shows that a device was admitted by the recovery key: a person who was away
    /// has time to act.
    static let keyAdmissionMilliseconds: UInt64 = 30 * 86_400_000
    /// How long status shows that this home is a copy.
    static let copyToldMilliseconds: UInt64 = 7 * 86_400_000
}
