package import Store
package import SyncCore

/// A space that was revoked from this device.
package struct RevocationFacts: Hashable, Sendable {
    /// Nil when it is unknown here.
    package let by: PersonID?
    package let written: Milliseconds?
    /// Changes that are here.
    package let changes: UInt64
    /// As a view of the space counts them.
    package let files: Int
    /// Whether the whole person lost it, and not only one device.
    package let isWholePerson: Bool
    /// Whether the person of this device did it.
    package let isMine: Bool

    /// Whether this person left it on another device.
    package var isLeft: Bool { isMine && isWholePerson }

    package init(
        by person: PersonID?, written: Milliseconds?, changes: UInt64, files: Int,
        isWholePerson: Bool, isMine: Bool
    ) {
        (by, self.written, self.changes) = (person, written, changes)
        (self.files, self.isWholePerson, self.isMine) = (files, isWholePerson, isMine)
    }
}

extension Replica {
    /// The notice of a revocation, unless commits here tell more.
    package func revocationNotice(of space: SpaceID) -> RevocationNotice? {
        reading("notice not read", or: nil) { try store.revocationNotices.notice(of: space) }
    }

    /// The facts about a revoked space that is here; nil while it is not revoked.
    package func taken(_ space: SpaceID) throws -> RevocationFacts? {
        guard let ledger = store.ledger(of: space), ledger.role == .shared else { return nil }
        let membership = ledger.membership
        let notice = revocationNotice(of: space)
        // Its grant may not have arrived yet.
        let wasMember = membership.cards.contains { $0.device == local.device }
        guard notice != nil || (wasMember && membership.permissions(of: local.device).isEmpty)
        else { return nil }
        let author = membership.facts.takings(from: local.device).last?.author
        let person = notice?.person ?? author.flatMap { membership.facts.card(of: $0)?.person }
        return RevocationFacts(
            by: person, written: notice?.written,
            changes: ledger.watermark.count(beyond: Watermark()),
            files: try store.files.shownTotals(of: space).count,
            isWholePerson: notice?.isWholePerson ?? !membership.isMember(local.person),
            isMine: person == local.person)
    }
}
