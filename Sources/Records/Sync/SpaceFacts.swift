package import LocalAPI
package import SyncCore

/// One space that this device holds.
package struct SpaceFacts: Sendable {
    package let space: SpaceID
    package var sync: SpaceSyncState
    /// The person's own space, which only their devices share and which is never shown as a trip.
    package var isOwn = false
    /// A trip follows the journal's schema; so does a space whose schema is not known.
    package var isTrip = true
    /// What this device has of it.
    package var watermark: Watermark
    /// It was deleted: devices still exchange its changes, but not its files.
    package var isDeleted = false
    package var files = SpaceFileFacts()
    /// Entries about which somebody should decide.
    package var conflicts = 0
    /// Entries of the last sync that are not complete.
    package var incomplete = 0
    /// Changes that are dated in the future, by the device that made them.
    package var ahead: [AheadFacts] = []
    package var uncounted = UncountedFacts()
    package var unreadable = UnreadableFacts()
    /// It was revoked from this device.
    package var taken: RevocationFacts?
    /// Rights that people ask for and that this person can grant.
    package var requests: [PersonID: Permissions] = [:]
    /// People who were given it by this person and have not accepted it.
    package var answers: [PersonID: OpenAnswer] = [:]

    package enum OpenAnswer: Hashable, Sendable { case nothing, no }

    package init(_ space: SpaceID, _ sync: SpaceSyncState, watermark: Watermark) {
        self.space = space
        self.sync = sync
        self.watermark = watermark
    }
}

/// The files of one space: what is missing here, and what others may lack.
package struct SpaceFileFacts: Sendable {
    /// Missing files that the space names; includes all in ``SpaceSyncState/singledOut`` and in ``freed``.
    package var missing: [NamedBlob] = []
    /// Files that were here and are gone from this disk, or damaged.
    package var gone: Set<BlobID> = []
    /// Missing ones that were freed here, and when.
    package var freed: [BlobID: Milliseconds] = [:]
    /// Further ones, which are only counted: ``SpaceSyncState/fateOfOthers`` says what becomes of them.
    package var missingOthers = FileTotals()
    /// How many of the named files are thumbnails.
    package var thumbnailCount = 0
    /// Thumbnails that another device said it lacks.
    package var lackedThumbnails: Set<BlobID> = []
    /// Files that people added and that were freed on this device.
    package var freedCount = 0
    /// Where some device lacks files: those that nothing shown names.
    package var unneeded: Set<BlobID> = []
    /// When files that failed are tried again, by the wall clock.
    package var nextTry: Milliseconds?
}

/// What of one space this device cannot read, and why.
package struct UnreadableFacts: Sendable {
    /// Changes with missing parts: withheld while this device only carried the space, or lost.
    package var withheld = 0
    /// Why the schema of the space cannot be followed here; nil when it can, or need not be.
    package var obstacle: SchemaCache.Obstacle?
    /// Changes that only a newer peersync understands, by the device that made them.
    package var newerParts: [DeviceID: Int] = [:]
    /// Changes that are here without their key, although this device should have it.
    package var closed = 0
}

/// Changes that do not count, to tell this person of.
package struct UncountedFacts: Sendable {
    package var orphans: [OrphanView.Reason: Int] = [:]
    /// People without the right to write who sent so much that the rest is delayed.
    package var paced: [PersonID] = []

    /// Whether this person is told of any. Forked logs are urgent in any case.
    var isTold: Bool { orphans[.noRight, default: 0] > 0 || !paced.isEmpty }
}

/// Totals of files that are not listed.
package struct FileTotals: Hashable, Sendable {
    /// Without thumbnails.
    package var files = 0
    /// Bytes of those.
    package var bytes: UInt64 = 0
    package var thumbnails = 0

    package var isEmpty: Bool { files == 0 && thumbnails == 0 }

    package init(files: Int = 0, bytes: UInt64 = 0, thumbnails: Int = 0) {
        (self.files, self.bytes, self.thumbnails) = (files, bytes, thumbnails)
    }

    package init(_ listed: some Sequence<NamedBlob>) {
        for file in listed {
            if file.kind == .thumbnail {
                thumbnails += 1
            } else {
                files += 1
                bytes &+= file.size
            }
        }
    }

    package static func + (left: FileTotals, right: FileTotals) -> FileTotals {
        FileTotals(
            files: left.files + right.files, bytes: left.bytes &+ right.bytes,
            thumbnails: left.thumbnails + right.thumbnails)
    }

    package static func += (left: inout FileTotals, right: FileTotals) { left = left + right }
}

/// Changes of one device that are dated in the future.
package struct AheadFacts: Hashable, Sendable {
    package let device: DeviceID
    package var count: Int
    /// The largest difference.
    package var seconds: Int
    /// Whether this person may redate some of them.
    package var isRedatable: Bool

    package init(_ device: DeviceID, count: Int, seconds: Int, isRedatable: Bool) {
        (self.device, self.count, self.seconds) = (device, count, seconds)
        self.isRedatable = isRedatable
    }

    /// Whether changes of so many of the other devices are in the future here that this clock is behind.
    package static func areOfThisClock(_ ahead: Set<DeviceID>, among others: Int) -> Bool {
        ahead.count > 1 && 2 * ahead.count > others
    }

    mutating func add(_ other: AheadFacts) {
        count += other.count
        seconds = max(seconds, other.seconds)
        isRedatable = isRedatable || other.isRedatable
    }
}
