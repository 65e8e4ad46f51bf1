package import LocalAPI
package import SyncCore

/// The other devices that may have a space, what each said it holds of it, and what moves.
package struct SpaceSyncState: Sendable {
    /// All that may read today, this device left out; on a device that cannot read it all that may
    /// have it.
    package let others: Set<DeviceID>
    /// Devices of other people who were given the space, and of whom none has taken it yet: nothing waits
    /// for them, and they are none of ``others`` and ``vaults``.
    package let invited: Set<DeviceID>
    /// Further ones, which carry the space and cannot read it: what they have is no copy that anybody
    /// could open without the keys of the others.
    package let vaults: Set<DeviceID>
    /// Where there are such, the files that are not encrypted: no vault gets them.
    private let plainFiles: Set<BlobID>
    let acks: [DeviceID: Watermark]
    let holdings: [DeviceID: Holdings]
    /// Files of the space as this device knows it.
    let fileCount: Int
    let traffic: Traffic
    /// By device: files that it is being sent.
    let going: [DeviceID: Set<BlobID>]
    /// By device: the listed files that it lacks.
    private let lacking: [DeviceID: Set<BlobID>]

    package init(
        others: Set<DeviceID>, invited: Set<DeviceID> = [], vaults: Set<DeviceID> = [],
        acks: [DeviceID: Watermark], holdings: [DeviceID: Holdings], fileCount: Int,
        plainFiles: Set<BlobID> = [],
        traffic: Traffic = Traffic(), going: [DeviceID: Set<BlobID>] = [:]
    ) {
        (self.others, self.acks, self.holdings) = (others.subtracting(invited), acks, holdings)
        (self.vaults, self.plainFiles) = (vaults.subtracting(invited), plainFiles)
        self.invited = invited
        (self.fileCount, self.traffic, self.going) = (fileCount, traffic, going)
        lacking = holdings.mapValues { Set($0.missing) }
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
        return isKnownElsewhere(record) ? .needsUpload : .localOnly
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

    /// What becomes of a file that is not here.
    package enum Fate: Hashable, Sendable {
        /// It is on its way.
        case coming
        /// A connected device has it, or has not said yet.
        case soon
        /// Nobody who has it is connected, as far as is known.
        case away
        /// It failed several times.
        case givenUp
        /// It does not fit on this disk.
        case noRoom
        /// Every device that may hold it says that it lacks it.
        case lost

        /// Nothing comes before somebody acts.
        package var isError: Bool { [.givenUp, .noRoom, .lost].contains(self) }
    }

    package func fate(of blob: BlobID) -> Fate {
        if traffic.coming.contains(blob) { return .coming }
        let words = words { word(of: $0, on: blob) }
        if words.values.allSatisfy({ $0 == .lacks }) { return .lost }
        if traffic.unfit.contains(blob) { return .noRoom }
        if traffic.failed.contains(blob) { return .givenUp }
        return fate(followingFrom: words)
    }

    /// What becomes of every file that is not here and not among ``singledOut``.
    package var fateOfOthers: Fate {
        let words = words { wordOnOthers(of: $0) }
        return words.isEmpty ? .lost : fate(followingFrom: words)
    }

    /// The files of which somebody said something, or that this device could not or need not fetch:
    /// all others share one fate. Of other spaces there may be some among them.
    package var singledOut: Set<BlobID> {
        var files = traffic.coming.union(traffic.unfit).union(traffic.failed)
        traffic.refused.values.forEach { files.formUnion($0) }
        lacking.values.forEach { files.formUnion($0) }
        return files.union(plainFiles)
    }

    /// Who never acknowledged the space has nothing of it.
    private func words(_ word: (DeviceID) -> Word) -> [DeviceID: Word] {
        Dictionary(holders.filter { acks[$0] != nil }.map { ($0, word($0)) }) { $1 }
    }

    private func fate(followingFrom words: [DeviceID: Word]) -> Fate {
        words.contains { $1 != .lacks && traffic.connected.contains($0) } ? .soon : .away
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

    /// Changes of the space that others are known to hold and that are beyond a watermark.
    package func changesElsewhere(beyond watermark: Watermark) -> Int {
        Int(clamping: acks.values.map { $0.count(beyond: watermark) }.max() ?? 0)
    }

    /// Whether a device said that it lacks none of the files that this device knows of.
    func hasAllFiles(_ device: DeviceID) -> Bool {
        fileCount(for: device) == 0 || currentHoldings(of: device)?.missingCount == 0
    }

    // MARK: One other device

    /// Whether a device is known to have every change of a record that still counts.
    func hasRead(_ device: DeviceID, _ record: RecordSyncState) -> Bool {
        acks[device].map { record.isCovered(by: $0) } ?? false
    }

    /// Whether another device is known to have the record, perhaps as it was before.
    func isKnownElsewhere(_ record: RecordSyncState) -> Bool {
        others.contains { acks[$0].map { record.isTouched(by: $0) } ?? false }
    }

    /// The changes of a record that no other device is known to have, and when the last was written.
    package func unsent(_ record: RecordSyncState) -> (count: Int, last: HybridTime?) {
        let acks = others.compactMap { self.acks[$0] }
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
        if vaults.contains(device), plainFiles.contains(blob) { return .lacks }
        if lacking[device]?.contains(blob) == true { return .lacks }
        return wordOnOthers(of: device)
    }

    /// What a device said about the files that it did not list.
    private func wordOnOthers(of device: DeviceID) -> Word {
        guard let said = currentHoldings(of: device) else { return .nothing }
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
    func currentHoldings(of device: DeviceID) -> Holdings? {
        guard let said = holdings[device] else { return nil }
        let (known, isTooMuch) = said.held.addingReportingOverflow(said.missingCount)
        return isTooMuch || known >= UInt64(fileCount(for: device)) ? said : nil
    }
}
