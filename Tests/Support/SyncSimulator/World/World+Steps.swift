import SyncCore
internal import TestKit
import VirtualDisk

/// Carrying out the steps of a schedule.
extension World {
    func carryOut(_ step: Step) {
        random = SeededGenerator(seed: step.salt)
        report.trace.note("step", step.salt, text: "\(step) at \(timeline.now)")
        if step.isFault { report.counts.faults += 1 }
        let actor = replicas[step.actor]
        let other = replicas[step.other]
        switch step.kind {
        case .found: if actor.isUp { people.found(actor) }
        case .write: if actor.isUp { journaling.write(actor) }
        case .compose: if actor.isUp { Composing(world: self).compose(actor) }
        case .photo: if actor.isUp { journaling.addPhoto(actor) }
        case .establish, .edit, .arrange, .relate, .reform, .empower:
            if actor.isUp { work(step.kind, actor, other) }
        case .redate: if actor.isUp { journaling.redate(actor) }
        case .undo, .bin, .free, .apply, .reset, .move, .backUp, .putBack:
            askService(step.kind, actor)
        case .grant: if actor.isUp { people.grant(actor, to: other) }
        case .revoke: if actor.isUp { people.revoke(actor, other) }
        case .rob: if actor.isUp { people.rob(actor, other) }
        case .quarrel: if actor.isUp, other.isUp { people.quarrel(actor, other) }
        case .leave: if actor.isUp { people.leave(actor) }
        case .encrypt: if actor.isUp { encrypting.encrypt(actor) }
        case .carry: if actor.isUp { encrypting.carry(actor, on: other) }
        case .lose: if actor.isUp { LossTrial(world: self).lose(other, by: actor) }
        case .find: if actor.isUp { LossTrial(world: self).find(other, by: actor) }
        case .exchange: if actor.isUp { keyTrial.exchange(by: actor) }
        case .steal: if actor.isUp { keyTrial.steal(other, carriedBy: actor) }
        case .pair: if actor.isUp, other.isUp { PairingTrial(world: self).pair(actor, other) }
        case .recover: if actor.isUp { PairingTrial(world: self).recover(actor) }
        case .attack: if actor.isUp { attacks.attack(actor) }
        case .skew: actor.clock.set(skew: Int64(bitPattern: step.amount))
        case .pass: pass(step.amount)
        case .dyingDisk, .failingDisk, .fullDisk: machines.hurtDisk(of: actor, step.kind)
        case .crash, .restart, .copy, .restore, .rollBack: machines.change(actor, step.kind)
        case .loseFile: files.loseFile(actor)
        case .spoil: SpoilTrial(world: self, replica: actor).run()
        case .cut, .silence, .slow, .fray, .partition, .join: network.change(step)
        }
        pass(random.below(12))
    }

    /// People's requests to the program's services.
    private func askService(_ kind: Step.Kind, _ actor: Replica) {
        switch kind {
        case .undo:
            if let one = services.served(near: actor) { UndoTrial(world: self, replica: one).run() }
        case .bin:
            if let one = services.served(near: actor) { BinTrial(world: self, replica: one).run() }
        case .free:
            if let one = services.served(near: actor) { FreeTrial(world: self, replica: one).run() }
        case .move:
            if let one = services.served(near: actor) { MoveTrial(world: self, replica: one).run() }
        case .apply: dataSets.apply(by: actor)
        case .reset: dataSets.reset(by: actor)
        case .backUp: if actor.isUp { BackupTrial(world: self, replica: actor).backUp() }
        case .putBack: BackupTrial(world: self, replica: actor).putBack()
        default: break
        }
    }

    /// People's actions in a workshop.
    private func work(_ kind: Step.Kind, _ actor: Replica, _ other: Replica) {
        switch kind {
        case .establish: workshops.establish(actor)
        case .edit: workshops.edit(actor)
        case .arrange: workshops.arrange(actor)
        case .relate: workshops.relate(actor)
        case .reform: workshops.reform(actor)
        case .empower: workshops.empower(actor, other)
        default: break
        }
    }
}
