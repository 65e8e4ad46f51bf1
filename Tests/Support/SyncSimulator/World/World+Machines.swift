import Node
import Records
import Store
import SyncCore
import VirtualDisk

/// Starting and stopping replicas.
extension World {
    /// Opens the store and starts from its contents, as an agent does.
    func start(_ replica: Replica) {
        do {
            try open(replica)
        } catch {
            fail("durability", "replica \(replica.index) does not start: \(error)")
        }
    }

    private func open(_ replica: Replica) throws {
        replica.boot += 1
        replica.clock.boot()
        replica.disk.mend()
        replica.disk.setCapacity(bytes: nil)
        replica.trouble = nil
        let agent = try OpenedAgent(
            replica.member, on: replica.disk,
            KnownSchemas(shelf: schemas, isOutdated: replica.isOutdated), clock: replica.clock,
            random: replica.random, signatures, isNamed: schedule.isNamed)
        let store = agent.store
        // Only a newer program finds records to rebuild.
        if try store.records.remakeOutdated() > 0 { trace.note("remake", text: "\(replica.index)") }
        replica.store = store
        replica.epochKeys = agent.epochKeys
        replica.work = agent.work
        replica.deciding.node = Node(agent.work)
        trace.note("start", UInt64(replica.index), text: "\(replica.index)")
        checkRestart(of: replica, store)
        if replica.boot == 1 {
            for other in replica.paired.sorted() {
                try PairingTrial(world: self).store(in: replica, replicas[other])
            }
        }
        finish(try agent.work.spaces.begin(), replica)
        for space in try store.spaces.all() where space.standing == .offered {
            // The person looks again, at the due time.
            scheduleAnswer(space.space, replica)
        }
        try compareFiles(of: replica, store)
        tell(.started, replica)
        calls.announce(replica)
    }

    /// The process is gone, and with a power cut all unsynced data.
    func stop(_ replica: Replica, cutsPower: Bool) {
        guard replica.isUp else { return }
        trace.note("stop", UInt64(replica.index), text: "\(replica.index)")
        for (number, link) in links.sorted(by: { $0.key < $1.key }) {
            for end in link.ends.indices where link.ends[end].replica == replica.index {
                // A machine without power does not say goodbye.
                drop(number, tellsOther: !cutsPower || random.chance(30), at: end)
            }
        }
        calls.withdraw(replica)
        replica.disk.mend()
        if cutsPower {
            replica.disk.powerCut(random: &random)
            replica.shelf.cutPower(&random)
        } else {
            replica.disk.endProcess()
        }
        replica.forgetMemory()
    }

    func takeCopy(of replica: Replica) {
        replica.copies.append((replica.disk.snapshot(), replica.shelf, replica.held))
        trace.note("copy", UInt64(replica.index), text: "\(replica.index)")
    }

    /// A write failed: with a planted disk failure the process ends; if the disk is only full, it
    /// continues.
    func couldNotWrite(_ what: String, _ error: any Error, _ replica: Replica) {
        // A device that waits for a key is told so, and tries again later.
        if case StoreError.epochMissing = error { return }
        trace.note("trouble", UInt64(replica.index), text: "\(replica.index) \(what): \(error)")
        switch replica.trouble {
        case nil: fail("simulator", "\(replica.index): \(what): \(error)")
        case .full:
            // That does not damage the store.
            if replica.store?.writeFailure != nil {
                fail("durability", "\(replica.index) stops because the disk is full: \(error)")
            }
        case .powerLoss, .failure:
            stop(replica, cutsPower: replica.trouble == .powerLoss)
            scheduleRestart(replica, within: 2_000)
        }
    }

    /// Restores an older copy while the replica is stopped.
    func restore(_ replica: Replica, inPlace: Bool) {
        guard let copy = random.pick(replica.copies) else { return }
        restore(replica, to: copy, as: inPlace ? .sameFiles : .copies)
        if inPlace { replica.wentBack = true }
    }

    func restore(_ replica: Replica, to copy: Replica.Copy, as restoring: VirtualDisk.Restoring) {
        stop(replica, cutsPower: false)
        replica.disk.restore(copy.disk, as: restoring)
        replica.shelf = copy.shelf
        replica.held = copy.held
        replica.watermarks = [:]
        trace.note("restore", UInt64(replica.index), text: "\(replica.index)")
    }

    func scheduleRestart(_ replica: Replica, within milliseconds: UInt64) {
        after(
            1 + random.below(milliseconds), .restart(replica.index, boot: replica.boot))
    }
}
