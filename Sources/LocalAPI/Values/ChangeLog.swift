/// What happened, as far as it is here: a line for each commit, and for each answer to an invitation, newest last.
package struct ChangeLog: Codable, Sendable, Equatable {
    /// What was brought late, or deletes much; the latest last.
    package let arrivals: [ArrivalView]
    package let entries: [ChangeEntry]
    /// Whether there are earlier ones that were asked for and did not fit the limit.
    package let hasEarlier: Bool
    /// When this person last looked, if only what came since was asked for and they ever did.
    package let lastLook: Moment?
    /// The place of the newest change that is here: what ``ChangeLook`` takes.
    package let place: Int64

    package init(
        arrivals: [ArrivalView], entries: [ChangeEntry], hasEarlier: Bool, lastLook: Moment?,
        place: Int64
    ) {
        (self.arrivals, self.entries, self.hasEarlier) = (arrivals, entries, hasEarlier)
        (self.lastLook, self.place) = (lastLook, place)
    }
}

/// What one device brought to one trip or space at one meeting: what it had written long before, or deletions of
/// many records. People are told of it besides the list.
package struct ArrivalView: Codable, Sendable, Equatable {
    package enum Kind: String, Codable, Sendable, CaseIterable {
        /// It came long after it was written: the device was away.
        case late
        /// It deletes many records.
        case deletions
    }

    package let kind: Kind
    package let device: Reference
    /// Absent for the person's own lists.
    package let space: Reference?
    /// Commits; of deletions those that delete something.
    package let changes: Int
    /// Records that it deletes.
    package let deletions: Int
    /// Records that are in conflict by it, as long as nobody has decided.
    package let conflicts: Int
    /// When the oldest change was written, by the clock of the device.
    package let written: Moment
    /// When the first change came to this device.
    package let received: Moment
    /// What undoes this and nothing else.
    package let undo: UndoDraft

    package init(
        _ kind: Kind, device: Reference, space: Reference?,
        counts: (changes: Int, deletions: Int, conflicts: Int), written: Moment, received: Moment,
        undo: UndoDraft
    ) {
        (self.kind, self.device, self.space) = (kind, device, space)
        (changes, deletions, conflicts) = counts
        (self.written, self.received, self.undo) = (written, received, undo)
    }
}

/// One commit in words of the schema.
package struct ChangeEntry: Codable, Sendable, Equatable {
    /// The commit's; empty for an answer to an invitation, which no commit says.
    package let id: String
    /// Absent for the person's own lists.
    package let space: Reference?
    /// A person; the device itself while nobody told whose it is.
    package let author: Reference
    /// True for the person of this device.
    package let isMine: Bool
    package let device: Reference
    /// By the clock of the device that wrote it.
    package let written: Moment
    /// When it came to this device.
    package let received: Moment
    package let changes: [ChangeView]

    package init(
        id: String, space: Reference?, author: Reference, isMine: Bool, device: Reference,
        written: Moment, received: Moment, changes: [ChangeView]
    ) {
        (self.id, self.space, self.author) = (id, space, author)
        (self.isMine, self.device, self.written) = (isMine, device, written)
        (self.received, self.changes) = (received, changes)
    }
}

/// One thing that a commit did, to one record or to several of one kind.
package struct ChangeView: Codable, Sendable, Equatable {
    package enum Kind: String, Codable, Sendable, CaseIterable {
        // Records.
        case added, changed, deleted, restored
        /// To another trip or space that this person reads, or from there: see ``ChangeView/whole``.
        case movedTo, movedFrom
        /// Chose between values that were written at once.
        case decided
        // The space itself.
        case createdSpace, renamedSpace, deletedSpace, restoredSpace, changedSchema
        case encryptedSpace, newKey
        /// Their recovery key is another one.
        case exchangedKey
        // People and devices.
        /// To be carried by one who cannot read it.
        case sharedUnread
        case shared, changedRole, removed, left, addedDevice, redatedDevice
        /// What somebody answered who was given the space.
        case joined, declined
        // With a recovery key.
        case recoveredDevice, removedDevice
        /// The space was taken from one device; its person stays.
        case tookFromDevice
        case requested, withdrewRequest, refusedRequest
        /// Further changes of one commit that were not looked at one by one.
        case more
    }

    package let kind: Kind
    /// What the records are called, one of them: `memory`, `photo`, or the collection's name.
    package let noun: String?
    package let count: Int
    /// Of the first few of them.
    package let names: [String]
    /// The fields that were changed, for one record; the rights that are asked for.
    package let fields: [String]
    /// What came or went with them.
    package let parts: [Part]
    /// What they belong to, if that was there before; the other trip or space of what was moved.
    package let whole: Whole?
    /// Who was given the space or lost it; a device where the kind says so.
    package let person: Reference?
    /// True for the person of this device.
    package let isMe: Bool
    package let role: Role?

    package init(
        _ kind: Kind, noun: String? = nil, count: Int = 1, names: [String] = [],
        fields: [String] = [], parts: [Part] = [], whole: Whole? = nil,
        person: Reference? = nil, isMe: Bool = false, role: Role? = nil
    ) {
        (self.kind, self.noun, self.count, self.names) = (kind, noun, count, names)
        (self.fields, self.parts, self.whole) = (fields, parts, whole)
        (self.person, self.isMe, self.role) = (person, isMe, role)
    }

    package struct Part: Codable, Sendable, Equatable {
        package let noun: String
        package let count: Int

        package init(noun: String, count: Int) { (self.noun, self.count) = (noun, count) }
    }

    package struct Whole: Codable, Sendable, Equatable {
        package let noun: String
        package let name: String

        package init(noun: String, name: String) { (self.noun, self.name) = (noun, name) }
    }
}

/// Which changes to show.
package struct ChangeFilter: Codable, Sendable, Hashable {
    /// Name or id prefix of a trip or space; absent: all.
    package var trip: String?
    /// Those that came here at this time or later; absent: since this person last looked, and then
    /// without what this device wrote itself.
    package var since: Moment?
    /// Also what this person saw before, and what this device wrote itself.
    @MayBeAbsent package var whole: Bool
    /// Of one device, or of one person; by name or id prefix.
    package var device: String?
    package var person: String?
    /// At most so many, the newest ones.
    package var limit: Int?

    package init(trip: String? = nil, since: Moment? = nil, limit: Int? = nil) {
        (self.trip, self.since, self.limit) = (trip, since, limit)
    }
}

/// A moment that a person gave a name to, on this device.
package struct MarkView: Codable, Sendable, Hashable, Identifiable {
    package let name: String
    package let at: Moment

    package init(name: String, at: Moment) { (self.name, self.at) = (name, at) }

    package var id: String { name }
}

/// That a person looked at the changes.
package struct ChangeLook: Codable, Sendable, Hashable {
    /// Of this trip or space alone.
    package let trip: String?
    /// ``ChangeLog/place`` of what they saw.
    package let place: Int64

    package init(trip: String?, place: Int64) { (self.trip, self.place) = (trip, place) }
}
