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
    /// Seeded from each step's salt.
    var random: SeededGenerator
    let timeline = Timeline()
    let report: RunReport
    private(set) var replicas: [Replica] = []

    // The parts with state of their own. A part without one is a property in its own file.
    private(set) lazy var network = Network(world: self)
    private(set) lazy var observer = Observer(world: self)
    private(set) lazy var workshops = Workshops(world: self)
    private(set) lazy var dataSets = DataSetTrial(world: self)
    private(set) lazy var keyTrial = KeyTrial(world: self)
    private(set) lazy var recovery = RecoveryCheck(world: self)
    private(set) lazy var fileCheck = FileCheck(world: self)

    init(
        _ schedule: Schedule, schemas: SchemaCache, signatures: KnownSignatures, isRead: Bool
    ) {
        self.schedule = schedule
        self.schemas = schemas
        self.signatures = signatures
        Invariants.checkAll()
        report = RunReport(isRead: isRead)
        random = SeededGenerator(seed: schedule.seed)
        var places: [Int: Int] = [:]
        for (index, owner) in schedule.owners.enumerated() {
            let place = places[owner] ?? 0
            places[owner] = place + 1
            replicas.append(
                Replica(
                    index: index, member: Member.all[owner][place], role: schedule.roles[index],
                    isOutdated: schedule.outdated.contains(index),
                    clock: ReplicaClock(timeline.time, skew: schedule.skews[index]),
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

    var journal: Schema { schemas.builtInSchema }

    /// The same id wherever this record is made.
    func recordID(_ collection: String, _ number: UInt64, in space: SpaceID) -> RecordID {
        let hash = Label.derivedRecord.hash(
            space.bytes + Array(collection.utf8) + bigEndian(number))
        guard let id = RecordID(bytes: hash.bytes.prefix(Bytes16.byteCount)) else {
            preconditionFailure("a hash has at least 16 bytes")
        }
        return id
    }

    func replica(of device: DeviceID) -> Replica? { replicas.first { $0.device == device } }

    // MARK: Time

    /// Processes all events until then.
    func pass(_ milliseconds: UInt64) {
        let end = timeline.now + milliseconds
        var count = 0
        while let happening = timeline.next(until: end) {
            happen(happening)
            count += 1
            guard count < 400_000, !report.isHopeless else {
                if !report.isHopeless {
                    report.fail("progress", "no end of things to do within \(milliseconds) ms")
                }
                break
            }
        }
        report.counts.events += count
        timeline.advance(to: end)
    }

    private func happen(_ happening: Happening) {
        switch happening {
        case .loop(let index, let boot): ifRunning(index, boot) { engines.loop($0) }
        case .work(let index, let boot, let lane): ifRunning(index, boot) { engines.work(lane, $0) }
        case .tick(let index, let boot, let due): ifRunning(index, boot) { engines.tick($0, due) }
        case .arrival(let link, let end): network.arrive(link, end)
        case .greetingOverdue(let link): network.hangUpOnUnknown(link)
        case .post(let index, let boot, let events):
            ifRunning(index, boot) { engines.post(events, to: $0) }
        case .dial(let index, let boot, let due): ifRunning(index, boot) { calls.dial($0, due) }
        case .call(let index, let boot, let call): ifRunning(index, boot) { calls.make(call, $0) }
        case .callFailed(let index, let boot, let target):
            ifRunning(index, boot) { calls.learn(.ended(target, .failed(.noAnswer)), $0) }
        case .found(let index, let boot, let instance):
            ifRunning(index, boot) { calls.learn(.found(instance), $0) }
        case .lost(let index, let boot, let name):
            ifRunning(index, boot) { calls.learn(.lost(name), $0) }
        case .dialBulk(let index, let boot, let session):
            ifRunning(index, boot) { network.dialBulk($0, session) }
        case .answer(let index, let boot, let space):
            ifRunning(index, boot) { people.answerOffer(space, $0) }
        case .duties(let index, let boot, let due): ifRunning(index, boot) { nodes.duties($0, due) }
        case .duty(let index, let boot, let duty):
            ifRunning(index, boot) { nodes.carryOut(duty, $0) }
        case .recovered(let index, let boot):
            ifRunning(index, boot) { PairingTrial(world: self).endRecovery($0) }
        case .restart(let index, let boot):
            if replicas[index].boot == boot, !replicas[index].isUp {
                machines.start(replicas[index])
            }
        case .fray(let one, let other): network.fray(one, other)
        }
    }

    private func ifRunning(_ index: Int, _ boot: Int, _ body: (Replica) -> Void) {
        let replica = replicas[index]
        if replica.boot == boot, replica.isUp { body(replica) }
    }
}
