package import LocalAPI
package import SyncCore

/// The parts of a record that one device has or lacks, with reasons; without words yet.
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
        /// A problem that ``StatusVerdict`` found for this device, that one, or the file.
        case problem(StatusProblem)
        /// The start of the absence, by this device's clock; nil when it was never connected.
        case notConnected(since: Milliseconds?)
        case noWay
        case callFailed(CallFacts)
        case notAccepted
        /// Its person declined.
        case declined
        /// Devices that have everything that is missing here; none of them is connected.
        case noSource(holders: [DeviceID])
        case filesUnsaid
        /// The number of missing changes of the space.
        case behind(Int)
        case schema(SchemaCache.Obstacle)
        case roleLost
        case conflict
    }
}

/// The circumstances of one record: facts about devices and its space.
package struct WhyCircumstances: Sendable {
    package var here = HereFacts()
    package var devices: [DeviceID: DeviceFacts] = [:]
    package var space: SpaceID
    package var mayRead = true
    /// Devices whose person declined the space.
    package var declined: Set<DeviceID> = []
    /// By device, files that it held before it had to hear of further ones.
    package var held: [DeviceID: Set<BlobID>] = [:]
    /// Changes of the space that others hold and that are not here.
    package var behind = 0
    package var obstacle: SchemaCache.Obstacle?

    package init(of space: SpaceID) {
        self.space = space
    }
}

