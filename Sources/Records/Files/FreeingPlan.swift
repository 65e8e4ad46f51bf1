package import LocalAPI
package import Store
package import SyncCore

/// The files of deleted records that may go from this device, of a space or of all: ``FileRelease`` decides which.
package struct FreeingPlan: Sendable {
    package private(set) var files: [BlobID] = []
    /// The files that would be freed, and those that wait.
    package private(set) var report = BinEmptied()
    private let version: UInt64

    /// Reads from one snapshot. `days`: for how many days files stay after they were deleted.
    package static func make(
        for replica: any Replica, in space: SpaceID?, days: Int
    ) throws -> FreeingPlan {
        try replica.store.snapshot { version in
            try FreeingPlan(replica, in: space, days: days, version: version)
        }
    }

    private init(
        _ replica: any Replica, in space: SpaceID?, days: Int, version: UInt64
    ) throws {
        self.version = version
        let freeable = FreeableFiles(replica)
        var seen: Set<BlobID> = []
        var waiting: Set<DeviceID> = []
        for space in space.map({ [$0] }) ?? replica.store.ledgers.keys.sorted() {
            for file in try freeable.all(in: space) where seen.insert(file.blob).inserted {
                switch file.release.verdict(days: days, at: replica.now) {
                case .free:
                    files.append(file.blob)
                    report.files += file.count
                    report.bytes += Int64(clamping: file.size)
                case .waits(let devices):
                    report.waiting += file.count
                    waiting.formUnion(devices)
                case .later: report.later += file.count
                case .absent, .needed: break
                }
            }
        }
        if report.files == 0 { report.files = files.count }
        report.waitingFor = waiting.sorted().map { replica.reference($0) }
    }

    /// Notes the files as freed; only then they may be removed. False, and nothing is noted, if anything was
    /// written since the plan was made.
    package func note(in store: SyncStore, now: Milliseconds) throws -> Bool {
        try store.freedFiles.free(files, decidedAt: version, now: now)
    }
}
