import Identity
import Node
import Store
import SyncCore

/// Stolen and exchanged recovery keys.
final class KeyTrial {
    private unowned let world: World
    /// For each person, the recovery keys after the first, in order.
    private(set) var keys: [PersonID: [PersonKey]] = [:]

    init(world: World) { self.world = world }

    /// A person exchanges their present key, as this device knows it.
    func exchange(by replica: Replica) {
        guard let work = replica.work, replica.isHonest else { return }
        let exchanging = KeyExchanging(work)
        do {
            guard let old = try key(of: replica.member, as: exchanging),
                let new = old.successor(secret: sha256(bigEndian(world.random.next())))
            else { return }
            let plan = try exchanging.plan(old, for: new)
            guard !plan.spaces.isEmpty else { return }
            // The person who exchanges it has the new one, even if another exchange wins.
            keys[replica.member.person, default: []].append(new)
            let said = try exchanging.say(plan, old, new)
            guard !said.isEmpty else { return }
            world.report.counts.deeds.insert(.exchange)
            world.report.trace.note("exchange", UInt64(replica.index), text: "\(plan.said.newKey)")
            world.nodes.tell(.lossSaid(said), replica)
        } catch {
            world.machines.couldNotWrite("exchanges no key", error, replica)
        }
    }

    private func key(of member: Member, as exchanging: KeyExchanging) throws -> PersonKey? {
        try ([member.personKey] + (keys[member.person] ?? [])).last {
            try exchanging.isCurrent($0)
        }
    }

    /// A thief has a person's key, possibly an exchanged one, and a device writes down its
    /// statement: that a device of theirs is lost, or has no rights in a space.
    func steal(_ other: Replica, carriedBy replica: Replica) {
        guard let work = replica.work else { return }
        let keys = [other.member.personKey] + (self.keys[other.member.person] ?? [])
        let key = keys[world.random.index(below: keys.count)]
        do {
            if world.random.chance(50) {
                guard let saying = LossSaying(work, about: other.member.person, signedBy: key)
                else { return }
                let said = try saying.lost(other.member.card, keeping: [])
                if !said.isEmpty { world.nodes.tell(.lossSaid(said), replica) }
            } else if let space = world.observer.spaces.first(where: {
                replica.ledger(of: $0) != nil
            }),
                let membership = replica.ledger(of: space)?.membership,
                let grant = membership.grants(of: [other.device]).first
            {
                world.encrypting.write(by: replica) {
                    try $0.members.revoke(RightsTaking(grants: [grant]), in: space, signedBy: key)
                }
            }
            world.report.counts.deeds.insert(.theft)
        } catch {
            world.machines.couldNotWrite("writes nothing down for a thief", error, replica)
        }
    }

    /// An exchange that a device still has to write down.
    func unfinished(_ replica: Replica) throws -> String? {
        guard let work = replica.work,
            try KeyExchanging(work).secondsUntilWriting() != nil
        else { return nil }
        return "\(replica.index) has not written down that a key was exchanged"
    }
}
