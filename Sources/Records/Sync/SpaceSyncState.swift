package import LocalAPI
package import SyncCore

/// The other devices that may have a space, the holdings of each, and the traffic.
package struct SpaceSyncState: Sendable {
    /// All devices that may read the space today, except this one; on a device that cannot read it, all
    /// that may have it.
    package let others: Set<DeviceID>
    /// Devices of other people who were given the space, and of whom none has accepted it yet: nothing
    /// waits for them, and they are not in ``others`` and ``vaults``.
    package let invited: Set<DeviceID>
    /// Further devices, which carry the space without reading it: nobody could open their copies without
    /// the keys of the others.
    package let vaults: Set<DeviceID>
    /// If there are vaults, the unencrypted files: vaults do not get them.
    private let plainFiles: Set<BlobID>
    let acks: [DeviceID: Watermark]
    let holdings: [DeviceID: Holdings]
    /// Whether this device reads the space: a vault only carries it.
    private let isReader: Bool
    /// The number of files of the space, as far as this device knows.
    let fileCount: Int
    private(set) var traffic: Traffic
    /// By device: files that are being sent to it.
    let going: [DeviceID: Set<BlobID>]
    /// By device: the listed files that it lacks.
    private let lacking: [DeviceID: Set<BlobID>]
    /// Those of ``holders`` that acknowledged the space: the others have nothing of it.
    private let holding: [DeviceID]

    package init(
        others: Set<DeviceID>, invited: Set<DeviceID> = [], vaults: Set<DeviceID> = [],
        acks: [DeviceID: Watermark], holdings: [DeviceID: Holdings], fileCount: Int,
        plainFiles: Set<BlobID> = [], isReader: Bool = true,
        traffic: Traffic = Traffic(), going: [DeviceID: Set<BlobID>] = [:]
    ) {
        (self.others, self.acks, self.holdings) = (others.subtracting(invited), acks, holdings)
        (self.vaults, self.plainFiles) = (vaults.subtracting(invited), plainFiles)
        (self.invited, self.isReader) = (invited, isReader)
        (self.fileCount, self.traffic, self.going) = (fileCount, traffic, going)
        lacking = holdings.mapValues { Set($0.missing) }
        holding = self.others.union(self.vaults).filter { acks[$0] != nil }
    }

    /// The same while some connected devices do not answer: nothing comes from them or goes to them. Where no other
    /// device is connected, no file is on its way here either.
    package func without(silent devices: Set<DeviceID>) -> SpaceSyncState {
        guard !traffic.connected.isDisjoint(with: devices) else { return self }
        var state = self
        state.traffic.connected.subtract(devices)
        state.traffic.taking.subtract(devices)
        if state.traffic.connected.isEmpty { state.traffic.coming = [] }
        return state
    }

    /// The status of one record (requirements J5 and K4), relative to the devices that may hold the space:
    /// first problems of this device, then items that others lack.
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
        return !others.isEmpty && isKnownElsewhere(record) ? .needsUpload : .localOnly
    }

    private func status(
        ofRecordMissing files: [BlobID], _ record: RecordSyncState
    ) -> RecordStatus {
        let fates = files.map { fate(of: $0) }
        if fates.contains(where: \.isError) { return .syncError }
        guard record.isFile else { return .filesPending }
        return fates.contains(.coming) ? .downloading : .needsDownload
    }

    // MARK: A file that is not here

    /// The fate of a file that is not here.
    package enum Fate: Hashable, Sendable {
        /// It is being received.
        case coming
        /// A connected device has it, or has not told yet.
        case soon
        /// No device that has it is connected, as far as is known.
        case away
        /// It failed several times.
        case givenUp
        /// It does not fit on this disk.
        case noRoom
        /// Every device that may hold it says that it lacks it.
        case lost

        /// Whether a person has to act first.
        package var isError: Bool { [.givenUp, .noRoom, .lost].contains(self) }
    }

    package func fate(of blob: BlobID) -> Fate {
        if traffic.coming.contains(blob) { return .coming }
        let fate = fate { word(of: $0, on: blob) }
        if fate == .lost { return .lost }
        if traffic.unfit.contains(blob) { return .noRoom }
        if traffic.failed.contains(blob) { return .givenUp }
        return fate
    }

    /// The fate of every file that is not here and not in ``singledOut``.
    package var fateOfOthers: Fate { fate { wordOnOthers(of: $0) } }

    private func fate(by word: (DeviceID) -> Word) -> Fate {
        var fate = Fate.lost
        for device in holding where word(device) != .lacks {
            if traffic.connected.contains(device) { return .soon }
            fate = .away
        }
        return fate
    }

    /// Files that a device listed, or that this device could not or need not fetch: all others share one
    /// fate. May contain files of other spaces.
    package var singledOut: Set<BlobID> {
        var files = traffic.coming.union(traffic.unfit).union(traffic.failed)
        traffic.refused.values.forEach { files.formUnion($0) }
        lacking.values.forEach { files.formUnion($0) }
        return files.union(plainFiles)
    }

    /// All other devices that may have the space.
    package var holders: Set<DeviceID> { others.union(vaults) }

    /// Files of the space that a device may have.
    func fileCount(for device: DeviceID) -> Int {
        vaults.contains(device) ? fileCount - plainFiles.count : fileCount
    }

    /// The devices that have all of these files.
    func holders(of files: [BlobID]) -> [DeviceID] {
        holders.filter { device in
            files.allSatisfy { word(of: device, on: $0) == .holds }
        }.sorted()
    }

    /// Changes of the space beyond a watermark that others are known to hold.
    package func changesElsewhere(beyond watermark: Watermark) -> Int {
        Int(clamping: acks.values.map { $0.count(beyond: watermark) }.max() ?? 0)
    }

    /// Whether a device said that it lacks none of the files that this device knows of.
    func hasAllFiles(_ device: DeviceID) -> Bool {
        fileCount(for: device) == 0 || currentHoldings(of: device)?.missingCount == 0
    }

    // MARK: One other device

    /// Whether a device is known to have every effective change of a record.
    func hasRead(_ device: DeviceID, _ record: RecordSyncState) -> Bool {
        acks[device].map { record.isCovered(by: $0) } ?? false
    }

    /// Whether another device is known to have the record, perhaps as it was before; also one that only carries it.
    func isKnownElsewhere(_ record: RecordSyncState) -> Bool {
        others.union(vaults).contains { acks[$0].map { record.isTouched(by: $0) } ?? false }
    }

    /// The changes of a record that no other device is known to have, and when the last was written.
    package func unsent(_ record: RecordSyncState) -> (count: Int, last: HybridTime?) {
        let acks = others.union(vaults).compactMap { self.acks[$0] }
        var (count, last): (Int, HybridTime?) = (0, nil)
        for (log, sequences) in record.commits {
            let unsent = sequences.count { sequence in
                !acks.contains { $0.covers(log, sequence) }
            }
            guard unsent > 0 else { continue }
            count += unsent
            last = [last, record.written[log]].compactMap(\.self).max()
        }
        return (count, last)
    }

    /// Changes of a record by one device that nobody else is known to have had, whether they may read it today or not.
    package func unsent(_ record: RecordSyncState, by device: DeviceID) -> Int {
        record.commits.reduce(0) { count, entry in
            guard entry.key.device == device else { return count }
            return count
                + entry.value.count { sequence in
                    !acks.contains { $0.key != device && $0.value.covers(entry.key, sequence) }
                }
        }
    }

    /// Files of a record that a device is not known, by its own word, to hold.
    func filesMissing(_ device: DeviceID, _ record: RecordSyncState) -> [RecordSyncState.File] {
        record.files.filter { word(of: device, on: $0.blob) != .holds }
    }

    /// The statement of a device about one file.
    package enum Word: Hashable {
        case holds, lacks
        /// No statement about this file.
        case nothing
    }

    package func word(of device: DeviceID, on blob: BlobID) -> Word {
        // It did not have the file when asked, despite its holdings.
        if traffic.refused[device]?.contains(blob) == true { return .lacks }
        if vaults.contains(device), plainFiles.contains(blob) { return .lacks }
        if lacking[device]?.contains(blob) == true { return .lacks }
        return wordOnOthers(of: device)
    }

    /// The statement of a device about files that it did not list.
    private func wordOnOthers(of device: DeviceID) -> Word {
        guard let said = currentHoldings(of: device) else { return .nothing }
        // The list of missing files is cut off when it is very long.
        return said.missingCount <= UInt64(said.missing.count) ? .holds : .nothing
    }

    /// Whether a part of a record is being sent to a device, or may be part of the traffic.
    func isTaking(_ device: DeviceID, _ record: RecordSyncState) -> Bool {
        if traffic.taking.contains(device), !hasRead(device, record) { return true }
        // A connection for files may stay open for a while after its session ended.
        guard traffic.connected.contains(device), let going = going[device] else { return false }
        return filesMissing(device, record).contains { going.contains($0.blob) }
    }

    /// How many files a device lacks that it did not list, and that may be here.
    func unlisted(_ said: Holdings) -> Int {
        // Beside a vault files that are not encrypted are not listed: the vault has none of them.
        guard isReader || said.missing.count >= Limits.holdingsMissing else { return 0 }
        return Int(clamping: said.missingCount) - said.missing.count
    }

    /// Holdings from before the device knew of as many files as this one say nothing about new ones.
    func currentHoldings(of device: DeviceID) -> Holdings? {
        guard let said = holdings[device] else { return nil }
        let (known, isTooMuch) = said.held.addingReportingOverflow(said.missingCount)
        return isTooMuch || known >= UInt64(fileCount(for: device)) ? said : nil
    }
}
