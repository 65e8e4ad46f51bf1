import Node
import Records
import Store
import SyncCore
internal import TestKit
import VirtualDisk

/// Starting and stopping replicas.
struct Machines {
    let world: World

    /// Opens the store and starts from its contents, as an agent does.
    func start(_ replica: Replica) {
        do {
            try open(replica)
        } catch {
            world.report.fail("durability", "replica \(replica.index) does not start: \(error)")
        }
    }

    private func open(_ replica: Replica) throws {
        replica.boot += 1
        replica.clock.boot()
        replica.disk.mend()
        replica.disk.setCapacity(bytes: nil)
        replica.storage.trouble = nil
        let agent = try OpenedAgent(
            replica.member, on: replica.disk,
            KnownSchemas(shelf: world.schemas, isOutdated: replica.conduct.isOutdated),
            clock: replica.clock,
            random: replica.random, world.signatures, isNamed: world.schedule.isNamed,
            batchBytes: world.schedule.sendsSingly ? 1 : Limits.commitBatchBytes)
        let store = agent.store
        // Only a newer program finds records to rebuild.
        if try store.records.remakeOutdated() > 0 {
            world.report.trace.note("remake", text: "\(replica.index)")
        }
        replica.opened = agent
        replica.deciding.node = Node(agent.work)
        world.report.trace.note("start", UInt64(replica.index), text: "\(replica.index)")
        world.observer.checkRestart(of: replica, store)
        if replica.boot == 1 {
            for other in replica.paired.sorted() {
                try PairingTrial(world: world).store(in: replica, world.replicas[other])
            }
        }
        world.engines.finish(try agent.work.spaces.begin(), replica)
        for space in try store.spaces.all() where space.standing == .offered {
            // The person looks again, at the due time.
            world.people.scheduleAnswer(space.space, replica)
        }
        try world.files.compareFiles(of: replica, store)
        world.nodes.tell(.started, replica)
        world.calls.announce(replica)
    }

    /// The process is gone, and with a power cut all unsynced data.
    func stop(_ replica: Replica, cutsPower: Bool) {
        guard replica.isUp else { return }
        world.report.trace.note("stop", UInt64(replica.index), text: "\(replica.index)")
        for (number, link) in world.network.links.sorted(by: { $0.key < $1.key }) {
            for end in link.ends.indices where link.ends[end].replica == replica.index {
                // A machine without power does not say goodbye.
                world.network.drop(
                    number, tellsOther: !cutsPower || world.random.chance(30), at: end)
            }
        }
        world.calls.withdraw(replica)
        replica.disk.mend()
        if cutsPower {
            replica.disk.powerCut(random: &world.random)
            replica.storage.shelf.cutPower(&world.random)
        } else {
            replica.disk.endProcess()
        }
        replica.forgetMemory()
    }

    func takeCopy(of replica: Replica) {
        replica.storage.copies.append(
            (replica.disk.snapshot(), replica.storage.shelf, replica.seen.held))
        world.report.trace.note("copy", UInt64(replica.index), text: "\(replica.index)")
    }

    /// A write failed: with a planted disk failure the process ends; if the disk is only full, it
    /// continues.
    func couldNotWrite(_ what: String, _ error: any Error, _ replica: Replica) {
        // A device that waits for a key is told so, and tries again later.
        if case StoreError.epochMissing = error { return }
        world.report.trace.note(
            "trouble", UInt64(replica.index), text: "\(replica.index) \(what): \(error)")
        switch replica.storage.trouble {
        case nil: world.report.fail("simulator", "\(replica.index): \(what): \(error)")
        case .full:
            // That does not damage the store.
            if replica.store?.writeFailure != nil {
                world.report.fail(
                    "durability", "\(replica.index) stops because the disk is full: \(error)")
            }
        case .powerLoss, .failure:
            stop(replica, cutsPower: replica.storage.trouble == .powerLoss)
            scheduleRestart(replica, within: 2_000)
        }
    }

    /// Restores an older copy while the replica is stopped.
    func restore(_ replica: Replica, inPlace: Bool) {
        guard let copy = world.random.pick(replica.storage.copies) else { return }
        restore(replica, to: copy, as: inPlace ? .sameFiles : .copies)
        if inPlace { replica.seen.wentBack = true }
    }

    func restore(_ replica: Replica, to copy: Replica.Copy, as restoring: VirtualDisk.Restoring) {
        stop(replica, cutsPower: false)
        replica.disk.restore(copy.disk, as: restoring)
        replica.storage.shelf = copy.shelf
        replica.seen.held = copy.held
        replica.seen.watermarks = [:]
        world.report.trace.note("restore", UInt64(replica.index), text: "\(replica.index)")
    }

    func scheduleRestart(_ replica: Replica, within milliseconds: UInt64) {
        world.timeline.after(
            1 + world.random.below(milliseconds), .restart(replica.index, boot: replica.boot))
    }

    /// A disk that has not failed yet does so no more; a full one gets room; a store that failed is opened again.
    func makeWhole(_ replica: Replica) {
        replica.disk.mend()
        replica.disk.setCapacity(bytes: nil)
        replica.storage.trouble = nil
        // After a fault it writes again only once it is opened again; it may not have tried to since.
        if replica.store?.writeFailure != nil { stop(replica, cutsPower: false) }
        if !replica.isUp { start(replica) }
        world.engines.post([.roomReturned], to: replica)
        world.nodes.tell(.roomReturned, replica)
        world.calls.networkReturned(replica)
    }

    /// Devices with an older program get a newer one, which shows records that the older one could
    /// not read.
    func upgrade() {
        for replica in world.replicas where replica.conduct.isOutdated && replica.isUp {
            world.random = SeededGenerator(seed: world.schedule.seed ^ 0x7570_6772)
            stop(replica, cutsPower: false)
            replica.conduct.isOutdated = false
            start(replica)
        }
    }
}

/// The steps of a schedule that concern one machine.
extension Machines {
    func change(_ replica: Replica, _ kind: Step.Kind) {
        switch kind {
        case .crash:
            stop(replica, cutsPower: world.random.chance(60))
            scheduleRestart(replica, within: 4_000)
        case .restart:
            if !replica.isUp { start(replica) }
        case .copy: takeCopy(of: replica)
        case .restore:
            restore(replica, inPlace: false)
            if !replica.isUp { scheduleRestart(replica, within: 2_000) }
        case .rollBack:
            restore(replica, inPlace: true)
            if !replica.isUp { start(replica) }
            // A device that writes before it hears of its other life makes a fork.
            if world.random.chance(70), replica.isUp {
                world.journaling.write(replica)
                world.workshops.edit(replica)
            }
        default: break
        }
    }

    /// A disk that fails at one of its next calls.
    func hurtDisk(of replica: Replica, _ kind: Step.Kind) {
        guard replica.isUp, replica.storage.trouble == nil else { return }
        let isSync = world.random.chance(30)
        let calls = world.random.index(below: isSync ? 6 : 40)
        switch kind {
        case .dyingDisk:
            replica.storage.trouble = .powerLoss
            replica.disk.losePower(after: calls, of: isSync ? .sync : .write)
        case .failingDisk:
            replica.storage.trouble = .failure
            replica.disk.fail(after: calls, of: isSync ? .sync : .write)
        default:
            replica.storage.trouble = .full
            replica.disk.setCapacity(bytes: replica.disk.usedBytes + world.random.below(40_000))
        }
    }
}

extension World {
    var machines: Machines { Machines(world: self) }
}
