import Encryption
import Identity
import Node
import Store
import SyncCore
internal import TestKit
import VirtualDisk
import Wire

/// One simulated device: the real engine, store and work; its queues, connections and clocks are
/// the world's.
final class Replica {
    /// Work of one kind is done in order, work of different kinds in any order.
    enum Lane: Int, CaseIterable {
        case verifying, storing, reading, files
    }

    let index: Int
    let member: Member
    var conduct: Conduct
    let clock: ReplicaClock
    let random: SharedRandom
    /// Replicas it paired with.
    var paired: Set<Int> = []
    /// Forms that its person has opened and not saved.
    var forms: [Form] = []
    /// Spaces that its person is about to accept or decline.
    var answering: Set<SpaceID> = []

    /// Counts its starts: events of an earlier start are dropped.
    var boot = 0
    /// Nil while it does not run.
    var opened: OpenedAgent?
    var deciding = Deciding()
    var loop: Loop
    var connections = Connections()
    var storage: Storage
    var seen = Seen()

    /// How it differs from an honest device with the newest program.
    struct Conduct {
        let role: Schedule.Role
        /// Its program reads no newer formats of schemas.
        var isOutdated: Bool
        /// Its last messages, for replicas that repeat old ones.
        var said: [PeerMessage] = []
    }

    /// Its decisions, one level above the engine.
    struct Deciding {
        var node: Node?
        var dialing = Dialing()
        var peers = PeerTable()
        /// The times of its next look around for dialling, and of its waiting work.
        var nextDial = Alarm()
        var nextDuty = Alarm()
    }

    /// Its engine, and the events and the work that wait.
    struct Loop {
        var engine: Engine
        var inbox: WaitingLine<EngineEvent> = []
        var isLooping = false
        var lanes: [Lane: WaitingLine<EngineAction>] = [:]
        var busy: Set<Lane> = []
        var nextTick = Alarm()
        var finishedSyncs: Set<SyncRequestID> = []

        init(of member: Member) { engine = Engine(device: member.device, person: member.person) }
    }

    /// Its connections by number: the link, and its end there.
    struct Connections {
        typealias End = (link: Int, end: Int)

        var sessions: [UInt64: End] = [:]
        var bulks: [UInt64: End] = [:]
        /// No later start uses a number again.
        var lastNumber: UInt64 = 0
        var trusted: Set<DeviceID> = []
    }

    /// Its disk, and the contents besides the store.
    struct Storage {
        let disk: VirtualDisk
        /// The failure that its disk is about to have.
        var trouble: Trouble?
        var shelf = SimulatedBlobs()
        /// Files that arrive in a space while another one holds them.
        var again: [BlobID: ChunkList] = [:]
        var copies: [Copy] = []
        var backups: [Copy] = []
        /// The files of all its backups, each stored once.
        var backedUp: [BlobID: [UInt8]] = [:]
    }

    enum Trouble {
        /// The power fails in the middle of a step.
        case powerLoss
        /// One call fails.
        case failure
        case full
    }

    struct Form {
        let space: SpaceID
        let key: RecordKey
        /// By field: the writes that were shown when it was opened.
        let seen: [String: [WriteID]]
    }

    /// An earlier state of its disk, and the commits it held then.
    typealias Copy = (
        disk: VirtualDisk.Snapshot, shelf: SimulatedBlobs, held: [SpaceID: CommitSet]
    )

    /// The checkers' knowledge about it.
    struct Seen {
        /// Commits that it was seen to store.
        var held: [SpaceID: CommitSet] = [:]
        var watermarks: [SpaceID: Watermark] = [:]
        /// It returned to an older state without noticing.
        var wentBack = false
        /// Its data may be damaged.
        var isSpoiled = false
    }

    init(
        index: Int, member: Member, role: Schedule.Role, isOutdated: Bool, clock: ReplicaClock,
        seed: UInt64
    ) {
        self.index = index
        self.member = member
        conduct = Conduct(role: role, isOutdated: isOutdated)
        self.clock = clock
        storage = Storage(disk: VirtualDisk(copying: Replica.freshDisk, seed: seed))
        random = SharedRandom(seed: seed)
        loop = Loop(of: member)
    }

    /// A disk with an empty store, copied for each replica: making one takes time.
    static let freshDisk: VirtualDisk.Snapshot = {
        let disk = VirtualDisk(seed: 0)
        var random = SeededGenerator(seed: 0)
        do {
            let store = try SyncStore(
                holding: disk.place(), decoder: CommitCodec(), verifier: CommitVerifier(),
                random: &random, schemas: { _ in nil })
            try store.close()
        } catch {
            preconditionFailure("an empty store cannot be made: \(error)")
        }
        return disk.snapshot()
    }()

    var isUp: Bool { opened != nil }
    var store: SyncStore? { opened?.store }
    var work: EngineWork? { opened?.work }
    /// Its keys of encrypted spaces, while it runs.
    var epochKeys: EpochKeyRing? { opened?.epochKeys }
    var disk: VirtualDisk { storage.disk }
    var device: DeviceID { member.device }
    var isHonest: Bool { conduct.role == .honest }

    func ledger(of space: SpaceID) -> SpaceLedger? { store?.ledger(of: space) }

    func watermark(of space: SpaceID) -> Watermark {
        ledger(of: space)?.watermark ?? Watermark()
    }

    /// Forgets everything that is not on the disk.
    func forgetMemory() {
        boot += 1
        opened = nil
        deciding = Deciding()
        loop = Loop(of: member)
        connections = Connections(lastNumber: connections.lastNumber)
        answering = []
    }
}
