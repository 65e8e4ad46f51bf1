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
    let role: Schedule.Role
    /// Its program reads no newer formats of schemas.
    var isOutdated: Bool
    let disk: VirtualDisk
    let clock: ReplicaClock
    let random: SharedRandom
    /// Replicas it paired with.
    var paired: Set<Int> = []

    /// Counts its starts: events of an earlier start are dropped.
    var boot = 0
    var store: SyncStore?
    var work: EngineWork?
    var deciding = Deciding()
    var engine: Engine
    var inbox: WaitingLine<EngineEvent> = []
    var isLooping = false
    var lanes: [Lane: WaitingLine<EngineAction>] = [:]
    var busy: Set<Lane> = []
    var nextTick = Alarm()
    var sessions: [UInt64: (link: Int, end: Int)] = [:]
    var bulks: [UInt64: (link: Int, end: Int)] = [:]
    var lastNumber: UInt64 = 0
    var trusted: Set<DeviceID> = []
    var answering: Set<SpaceID> = []
    /// The failure that its disk is about to have.
    var trouble: Trouble?
    /// Its last messages, for replicas that repeat old ones.
    var said: [PeerMessage] = []
    /// Forms that its person has opened and not saved.
    var forms: [Form] = []

    /// Its decisions, one level above the engine.
    struct Deciding {
        var node: Node?
        var dialing = Dialing()
        var peers = PeerTable()
        /// The times of its next look around for dialling, and of its waiting work.
        var nextDial = Alarm()
        var nextDuty = Alarm()
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

    // The contents of the disk besides the store.
    var shelf = SimulatedBlobs()
    /// Files that arrive in a space while another one holds them.
    var again: [BlobID: ChunkList] = [:]
    var copies: [Copy] = []
    var backups: [Copy] = []
    /// The files of all its backups, each stored once.
    var backedUp: [BlobID: [UInt8]] = [:]

    /// An earlier state of its disk, and the commits it held then.
    typealias Copy = (
        disk: VirtualDisk.Snapshot, shelf: SimulatedBlobs, held: [SpaceID: CommitSet]
    )

    /// Its keys of encrypted spaces, while it runs.
    var epochKeys: EpochKeyRing?

    // The checkers' knowledge about it.
    /// Commits that it was seen to store.
    var held: [SpaceID: CommitSet] = [:]
    var watermarks: [SpaceID: Watermark] = [:]
    /// It returned to an older state without noticing.
    var wentBack = false
    /// Its data may be damaged.
    var isSpoiled = false

    init(
        index: Int, member: Member, role: Schedule.Role, isOutdated: Bool, clock: ReplicaClock,
        seed: UInt64
    ) {
        self.index = index
        self.member = member
        self.role = role
        self.isOutdated = isOutdated
        self.clock = clock
        disk = VirtualDisk(copying: Replica.freshDisk, seed: seed)
        random = SharedRandom(seed: seed)
        engine = Engine(device: member.device, person: member.person)
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

    var isUp: Bool { store != nil }
    var device: DeviceID { member.device }
    var isHonest: Bool { role == .honest }

    func ledger(of space: SpaceID) -> SpaceLedger? { store?.ledger(of: space) }

    func watermark(of space: SpaceID) -> Watermark {
        ledger(of: space)?.watermark ?? Watermark()
    }

    /// Forgets everything that is not on the disk.
    func forgetMemory() {
        boot += 1
        store = nil
        work = nil
        deciding = Deciding()
        engine = Engine(device: member.device, person: member.person)
        inbox = []
        isLooping = false
        lanes = [:]
        busy = []
        nextTick = Alarm()
        sessions = [:]
        bulks = [:]
        trusted = []
        answering = []
        epochKeys = nil
    }
}
