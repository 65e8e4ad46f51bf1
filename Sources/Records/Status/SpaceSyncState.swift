package import LocalAPI
package import SyncCore

/// The other devices that may read a space, what each said it holds of it, and what moves.
package struct SpaceSyncState: Sendable {
    /// All that may read today, this device left out.
    let others: Set<DeviceID>
    let acks: [DeviceID: Watermark]
    let holdings: [DeviceID: Holdings]
    /// Files of the space as this device knows it.
    let fileCount: Int
    let traffic: Traffic
    /// By device: files that it is being sent.
    let going: [DeviceID: Set<BlobID>]

    package init(
        others: Set<DeviceID>, acks: [DeviceID: Watermark], holdings: [DeviceID: Holdings],
        fileCount: Int, traffic: Traffic = Traffic(), going: [DeviceID: Set<BlobID>] = [:]
    ) {
        (self.others, self.acks, self.holdings) = (others, acks, holdings)
        (self.fileCount, self.traffic, self.going) = (fileCount, traffic, going)
    }

    /// The status of one record (requirements J5 and K4), relative to the devices that may hold the
    /// space: first what a person must know about this device, then what the others lack.
    package func status(of record: RecordSyncState) -> RecordStatus {
        if record.isConflicted { return .conflict }
        if record.isDeleted {
            if others.isEmpty { return .localOnly }
            return others.allSatisfy { hasRead($0, record) } ? .inSync : .needsDeletion
        }
        let missing = record.files.filter { !$0.isHere }.map(\.blob)
        guard missing.isEmpty else { return status(ofRecordMissing: missing, record) }
        let lacking = others.filter { !hasRead($0, record) || !filesMissing($0, record).isEmpty }
        if !others.isEmpty && lacking.isEmpty { return .inSync }
        if lacking.contains(where: { isTaking($0, record) }) { return .uploading }
        return others.contains { hasRead($0, record) } ? .needsUpload : .localOnly
    }

    private func status(
        ofRecordMissing files: [BlobID], _ record: RecordSyncState
    ) -> RecordStatus {
        let isGivenUp = files.contains {
            traffic.failed.contains($0) || traffic.unfit.contains($0)
        }
        if isGivenUp { return .syncError }
        guard record.isFile else { return .filesPending }
        return files.contains { traffic.coming.contains($0) } ? .downloading : .needsDownload
    }

    /// The indicator of a whole space. Devices that never acknowledged it have not accepted it: they
    /// keep nothing waiting, unless there are no others.
    package func state(
        watermark: Watermark, filesMissing: Int, connected: Set<DeviceID>
    ) -> SyncState {
        if others.isEmpty { return .synced }
        let holding = others.filter { acks[$0] != nil }
        if holding.isEmpty { return .pending }
        let differing = holding.filter { !isEqual($0, watermark) }
        if differing.isEmpty && filesMissing == 0 { return .synced }
        let reachable = holding.intersection(connected)
        if reachable.isEmpty { return .offline }
        return filesMissing > 0 || !differing.isDisjoint(with: reachable) ? .syncing : .pending
    }

    /// Changes of the space that others are known to hold and that are beyond a watermark.
    package func changesElsewhere(beyond watermark: Watermark) -> Int {
        Int(clamping: acks.values.map { $0.count(beyond: watermark) }.max() ?? 0)
    }

    private func isEqual(_ device: DeviceID, _ watermark: Watermark) -> Bool {
        guard let ack = acks[device], ack.covers(watermark), watermark.covers(ack) else {
            return false
        }
        return hasAllFiles(device)
    }

    /// Whether a device said that it lacks none of the files that this device knows of.
    func hasAllFiles(_ device: DeviceID) -> Bool {
        fileCount == 0 || currentHoldings(of: device)?.missingCount == 0
    }

    // MARK: One other device

    /// Whether a device is known to have every change of a record that still counts.
    func hasRead(_ device: DeviceID, _ record: RecordSyncState) -> Bool {
        acks[device].map { record.isCovered(by: $0) } ?? false
    }

    /// Files of a record that a device is not known, by its own word, to hold.
    func filesMissing(_ device: DeviceID, _ record: RecordSyncState) -> [RecordSyncState.File] {
        record.files.filter { word(of: device, on: $0.blob) != .holds }
    }

    /// What a device said about one file.
    package enum Word: Hashable {
        case holds, lacks
        /// Nothing that could be about this file.
        case nothing
    }

    package func word(of device: DeviceID, on blob: BlobID) -> Word {
        // Asked for it, it did not have it, whatever it had said.
        if traffic.refused[device]?.contains(blob) == true { return .lacks }
        guard let said = holdings[device] else { return .nothing }
        if said.missing.contains(blob) { return .lacks }
        guard currentHoldings(of: device) != nil else { return .nothing }
        // The list of a device that lacks very much is cut off.
        return said.missingCount <= UInt64(said.missing.count) ? .holds : .nothing
    }

    /// Whether something of a record is being sent to a device, or may be with what is.
    func isTaking(_ device: DeviceID, _ record: RecordSyncState) -> Bool {
        if traffic.taking.contains(device), !hasRead(device, record) { return true }
        // A connection for files may hang for a while after the session has found out.
        guard traffic.connected.contains(device), let going = going[device] else { return false }
        return filesMissing(device, record).contains { going.contains($0.blob) }
    }

    /// Holdings said before the device knew of as many files as this one say nothing of new ones.
    private func currentHoldings(of device: DeviceID) -> Holdings? {
        guard let said = holdings[device] else { return nil }
        let (known, isTooMuch) = said.held.addingReportingOverflow(said.missingCount)
        return isTooMuch || known >= UInt64(fileCount) ? said : nil
    }
}
