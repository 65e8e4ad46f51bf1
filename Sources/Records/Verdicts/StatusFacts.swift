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
    /// Spaces that this device left without anybody else knowing it.
    package var leaves: [UnsentLeave] = []
    /// Late changes and many deletions that this person has not looked at.
    package var arrivals: [Arrival] = []
    /// Whether the data folder of this device was found to be a copy, some days ago at most.
    package var isCopy = false

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

/// Why nothing can be written, or no file can be read.
package enum StorageFault: Sendable {
    /// The disk was too full to open the store for writing. That ends once there is room.
    case readOnly
    /// Until the agent starts again.
    case broken(APIError)
    /// The folder of the files is not there, its disk may not be mounted. All else goes on.
    case noFiles
    /// This user may not use a folder of the files. All else goes on.
    case closedFiles(folder: String)
}

/// The disk with all data of this device.
package struct DiskFacts: Hashable, Sendable {
    /// A folder on it.
    package let folder: String
    package let freeBytes: UInt64
    /// Bytes that must be free to store all files that wait for room, with the spare ones.
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

    /// Including files that wait for room.
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

    /// A session is open, and nothing answers: status calls such a device silent.
    package var isSilent: Bool { isConnected && !isPresent }

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
