package import LocalAPI
package import SyncCore

/// What is known of one record and its files on this device.
package struct RecordStanding: Sendable {
    /// One file that the record needs.
    package struct File: Hashable, Sendable {
        let blob: BlobID
        let isHere: Bool
        /// Of its bytes, verified on this device.
        let bytesHere: UInt64

        package init(blob: BlobID, isHere: Bool, bytesHere: UInt64) {
            self.blob = blob
            self.isHere = isHere
            self.bytesHere = bytesHere
        }
    }

    /// By author log: the last of the record's writes that still count.
    package var positions: [LogID: UInt64] = [:]
    package var isConflicted = false
    package var files: [File] = []
    /// Whether the record stands for one file, not for a memory with files.
    package var isFile = false

    package init() {}

    /// Takes in the writes of a state that still count.
    package mutating func add(_ state: RecordState) {
        for register in state.fields.values { add(register) }
        for register in state.sets.values.flatMap(\.values) { add(register) }
    }

    private mutating func add(_ register: Register) {
        for write in register.writes {
            positions[write.log] = max(positions[write.log] ?? 0, write.sequence)
        }
    }
}

/// The other devices that may read a trip, and what each said it holds of it.
package struct ReaderStandings: Sendable {
    /// All that may read today, this device left out.
    let others: Set<DeviceID>
    let acks: [DeviceID: Watermark]
    let holdings: [DeviceID: Holdings]
    /// Files of the trip as this device knows it.
    let fileCount: Int

    package init(
        others: Set<DeviceID>, acks: [DeviceID: Watermark], holdings: [DeviceID: Holdings],
        fileCount: Int
    ) {
        self.others = others
        self.acks = acks
        self.holdings = holdings
        self.fileCount = fileCount
    }

    /// The status of one record (requirement J5), relative to the devices that may hold the trip:
    /// first what a person must know about this device, then what the others lack.
    package func status(of record: RecordStanding) -> RecordStatus {
        if record.isConflicted { return .conflict }
        if record.files.contains(where: { !$0.isHere }) {
            guard record.isFile else { return .filesPending }
            return record.files.contains { $0.bytesHere > 0 } ? .downloading : .needsDownload
        }
        let readers = others.filter { hasRead($0, record.positions) }
        if readers.isEmpty { return .localOnly }
        let holders = readers.filter { device in
            record.files.allSatisfy { holds(device, $0.blob) }
        }
        return holders.count == others.count ? .inSync : .needsUpload
    }

    /// The indicator of a whole trip. Devices that never acknowledged it have not accepted it: they
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

    private func isEqual(_ device: DeviceID, _ watermark: Watermark) -> Bool {
        guard let ack = acks[device], ack.covers(watermark), watermark.covers(ack) else {
            return false
        }
        return fileCount == 0 || currentHoldings(of: device)?.missingCount == 0
    }

    private func hasRead(_ device: DeviceID, _ positions: [LogID: UInt64]) -> Bool {
        guard let ack = acks[device] else { return false }
        return positions.allSatisfy { ack.covers($0.key, $0.value) }
    }

    /// Whether a device is known to hold a file, by its own word.
    private func holds(_ device: DeviceID, _ blob: BlobID) -> Bool {
        guard let said = currentHoldings(of: device) else { return false }
        let isComplete = said.missingCount <= UInt64(said.missing.count)
        return isComplete && !said.missing.contains(blob)
    }

    /// Holdings said before the device knew of as many files as this one say nothing of new ones.
    private func currentHoldings(of device: DeviceID) -> Holdings? {
        guard let said = holdings[device] else { return nil }
        let (known, isTooMuch) = said.held.addingReportingOverflow(said.missingCount)
        return isTooMuch || known >= UInt64(fileCount) ? said : nil
    }
}
