package import Store
package import SyncCore

/// That this device may not read a space any more, as those who took it let it know: of the commits
/// since it has none.
package struct RevocationNotice: Sendable, Equatable {
    package let commit: CommitID
    /// Who took it.
    package let person: PersonID
    /// By the clock of their device.
    package let written: Milliseconds
    /// Whether no device of this person has it any more.
    package let isWholePerson: Bool

    package init(
        commit: CommitID, person: PersonID, written: Milliseconds, isWholePerson: Bool
    ) {
        (self.commit, self.person) = (commit, person)
        (self.written, self.isWholePerson) = (written, isWholePerson)
    }
}

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

/// What was said of spaces that were taken from this device, as a store keeps it.
package struct RevocationNotices: Sendable {
    private let store: SyncStore

    package init(_ store: SyncStore) { self.store = store }

    /// Keeps what was said about a space, and what follows from it; nil when nothing does any more.
    package func keep(_ notice: RevocationNotice?, saying said: [UInt8], of space: SpaceID) throws {
        let words = notice.map { notice in
            [
                notice.commit.description, notice.person.description, "\(notice.written.value)",
                "\(notice.isWholePerson)",
            ].joined(separator: " ")
        }
        try store.setSettings([
            key(space): words, key(space) + ".said": notice.map { _ in hexadecimal(said) },
        ])
    }

    /// What was said about a space, word by word; nil when nothing was.
    package func words(of space: SpaceID) throws -> [UInt8]? {
        try store.setting(key(space) + ".said").flatMap { bytes(hexadecimal: $0) }
    }

    /// What was said about a space, as long as nothing that is here says more.
    package func notice(of space: SpaceID) throws -> RevocationNotice? {
        guard let words = try store.setting(key(space))?.split(separator: " "), words.count == 4,
            let commit = bytes(hexadecimal: String(words[0])).flatMap(CommitID.init(bytes:)),
            let person = bytes(hexadecimal: String(words[1])).flatMap(PersonID.init(bytes:)),
            let written = UInt64(words[2]),
            store.ledger(of: space)?.membership.holdsFacts(of: commit) == false
        else { return nil }
        return RevocationNotice(
            commit: commit, person: person, written: Milliseconds(written),
            isWholePerson: words[3] == "true")
    }

    private func key(_ space: SpaceID) -> String { "taken.\(space)" }
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
