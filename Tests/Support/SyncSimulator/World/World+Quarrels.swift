import Node
import Store
import SyncCore

/// Stolen devices, and admins who take spaces from each other.
extension World {
    /// A device that knows better takes every space from one that was stolen, as far as it may. The thief
    /// has not heard and writes on, and whoever has not heard either takes it.
    func rob(_ replica: Replica, _ thief: Replica) {
        for space in activeSpaces(of: replica) {
            guard let membership = replica.ledger(of: space)?.membership else { continue }
            let grants = membership.grants(of: [thief.device])
            guard !grants.isEmpty,
                grants.allSatisfy({ membership.canRestrict($0, from: replica.device) })
            else { continue }
            do {
                let taking = RightsTaking(
                    grants: grants, remaining: random.chance(20) ? .read : [],
                    scope: random.chance(30) ? .person : .device)
                guard let done = try replica.work?.revoke(taking, in: space) else { continue }
                finish(done, replica, isLate: true)
                tell(.rightsWritten(space), replica)
            } catch StoreError.permissionRefused {
                // It was taken from this one meanwhile.
            } catch {
                couldNotWrite("takes nothing", error, replica)
            }
        }
        guard thief.isUp else { return }
        for _ in 0...random.below(3) { write(thief) }
    }

    /// Two admins of a space who do not hear each other take it from each other at once, and both write
    /// on.
    func quarrel(_ one: Replica, _ other: Replica) {
        let common = activeSpaces(of: other, with: .admin)
        guard let space = random.pick(activeSpaces(of: one, with: .admin).filter(common.contains))
        else { return }
        for (author, rival) in [(one, other), (other, one)] {
            guard let ledger = author.ledger(of: space) else { continue }
            let facts = ledger.membership.grants(of: [rival.device]).map { grant in
                UnverifiedFact.revocation(
                    Revocation(
                        grant: grant, remaining: [],
                        cut: ledger.watermark,
                        scope: random.chance(20) ? .person : .device,
                        cascade: random.pick([.none, .samePerson, .all]) ?? .none))
            }
            guard !facts.isEmpty else { continue }
            append(CommitDraft(clear: ClearPart(facts: facts), operations: []), to: space, author)
        }
        for author in [one, other] {
            tell(.rightsWritten(space), author)
            if author.isUp { write(author) }
        }
    }
}
