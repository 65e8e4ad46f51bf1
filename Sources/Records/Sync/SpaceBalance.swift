package import LocalAPI
package import SyncCore

/// The holdings of all devices for one space, computed once.
package struct SpaceBalance {
    let facts: SpaceFacts
    /// Files that are missing here, by fate.
    let fates: [SpaceSyncState.Fate: FileTotals]
    /// Bytes of all files without room on the disk; nil when there is none. Such files are always listed.
    let unfitBytes: UInt64?
    /// Lost files among the listed ones: those that others list are included.
    private let lost: Set<BlobID>
    /// Bytes of the listed files that are missing here.
    private let absent: [BlobID: UInt64]

    package init(_ facts: SpaceFacts) {
        self.facts = facts
        let sync = facts.sync
        let listed = Dictionary(grouping: facts.files.missing) { sync.fate(of: $0.blob) }
        var fates = listed.mapValues { FileTotals($0) }
        if !facts.files.missingOthers.isEmpty {
            fates[sync.fateOfOthers, default: FileTotals()] += facts.files.missingOthers
        }
        self.fates = fates
        unfitBytes = listed[.noRoom].map { files in files.reduce(0) { $0 &+ $1.size } }
        lost = Set((listed[.lost] ?? []).map(\.blob))
        absent = Dictionary(facts.files.missing.map { ($0.blob, $0.size) }) { $1 }
    }

    /// Files that are missing here, but not lost.
    var awaited: FileTotals {
        fates.reduce(FileTotals()) { $1.key == .lost ? $0 : $0 + $1.value }
    }

    /// Those of the lost files that were freed here, and when the last one was.
    var freed: (files: Int, at: Milliseconds) {
        let freed = facts.files.missing.filter { $0.kind != .thumbnail && lost.contains($0.blob) }
            .compactMap { facts.files.freed[$0.blob] }
        return (freed.count, freed.max() ?? Milliseconds(0))
    }

    /// Whether a device has everything that this one knows of, except for lost files.
    func isEqual(to device: DeviceID) -> Bool {
        let (sync, watermark) = (facts.sync, facts.watermark)
        guard let ack = sync.acks[device], ack.covers(watermark), watermark.covers(ack) else {
            return false
        }
        guard sync.fileCount(for: device) > 0, !facts.isDeleted else { return true }
        guard let said = sync.currentHoldings(of: device) else { return false }
        return sync.unlisted(said) == 0 && awaited(by: said).allSatisfy { lost.contains($0) }
    }

    /// Items that a device lacks: those that this device can send, and others. A connected device that did
    /// not accept the space keeps nothing waiting.
    package func owed(
        to device: DeviceID
    ) -> (toSend: WaitingCount, fromOthers: WaitingCount) {
        let sync = facts.sync
        guard sync.holders.contains(device), !sync.traffic.withoutSpace.contains(device) else {
            return (.nothing, .nothing)
        }
        let changes = Int(
            clamping: facts.watermark.count(
                beyond: sync.acks[device] ?? Watermark(), exceptOf: device))
        guard !facts.isDeleted else {
            return (WaitingCount(changes: changes, files: 0, bytes: 0), .nothing)
        }
        let here = max(
            0,
            sync.fileCount(for: device) - facts.files.thumbnailCount - facts.files.freedCount
                - fates.values.reduce(0) { $0 + $1.files })
        guard let said = sync.holdings[device] else {
            return (WaitingCount(changes: changes, files: here, bytes: 0), .nothing)
        }
        func bytes(_ files: [BlobID]) -> UInt64 {
            files.reduce(0) { $0 &+ (absent[$1] ?? 0) }
        }
        let lacked = awaited(by: said)
        let gone = lacked.filter { absent[$0] != nil }
        let awaited = gone.filter {
            !facts.files.lackedThumbnails.contains($0) && !lost.contains($0)
        }
        let listed = lacked.count {
            absent[$0] == nil && !facts.files.lackedThumbnails.contains($0)
        }
        let files = listed + min(sync.unlisted(said), max(0, here - listed))
        let sendable = said.missingBytes - min(said.missingBytes, bytes(gone))
        return (
            WaitingCount(
                changes: changes, files: files, bytes: files == 0 ? 0 : Int64(clamping: sendable)),
            WaitingCount(
                changes: 0, files: awaited.count, bytes: Int64(clamping: bytes(awaited)))
        )
    }

    /// The files that a device listed and waits for: nobody does for those that nothing shown names.
    private func awaited(by said: Holdings) -> [BlobID] {
        said.missing.filter { !said.unwanted.contains($0) && !facts.files.unneeded.contains($0) }
    }
}
