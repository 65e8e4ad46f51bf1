package import Store
package import SyncCore

/// A space that was taken from this device.
package struct TakenFacts: Hashable, Sendable {
    /// Nil when nobody here knows.
    package let by: PersonID?
    package let written: Milliseconds?
    /// Changes that are here.
    package let changes: UInt64
    package let files: Int
    /// Whether this person's membership ended and not one device's alone.
    package let isWholePerson: Bool

    package init(
        by person: PersonID?, written: Milliseconds?, changes: UInt64, files: Int,
        isWholePerson: Bool
    ) {
        (by, self.written, self.changes) = (person, written, changes)
        (self.files, self.isWholePerson) = (files, isWholePerson)
    }
}

extension Replica {
    /// What was said about a space, as long as nothing that is here says more.
    package func takenNotice(of space: SpaceID) -> RevocationNotice? {
        do {
            return try RevocationNotices(store).notice(of: space)
        } catch {
            couldNotRead("notice not read", error)
            return nil
        }
    }

    /// That a space which is here was taken from this device; nil while it was not.
    package func taken(_ space: SpaceID) throws -> TakenFacts? {
        guard let ledger = store.ledger(of: space), ledger.role == .shared else { return nil }
        let membership = ledger.membership
        let notice = takenNotice(of: space)
        // Of one that is still coming the grant may not be here yet.
        let wasMember = membership.cards.contains { $0.device == local.device }
        guard notice != nil || (wasMember && membership.permissions(of: local.device).isEmpty)
        else { return nil }
        let author = membership.takings(from: local.device).last?.author
        let person = notice?.person ?? author.flatMap { membership.card(of: $0)?.person }
        return TakenFacts(
            by: person, written: notice?.written,
            changes: ledger.watermark.count(beyond: Watermark()),
            files: Int(clamping: try store.blobCounts(of: space).named),
            isWholePerson: notice?.isWholePerson ?? !membership.isMember(local.person))
    }
}
