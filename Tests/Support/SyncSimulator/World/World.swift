import Identity
import LocalAPI
import Node
import Records
import Store
import SyncCore
internal import TestKit
import VirtualDisk

/// One run: replicas, the connections between them and all pending events.
final class World {
    let schedule: Schedule
    /// The schemas that current programs read.
    let schemas: SchemaCache
    let signatures: KnownSignatures
    let time = VirtualTime()
    var trace: Trace
    /// Seeded from each step's salt.
    var random: SeededGenerator
    var queue = EventQueue<Happening>()
    var replicas: [Replica] = []
    var links: [Int: Link] = [:]
    /// For each person, the recovery keys after the first, in order.
    var keys: [PersonID: [PersonKey]] = [:]
    var network = NetworkState()
    var histories: [SpaceID: SpaceHistory] = [:]
    /// In the order of their founding.
    var spaces: [SpaceID] = []
    /// Devices that were ever granted a space, with the granting commits: no other device may hear
    /// of it.
    var granted: [SpaceID: [DeviceID: [CommitID]]] = [:]
    /// Commits whose authors knew that nobody may ever accept them.
    var forbidden: Set<CommitID> = []
    /// Writes recovered after a fork, and the replicas that did it.
    var recovered: [(space: SpaceID, commit: CommitID, by: Int)] = []
    /// Records inserted between others.
    var placements: [Placement] = []
    /// Added files with their spaces.
    var brought: Set<HeldFile> = []
    /// Spaces to which a data set was applied, with the highest versions.
    var applied: [SpaceID: SimulatedSet.Version] = [:]
    /// The spaces in which one version's rows may not count while the next one's do.
    var unsureSets: Set<SpaceID> = []
    /// The time since when a replica lacks an available file.
    var atHand: [FileAtHand: UInt64] = [:]
    var violations: [Violation] = []
    var counts = Counts()

    init(
        _ schedule: Schedule, schemas: SchemaCache, signatures: KnownSignatures, isRead: Bool
    ) {
        self.schedule = schedule
        self.schemas = schemas
        self.signatures = signatures
        Invariants.checkAll()
        trace = Trace(isRead: isRead)
        random = SeededGenerator(seed: schedule.seed)
        var places: [Int: Int] = [:]
        for (index, owner) in schedule.owners.enumerated() {
            let place = places[owner] ?? 0
            places[owner] = place + 1
            replicas.append(
                Replica(
                    index: index, member: Member.all[owner][place], role: schedule.roles[index],
                    isOutdated: schedule.outdated.contains(index),
                    clock: ReplicaClock(time, skew: schedule.skews[index]),
                    seed: random.next()))
        }
        pair()
        if schedule.canary == .noSync {
            for replica in replicas { replica.disk.setHonoursSync(false) }
        }
    }

    /// Own devices know each other; others usually do.
    private func pair() {
        for one in replicas.indices {
            for other in replicas.indices where other > one {
                let areSiblings = schedule.owners[one] == schedule.owners[other]
                guard areSiblings || one == 0 || random.chance(60) else { continue }
                replicas[one].paired.insert(other)
                replicas[other].paired.insert(one)
            }
        }
    }

    var now: UInt64 { time.now }

    var journal: Schema { schemas.builtInSchema }

    struct Violation: Hashable, Sendable {
        let check: String
        let text: String
    }

    struct Counts: Sendable {
        var events = 0
        var messages = 0
        /// The bytes of sent messages, without chunks of files.
        var bytes = 0
        var operations = 0
        var faults = 0
        var commits = 0
        /// The number of connections so far.
        var links = 0
        var healingMilliseconds: UInt64 = 0
        var deeds: Set<Deed> = []
    }

    func fail(_ check: String, _ text: String) {
        trace.note("violation", text: "\(check): \(text)")
        violations.append(Violation(check: check, text: text))
    }

    /// More violations in one run would add nothing.
    var isHopeless: Bool { violations.count >= 8 }

    func replica(of device: DeviceID) -> Replica? { replicas.first { $0.device == device } }

    // MARK: Time

    func after(_ milliseconds: UInt64, _ happening: Happening) {
        queue.add(happening, at: now + milliseconds)
    }

    /// Processes all events until then.
    func pass(_ milliseconds: UInt64) {
        let end = now + milliseconds
        var count = 0
        while let due = queue.nextTime, due <= end, let next = queue.next() {
            time.now = max(now, next.time)
            happen(next.event)
            count += 1
            guard count < 400_000, !isHopeless else {
                if !isHopeless {
                    fail("progress", "no end of things to do within \(milliseconds) ms")
                }
                break
            }
        }
        counts.events += count
        time.now = max(now, end)
    }

    private func happen(_ happening: Happening) {
        switch happening {
        case .loop(let index, let boot): ifRunning(index, boot) { loop($0) }
        case .work(let index, let boot, let lane): ifRunning(index, boot) { work(lane, $0) }
        case .tick(let index, let boot, let due): ifRunning(index, boot) { tick($0, due) }
        case .arrival(let link, let end): arrive(link, end)
        case .greetingOverdue(let link): hangUpOnUnknown(link)
        case .post(let index, let boot, let events):
            ifRunning(index, boot) { post(events, to: $0) }
        case .dial(let index, let boot, let due): ifRunning(index, boot) { calls.dial($0, due) }
        case .call(let index, let boot, let call): ifRunning(index, boot) { calls.make(call, $0) }
        case .callFailed(let index, let boot, let target):
            ifRunning(index, boot) { calls.learn(.ended(target, .failed(.noAnswer)), $0) }
        case .found(let index, let boot, let instance):
            ifRunning(index, boot) { calls.learn(.found(instance), $0) }
        case .lost(let index, let boot, let name):
            ifRunning(index, boot) { calls.learn(.lost(name), $0) }
        case .dialBulk(let index, let boot, let session):
            ifRunning(index, boot) { dialBulk($0, session) }
        case .answer(let index, let boot, let space):
            ifRunning(index, boot) { answerOffer(space, $0) }
        case .duties(let index, let boot, let due): ifRunning(index, boot) { duties($0, due) }
        case .duty(let index, let boot, let duty): ifRunning(index, boot) { carryOut(duty, $0) }
        case .recovered(let index, let boot):
            ifRunning(index, boot) { PairingTrial(world: self).endRecovery($0) }
        case .restart(let index, let boot):
            if replicas[index].boot == boot, !replicas[index].isUp { start(replicas[index]) }
        case .fray(let one, let other): fray(one, other)
        }
    }

    private func ifRunning(_ index: Int, _ boot: Int, _ body: (Replica) -> Void) {
        let replica = replicas[index]
        if replica.boot == boot, replica.isUp { body(replica) }
    }
}
