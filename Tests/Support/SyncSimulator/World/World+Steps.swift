import SyncCore
internal import TestKit
import VirtualDisk

/// Carrying out the steps of a schedule.
extension World {
    func carryOut(_ step: Step) {
        random = SeededGenerator(seed: step.salt)
        trace.note("step", step.salt, text: "\(step) at \(now)")
        if step.isFault { counts.faults += 1 }
        let actor = replicas[step.actor]
        let other = replicas[step.other]
        switch step.kind {
        case .found: if actor.isUp { found(actor) }
        case .write: if actor.isUp { write(actor) }
        case .photo: if actor.isUp { addPhoto(actor) }
        case .establish, .edit, .arrange, .relate, .reform, .empower:
            if actor.isUp { work(step.kind, actor, other) }
        case .redate: if actor.isUp { redate(actor) }
        case .undo, .bin, .free, .apply, .reset, .move, .backUp, .putBack:
            askService(step.kind, actor)
        case .grant: if actor.isUp { grant(actor, to: other) }
        case .revoke: if actor.isUp { revoke(actor, other) }
        case .rob: if actor.isUp { rob(actor, other) }
        case .quarrel: if actor.isUp, other.isUp { quarrel(actor, other) }
        case .leave: if actor.isUp { leave(actor) }
        case .encrypt: if actor.isUp { encrypt(actor) }
        case .carry: if actor.isUp { carry(actor, on: other) }
        case .lose: if actor.isUp { LossTrial(world: self).lose(other, by: actor) }
        case .find: if actor.isUp { LossTrial(world: self).find(other, by: actor) }
        case .exchange: if actor.isUp { KeyTrial(world: self).exchange(by: actor) }
        case .steal: if actor.isUp { KeyTrial(world: self).steal(other, carriedBy: actor) }
        case .pair: if actor.isUp, other.isUp { PairingTrial(world: self).pair(actor, other) }
        case .recover: if actor.isUp { PairingTrial(world: self).recover(actor) }
        case .attack: if actor.isUp { attack(actor) }
        case .skew: actor.clock.set(skew: Int64(bitPattern: step.amount))
        case .pass: pass(step.amount)
        case .dyingDisk, .failingDisk, .fullDisk: hurtDisk(of: actor, step.kind)
        case .crash, .restart, .copy, .restore, .rollBack: change(actor, step.kind)
        case .loseFile: loseFile(actor)
        case .spoil: SpoilTrial(world: self, replica: actor).run()
        case .cut, .silence, .slow, .fray, .partition, .join: changeNetwork(step)
        }
        pass(random.below(12))
    }

    /// People's requests to the program's services.
    private func askService(_ kind: Step.Kind, _ actor: Replica) {
        switch kind {
        case .undo: if let one = served(near: actor) { UndoTrial(world: self, replica: one).run() }
        case .bin: if let one = served(near: actor) { BinTrial(world: self, replica: one).run() }
        case .free: if let one = served(near: actor) { FreeTrial(world: self, replica: one).run() }
        case .move: if let one = served(near: actor) { MoveTrial(world: self, replica: one).run() }
        case .apply: DataSetTrial(world: self).apply(by: actor)
        case .reset: DataSetTrial(world: self).reset(by: actor)
        case .backUp: if actor.isUp { BackupTrial(world: self, replica: actor).backUp() }
        case .putBack: BackupTrial(world: self, replica: actor).putBack()
        default: break
        }
    }

    /// People's actions in a workshop.
    private func work(_ kind: Step.Kind, _ actor: Replica, _ other: Replica) {
        switch kind {
        case .establish: establish(actor)
        case .edit: edit(actor)
        case .arrange: arrange(actor)
        case .relate: relate(actor)
        case .reform: reform(actor)
        case .empower: empower(actor, other)
        default: break
        }
    }

    private func change(_ replica: Replica, _ kind: Step.Kind) {
        switch kind {
        case .crash:
            stop(replica, cutsPower: random.chance(60))
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
            if random.chance(70), replica.isUp {
                write(replica)
                edit(replica)
            }
        default: break
        }
    }

    /// A disk that fails at one of its next calls.
    private func hurtDisk(of replica: Replica, _ kind: Step.Kind) {
        guard replica.isUp, replica.trouble == nil else { return }
        let isSync = random.chance(30)
        let calls = random.index(below: isSync ? 6 : 40)
        switch kind {
        case .dyingDisk:
            replica.trouble = .powerLoss
            replica.disk.losePower(after: calls, of: isSync ? .sync : .write)
        case .failingDisk:
            replica.trouble = .failure
            replica.disk.fail(after: calls, of: isSync ? .sync : .write)
        default:
            replica.trouble = .full
            replica.disk.setCapacity(bytes: replica.disk.usedBytes + random.below(40_000))
        }
    }

    private func changeNetwork(_ step: Step) {
        let pair = NetworkState.Pair(step.actor, step.other)
        switch step.kind {
        case .cut: links(between: step.actor, step.other).forEach { cut($0) }
        case .silence:
            // A cable is pulled: one direction or both.
            for number in links(between: step.actor, step.other) {
                let which = random.below(3)
                if which != 0 { links[number]?.ends[0].isDeaf = true }
                if which != 1 { links[number]?.ends[1].isDeaf = true }
            }
        case .slow: network.slow[pair] = step.amount
        case .fray:
            // Many packets are lost: large messages do not arrive for a while.
            for number in 1...(4 + random.below(8)) {
                after(number * 700 + random.below(400), .fray(step.actor, step.other))
            }
        case .partition:
            let side = replicas.indices.map { _ in random.chance(50) }
            for one in replicas.indices {
                for other in replicas.indices where one < other && side[one] != side[other] {
                    network.blocked.insert(NetworkState.Pair(one, other))
                    links(between: one, other).forEach { cut($0) }
                }
            }
        case .join:
            network = NetworkState()
            for replica in replicas where replica.isUp { calls.networkReturned(replica) }
        default: break
        }
    }

    func fray(_ one: Int, _ other: Int) {
        for number in links(between: one, other) where links[number]?.purpose == .bulk {
            cut(number)
        }
    }
}
