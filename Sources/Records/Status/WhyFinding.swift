package import LocalAPI
package import SyncCore

/// What one device has or lacks of a record, with reasons; in no words yet.
package struct WhyFinding: Hashable, Sendable {
    package typealias State = WhyView.State

    /// Nil for this device.
    package let device: DeviceID?
    package let state: State
    /// Commits that it is known to lack.
    package var changes = 0
    package var files: [RecordSyncState.File] = []
    package var reasons: [Reason] = []

    /// Why, most telling first.
    package enum Reason: Hashable, Sendable {
        case moving
        case soon
        case syncOff
        case noAgent
        case storeStopped
        /// Since when, by this device's clock; nil when it was never connected.
        case notConnected(since: Milliseconds?)
        case noWay
        case callFailed
        case notAccepted
        case failed
        case diskFull
        /// Devices that have all that is missing here; none of them is connected.
        case noSource(holders: [DeviceID])
        case filesUnsaid
        /// How many changes of the space.
        case behind(Int)
        case schema(SchemaCache.Obstacle)
        case roleLost
        case conflict
    }
}

/// What this device knows of itself and of the ways to others.
package struct WhyCircumstances: Sendable {
    /// How another device can be reached.
    package struct Way: Sendable {
        package var lastSeen: Milliseconds?
        package var hasAddress = false
        package var isCallFailing = false

        package init() {}
    }

    package var isSyncOff = false
    package var isAgentRunning = true
    package var isStoreStopped = false
    package var isDiskFull = false
    package var mayRead = true
    /// Changes of the space that others have said they hold and that are not here.
    package var behind = 0
    package var obstacle: SchemaCache.Obstacle?
    package var ways: [DeviceID: Way] = [:]

    package init() {}
}

/// Works out, from what every device said last, who lacks what of a record and why. Pure.
package struct WhyDiagnosis {
    let record: RecordSyncState
    let readers: SpaceSyncState
    let circumstances: WhyCircumstances

    package init(
        _ record: RecordSyncState, _ readers: SpaceSyncState, _ circumstances: WhyCircumstances
    ) {
        (self.record, self.readers, self.circumstances) = (record, readers, circumstances)
    }

    /// This device first, then the others by their ids.
    package var findings: [WhyFinding] {
        [here] + readers.others.sorted().map { finding(of: $0) }
    }

    // MARK: This device

    private var here: WhyFinding {
        let missing = record.isDeleted ? [] : record.files.filter { !$0.isHere }
        let isUnsure = circumstances.behind > 0 || !circumstances.mayRead
        var finding = WhyFinding(
            device: nil, state: !missing.isEmpty ? .lacksFiles : isUnsure ? .unknown : .complete)
        finding.files = missing
        if record.isConflicted { finding.reasons.append(.conflict) }
        if let obstacle = circumstances.obstacle { finding.reasons.append(.schema(obstacle)) }
        if !circumstances.mayRead { finding.reasons.append(.roleLost) }
        if circumstances.behind > 0 { finding.reasons.append(.behind(circumstances.behind)) }
        guard !missing.isEmpty || circumstances.behind > 0 else { return finding }
        finding.reasons += own
        if !missing.isEmpty { finding.reasons += reasonsForFiles(missing.map(\.blob)) }
        return finding
    }

    /// What keeps this device from all others.
    private var own: [WhyFinding.Reason] {
        if circumstances.isStoreStopped { return [.storeStopped] }
        if circumstances.isSyncOff { return [.syncOff] }
        return circumstances.isAgentRunning ? [] : [.noAgent]
    }

    private func reasonsForFiles(_ missing: [BlobID]) -> [WhyFinding.Reason] {
        let traffic = readers.traffic
        if missing.contains(where: { traffic.unfit.contains($0) }) { return [.diskFull] }
        if missing.contains(where: { traffic.failed.contains($0) }) { return [.failed] }
        if missing.contains(where: { traffic.coming.contains($0) }) { return [.moving] }
        guard own.isEmpty else { return [] }
        let holders = readers.others.filter { device in
            missing.allSatisfy { readers.word(of: device, on: $0) == .holds }
        }
        if !holders.isDisjoint(with: traffic.connected) { return [.soon] }
        return [.noSource(holders: holders.sorted())]
    }

    // MARK: Another device

    private func finding(of device: DeviceID) -> WhyFinding {
        let isTaken =
            readers.acks[device] != nil || readers.traffic.sharing.contains(device)
        guard isTaken else {
            var finding = WhyFinding(device: device, state: .notAccepted)
            finding.changes = record.count(beyond: Watermark())
            finding.files = record.isDeleted ? [] : record.files
            finding.reasons = [.notAccepted]
            // One that is connected and does not hold the space needs no way to it.
            if !readers.traffic.withoutSpace.contains(device) {
                finding.reasons += reasonsForSilence(of: device)
            }
            return finding
        }
        let ack = readers.acks[device] ?? Watermark()
        let lacking = readers.hasRead(device, record) ? 0 : max(1, record.count(beyond: ack))
        let words = record.isDeleted ? [] : record.files.map { (file: $0, word: word(device, $0)) }
        let files = words.filter { $0.word == .lacks }.map(\.file)
        let isUnsaid = words.contains { $0.word == .nothing }
        var finding = WhyFinding(
            device: device,
            state: lacking > 0
                ? .lacksChanges : !files.isEmpty ? .lacksFiles : isUnsaid ? .unknown : .complete)
        finding.changes = lacking
        // Whoever lacks the changes does not know of the files.
        finding.files = lacking > 0 ? words.filter { $0.word != .holds }.map(\.file) : files
        guard finding.state != .complete else { return finding }
        if lacking == 0, isUnsaid { finding.reasons.append(.filesUnsaid) }
        finding.reasons += reasonsForSilence(of: device)
        if lacking == 0, !isUnsaid, files.contains(where: { !$0.isHere }) {
            finding.reasons.append(.noSource(holders: []))
        }
        return finding
    }

    private func word(_ device: DeviceID, _ file: RecordSyncState.File) -> SpaceSyncState.Word {
        readers.word(of: device, on: file.blob)
    }

    /// Why nothing reaches a device that lacks something, or when it will.
    private func reasonsForSilence(of device: DeviceID) -> [WhyFinding.Reason] {
        if readers.isTaking(device, record) { return [.moving] }
        if readers.traffic.connected.contains(device) { return [.soon] }
        guard own.isEmpty else { return own }
        let way = circumstances.ways[device] ?? WhyCircumstances.Way()
        guard way.hasAddress || way.lastSeen != nil else { return [.noWay] }
        return [.notConnected(since: way.lastSeen)] + (way.isCallFailing ? [.callFailed] : [])
    }
}
