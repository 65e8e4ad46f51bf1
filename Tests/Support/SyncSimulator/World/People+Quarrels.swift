import Node
import Store
import SyncCore

/// Stolen devices, and admins who revoke spaces from each other.
extension People {
    /// A device that knows of the theft revokes every space from the stolen one, as far as it may.
    /// The thief does not know and continues writing, and so do devices that accept its commits.
    func rob(_ replica: Replica, _ thief: Replica) {
        for space in world.observer.activeSpaces(of: replica) {
            guard let membership = replica.ledger(of: space)?.membership else { continue }
            let grants = membership.grants(of: [thief.device])
            guard !grants.isEmpty,
                grants.allSatisfy({ membership.canRestrict($0, from: replica.device) })
            else { continue }
            do {
                let taking = RightsTaking(
                    grants: grants, remaining: world.random.chance(20) ? .read : [],
                    scope: world.random.chance(30) ? .person : .device)
                guard let done = try replica.work?.members.revoke(taking, in: space) else {
                    continue
                }
                world.engines.finish(done, replica, isLate: true)
                world.nodes.tell(.rightsWritten(space), replica)
            } catch StoreError.permissionRefused {
                // This device's own rights were revoked meanwhile.
            } catch {
                world.machines.couldNotWrite("takes nothing", error, replica)
            }
        }
        guard thief.isUp else { return }
        for _ in 0...world.random.below(3) { world.journaling.write(thief) }
    }

    /// Two admins of a space who are apart revoke it from each other at once, and both continue
    /// writing.
    func quarrel(_ one: Replica, _ other: Replica) {
        let common = world.observer.activeSpaces(of: other, with: .admin)
        guard
            let space = world.random.pick(
                world.observer.activeSpaces(of: one, with: .admin).filter(common.contains))
        else { return }
        for (author, rival) in [(one, other), (other, one)] {
            guard let ledger = author.ledger(of: space) else { continue }
            let facts = ledger.membership.grants(of: [rival.device]).map { grant in
                UnverifiedFact.revocation(
                    Revocation(
                        grant: grant, remaining: [],
                        cut: ledger.watermark,
                        scope: world.random.chance(20) ? .person : .device,
                        cascade: world.random.pick([.none, .samePerson, .all]) ?? .none))
            }
            guard !facts.isEmpty else { continue }
            append(CommitDraft(clear: ClearPart(facts: facts), operations: []), to: space, author)
        }
        for author in [one, other] {
            world.nodes.tell(.rightsWritten(space), author)
            if author.isUp { world.journaling.write(author) }
        }
    }
}
