package import LocalAPI
package import SyncCore

/// Everything that signs and sentences about sync depend on, at one moment. ``StatusVerdict`` is a pure
/// function of it, and nothing else decides what people are told.
package struct StatusFacts: Sendable {
    package var here = HereFacts()
    package var devices: [DeviceFacts] = []
    /// The spaces on this device, including the person's own.
    package var spaces: [SpaceFacts] = []
    /// Deleted spaces to tell a person of, with the number of devices with writes that the deletion had not
    /// seen.
    package var deletions: [(space: SpaceID, unseen: Int)] = []
    /// Granted spaces that wait for an answer.
    package var invitations: [SpaceID] = []
    /// Trips with an older version of the journal that this person may upgrade.
    package var upgrades: [SpaceID] = []
    /// Late changes and many deletions that this person has not looked at.
    package var arrivals: [Arrival] = []

    package init() {}
}

/// This device.
package struct HereFacts: Sendable {
    package var isSyncOn = true
    /// A long-running agent, and not a command that opened the store.
    package var isAgentRunning = true
    /// An interface is connected and has an address.
    package var hasNetwork = true
    /// Why devices are not found by themselves; nil while they are.
    package var discovery: DiscoveryFault?
    /// The wanted port is taken.
    package var port: PortConflict?
    /// A firewall that blocks connections to this device, or may.
    package var firewall: FirewallObstacle?
    package var administration = Administration(
        isRoot: false, services: .none, packages: .none)
    /// Why nothing can be written any more.
    package var storageFault: StorageFault?
    package var isDiskFull = false
    /// Nil when the disk gives no answer.
    package var disk: DiskFacts?
    /// Changes that were lost to damage here and have not arrived again.
    package var damage: [DamageFacts] = []
    /// The person who reported this device lost.
    package var loss: KnownLoss?
    /// Devices of this person that exchanged the recovery key for different ones.
    package var keyRivals: [DeviceID] = []
    package var dataSets: [FollowedSetNotice] = []
    package var moves: [InterruptedMove] = []

    package init() {}
}

/// Why nothing can be written.
package enum StorageFault: Sendable {
    /// The disk was too full to open the store for writing. That ends once there is room.
    case readOnly
    /// Until the agent starts again.
    case broken(APIError)
}

/// The disk with all data of this device.
package struct DiskFacts: Hashable, Sendable {
    /// A folder on it.
    package let folder: String
    package let freeBytes: UInt64
    /// Bytes that must be free to store a file, with the spare ones.
    package let neededBytes: UInt64
    /// Bytes of these that files leave free, for text and the database.
    package let spareBytes: UInt64

    /// `spareBytes` must be free even for the smallest file.
    package init(folder: String, freeBytes: UInt64, spareBytes: UInt64) {
        self.init(folder, freeBytes, needed: spareBytes, spare: spareBytes)
    }

    private init(_ folder: String, _ freeBytes: UInt64, needed: UInt64, spare: UInt64) {
        (self.folder, self.freeBytes) = (folder, freeBytes)
        (neededBytes, spareBytes) = (needed, spare)
    }

    var isFull: Bool { freeBytes < neededBytes }

    /// Including a file that waits for room.
    func needing(_ bytes: UInt64) -> DiskFacts {
        let (sum, overflow) = neededBytes.addingReportingOverflow(bytes)
        return DiskFacts(folder, freeBytes, needed: overflow ? .max : sum, spare: spareBytes)
    }
}

/// Lost changes that the same devices have, as far as is known.
package enum DamageFacts: Hashable, Sendable {
    /// Devices that are known to have them; those in reach, when they are `coming`.
    case changes(Int, on: [DeviceID], coming: Bool)
    /// Trips of which nothing is left here, and whether the person's own lists are empty, too.
    case emptied(trips: Int, lists: Bool)
}

/// Another device.
package struct DeviceFacts: Sendable {
    package let device: DeviceID
    package var link = Link.away
    package var hasAddress = true
    package var lastSeen: Milliseconds?
    package var lastSync: Milliseconds?
    /// Its wall clock minus this one's.
    package var clockSkewMilliseconds: Int64?
    /// Whether its peersync is newer than this one, or older; nil while the two are compatible.
    package var speaksNewer: Bool?
    /// The version of its peersync, safe to print; empty when it was not met since the start.
    package var version = ""
    package var isDiskFull = false
    /// It said that sync was switched off there, and has not been heard from since.
    package var isSyncOff = false
    package var oddities: Set<Oddity> = []
    /// It said that it does not trust this device.
    package var distrustsThis = false
    /// Nil when the last call succeeded, or none was made.
    package var calls: CallFacts?
    /// How it got into trips; nil when a person who knew it let it in.
    package var admission: KeyAdmission?

    package init(_ device: DeviceID) {
        self.device = device
    }

    /// Recent behaviour that no device shows by itself.
    package enum Oddity: Hashable, Sendable {
        /// It sent changes without the right to make them.
        case sentRefusedChanges
        /// It sent data that was broken or changed.
        case sentBrokenData
        /// Two seem to run with its key.
        case runsTwice
        /// It has sessions with a copy of this device instead.
        case meetsCopyOfThis
    }

    /// How this device and the other one reach each other.
    package enum Link: Hashable, Sendable {
        /// A session is open. `silence`: milliseconds without any answer; `gap`: milliseconds during which
        /// it has passed on changes, but not earlier ones.
        case connected(silence: UInt64 = 0, gap: UInt64 = 0)
        /// Another connected device has a session with it.
        case reached
        case away
    }

    package var isConnected: Bool {
        if case .connected = link { true } else { false }
    }

    /// A session is open and it answers, or its messages arrive through another device.
    package var isPresent: Bool {
        switch link {
        case .connected(let silence, _): silence < Limits.silenceMilliseconds
        case .reached: true
        case .away: false
        }
    }
}

/// A device of this person got into trips with the recovery key alone: anybody with the key can do that.
package struct KeyAdmission: Hashable, Sendable {
    package let spaces: [SpaceID]
    /// When this device first heard of it.
    package let since: Milliseconds

    package init(to spaces: [SpaceID], since: Milliseconds) {
        (self.spaces, self.since) = (spaces, since)
    }
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

    mutating func add(_ other: AheadFacts) {
        count += other.count
        seconds = max(seconds, other.seconds)
        isRedatable = isRedatable || other.isRedatable
    }
}

/// Consecutive failed calls to one device.
package struct CallFacts: Hashable, Sendable {
    package var failures: Int
    /// By the wall clock; nil when a person has to act first.
    package var nextTry: Milliseconds?
    package var error: CallError
    package var kind: TroubleKind

    package init(failures: Int, nextTry: Milliseconds?, error: CallError, kind: TroubleKind) {
        self.failures = failures
        self.nextTry = nextTry
        self.error = error
        self.kind = kind
    }
}

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
    package var taken: TakenFacts?
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

extension Limits {
    /// From when on a connected device counts as not answering. Its computer confirms what comes at once,
    /// also while the agent there is busy; in this time a packet that was lost is sent four times more.
    package static let silenceMilliseconds: UInt64 = 3_000
    /// A device may pass on changes for so long before what comes before them: what several send at once
    /// crosses, and is asked for again after 25 seconds at the latest.
    package static let gapMilliseconds: UInt64 = 40_000
    /// Failed deliveries before a person is told (requirement P10).
    package static let deliveriesUntold = 5
}
