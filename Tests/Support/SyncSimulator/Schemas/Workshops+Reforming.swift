import Node
import Store
import SyncCore
internal import TestKit

/// Admins that change a schema, and members with authority.
extension Workshops {
    /// Pins another edition of a workshop's schema; sometimes, as a modified program may, one whose
    /// version is not higher.
    func reform(_ replica: Replica) {
        guard let workshop = workshop(of: replica, with: [.read, .admin]) else { return }
        let known = workshop.schema.version
        let next = world.random.chance(15) ? known : known + 1
        let version = min(max(next, 2), WorkshopSchemas.greatestVersion)
        let editions = (WorkshopSchemas.editions[version] ?? []).filter { edition in
            !edition.isNewer || !replica.conduct.isOutdated
        }
        let isForNewer = !world.schedule.outdated.isEmpty && world.random.chance(60)
        let wanted = editions.filter { $0.isNewer == isForNewer }
        guard let edition = world.random.pick(wanted.isEmpty ? editions : wanted) else { return }
        world.report.counts.deeds.insert(edition.isNewer ? .newerFormat : .schemaChange)
        world.people.append(
            CommitDraft(clear: ClearPart(schema: edition.pin), operations: []),
            to: workshop.space, replica)
    }

    /// Gives a member a grant with precedence over others.
    func empower(_ replica: Replica, _ other: Replica) {
        guard let workshop = workshop(of: replica, with: [.read, .admin]),
            replica.connections.trusted.contains(other.device),
            let grant = replica.ledger(of: workshop.space)?.membership
                .writingGrant(of: replica.device)
        else { return }
        world.report.counts.deeds.insert(.authorityGrant)
        let given = UnverifiedGrant(
            card: other.member.chain, parent: grant, flags: [.read, .write, .delete],
            siblingIndex: 0,
            precedence: min(workshop.precedence, Precedence.authority.rawValue))
        world.people.append(
            CommitDraft(clear: ClearPart(facts: [.grant(given)]), operations: []),
            to: workshop.space, replica)
        world.nodes.tell(.rightsWritten(workshop.space), replica)
    }
}