/// Finds out, from the last statements of all devices, which of them lack a part of a record, and why.
/// Pure.
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
        [here] + readers.others.union(readers.invited).sorted().map { finding(of: $0) }
    }

    /// The status of the record, by the same facts.
    package var status: RecordStatus { readers.status(of: record) }

    // MARK: This device

    var here: WhyFinding {
        let missing = record.isDeleted ? [] : record.files.filter { !$0.isHere }
        let isUnsure = circumstances.behind > 0
        var finding = WhyFinding(
            device: nil, state: !missing.isEmpty ? .lacksFiles : isUnsure ? .unknown : .complete)
        finding.files = missing
        if record.isConflicted { finding.reasons.append(.conflict) }
        if let obstacle = circumstances.obstacle { finding.reasons.append(.schema(obstacle)) }
        if !circumstances.mayRead { finding.reasons.append(.roleLost) }
        if circumstances.behind > 0 { finding.reasons.append(.behind(circumstances.behind)) }
        guard !missing.isEmpty || circumstances.behind > 0 else { return finding }
        finding.reasons += own
        guard !missing.isEmpty else { return finding }
        let reasons = reasonsForFiles(missing)
        let gone = missing.count { $0.wasHere && readers.fate(of: $0.blob) != .lost }
        if gone > 0 { finding.reasons.append(.problem(.goneFiles(circumstances.space, gone))) }
        finding.reasons += reasons
        return finding
    }

    /// Obstacles between this device and all others.
    private var own: [WhyFinding.Reason] {
        StatusVerdict.obstacles(of: circumstances.here).prefix(1).map { .problem($0) }
    }

    private func reasonsForFiles(_ files: [RecordSyncState.File]) -> [WhyFinding.Reason] {
        let missing = files.map(\.blob)
        let fates = Set(missing.map { readers.fate(of: $0) })
        let space = circumstances.space
        if fates.contains(.lost) { return reasonsForLost(files) }
        if let fault = StatusVerdict.fileFault(of: circumstances.here) { return [.problem(fault)] }
        if fates.contains(.noRoom) {
            let bytes = files.filter { readers.fate(of: $0.blob) == .noRoom }
                .reduce(0) { $0 &+ $1.size }
            return [.problem(.diskFull(circumstances.here.disk?.needing(bytes)))]
        }
        if fates.contains(.givenUp) {
            return [.problem(.givenUpFiles(space, missing.count, nextTry: nil))]
        }
        guard own.isEmpty else { return [] }
        if fates.contains(.coming) { return [.moving] }
        return fates.contains(.soon) ? [.soon] : [.noSource(holders: readers.holders(of: missing))]
    }

    /// Nothing if none of them is lost. Of those that were freed here is said so.
    private func reasonsForLost(_ files: [RecordSyncState.File]) -> [WhyFinding.Reason] {
        let lost = files.filter { readers.fate(of: $0.blob) == .lost }
        let times = lost.compactMap(\.freedAt)
        var reasons: [WhyFinding.Reason] = []
        if let time = times.max() {
            reasons.append(.problem(.freedFiles(circumstances.space, times.count, at: time)))
        }
        if lost.count > times.count {
            reasons.append(.problem(.lostFiles(circumstances.space, lost.count - times.count)))
        }
        return reasons
    }

    // MARK: Another device

    private func finding(of device: DeviceID) -> WhyFinding {
        guard isTaken(by: device) else {
            var finding = WhyFinding(device: device, state: .notAccepted)
            finding.changes = record.count(beyond: Watermark())
            finding.files = record.isDeleted ? [] : record.files
            finding.reasons = [circumstances.declined.contains(device) ? .declined : .notAccepted]
            // A connected device that does not hold the space needs no connection.
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
        // A device without the changes does not know of the files that they name.
        let held = circumstances.held[device] ?? []
        let absent = words.filter { $0.word != .holds && !held.contains($0.file.blob) }.map(\.file)
        finding.files = lacking > 0 ? absent : files
        guard finding.state != .complete else { return finding }
        if lacking == 0, isUnsaid { finding.reasons.append(.filesUnsaid) }
        finding.reasons += withOwnFault(
            reasonsForSilence(of: device), sends: isOnlyFromHere(finding.files, to: device))
        guard lacking == 0, !isUnsaid else { return finding }
        let awaited = files.filter { !$0.isHere }
        guard !awaited.isEmpty else { return finding }
        let lost = reasonsForLost(awaited)
        guard lost.isEmpty else {
            finding.reasons = lost
            return finding
        }
        finding.reasons = withSources(of: awaited, finding.reasons)
        return finding
    }

    /// The reasons why another device lacks files that are absent here, too: while a device that has them is
    /// connected, they come here first and go on from here.
    private func withSources(
        of absent: [RecordSyncState.File], _ reasons: [WhyFinding.Reason]
    ) -> [WhyFinding.Reason] {
        let away = absent.map(\.blob).filter { readers.fate(of: $0) == .away }
        guard !away.isEmpty else { return reasons }
        return reasons.filter { $0 != .soon } + [.noSource(holders: readers.holders(of: away))]
    }

    /// Files that this device cannot read do not come to another one by themselves.
    private func withOwnFault(
        _ reasons: [WhyFinding.Reason], sends: Bool
    ) -> [WhyFinding.Reason] {
        guard sends, let fault = StatusVerdict.fileFault(of: circumstances.here) else {
            return reasons
        }
        return [.problem(fault)] + reasons.filter { $0 != .soon }
    }

    /// Whether one of the files is here, and on no other device that is connected.
    private func isOnlyFromHere(
        _ files: [RecordSyncState.File], to device: DeviceID
    ) -> Bool {
        files.contains { file in
            file.isHere
                && !readers.holders(of: [file.blob]).contains {
                    $0 != device && readers.traffic.connected.contains($0)
                }
        }
    }

    private func word(_ device: DeviceID, _ file: RecordSyncState.File) -> SpaceSyncState.Word {
        readers.word(of: device, on: file.blob)
    }

    /// Why a device that holds the space still lacks parts of it; `sendsFiles` says that this device has files for it.
    package func reasons(
        for device: DeviceID, sendsFiles: Bool, onlyOthersHaveIt: Bool
    ) -> [WhyFinding.Reason] {
        var reasons = withOwnFault(reasonsForSilence(of: device), sends: sendsFiles)
        if !isTaken(by: device) { reasons.insert(.notAccepted, at: 0) }
        guard onlyOthersHaveIt else { return reasons }
        let absent = record.files.filter { !$0.isHere && word(device, $0) != .holds }
        return withSources(of: absent, reasons)
    }

    private func isTaken(by device: DeviceID) -> Bool {
        // One that left and is invited again has acknowledged something, and lacks it all.
        readers.acks[device] != nil && !readers.invited.contains(device)
            || readers.traffic.sharing.contains(device)
    }

    /// Why nothing reaches a device, or when it will.
    private func reasonsForSilence(of device: DeviceID) -> [WhyFinding.Reason] {
        let facts = circumstances.devices[device] ?? DeviceFacts(without: device)
        // Without a network nothing is in reach, even if a session with the device is still open.
        guard own.isEmpty else { return own }
        let obstacles = DeviceVerdict.obstacles(of: facts).map { WhyFinding.Reason.problem($0) }
        if readers.isTaking(device, record), obstacles.isEmpty { return [.moving] }
        if readers.traffic.connected.contains(device) || facts.isPresent {
            return obstacles.isEmpty ? [.soon] : obstacles
        }
        // A full disk may be why it ends each session, or just what it said before it was switched off.
        let isFull = obstacles == [.problem(.diskFullThere(device))]
        guard obstacles.isEmpty || isFull else { return obstacles }
        guard facts.hasAddress || facts.lastSeen != nil else { return obstacles + [.noWay] }
        return [.notConnected(since: facts.lastSeen)] + obstacles
            + (facts.calls.map { [.callFailed($0)] } ?? [])
    }
}

extension DeviceFacts {
    /// A device about which only is known that it may hold the space.
    fileprivate init(without device: DeviceID) {
        self.init(device)
        hasAddress = false
    }
}

extension WhyFinding.Reason {
    package var kind: WhyView.Reason.Kind {
        switch self {
        case .moving: .moving
        case .soon: .soon
        case .problem(let problem): problem.traits.reason
        case .notConnected: .notConnected
        case .noWay: .noWay
        case .callFailed: .callFailed
        case .notAccepted, .declined: .notAccepted
        case .noSource: .noSource
        case .filesUnsaid: .filesUnsaid
        case .behind: .behind
        case .schema: .schema
        case .roleLost: .roleLost
        case .conflict: .conflict
        }
    }
}
