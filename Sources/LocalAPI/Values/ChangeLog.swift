/// What happened, as far as it is here: a line for each commit, for each answer to an invitation, and for each space
/// that was revoked from this device; newest last.
package struct ChangeLog: Codable, Sendable, Equatable {
    /// Late changes, and many deletions; the latest last.
    package let arrivals: [ArrivalView]
    package let entries: [ChangeEntry]
    /// Whether there are earlier changes that did not fit the limit.
    package let hasEarlier: Bool
    /// When this person last looked; only if the request was for news since then.
    package let lastLook: Moment?
    /// The place of the newest change here, for ``ChangeLook``.
    package let place: Int64

    package init(
        arrivals: [ArrivalView], entries: [ChangeEntry], hasEarlier: Bool, lastLook: Moment?,
        place: Int64
    ) {
        (self.arrivals, self.entries, self.hasEarlier) = (arrivals, entries, hasEarlier)
        (self.lastLook, self.place) = (lastLook, place)
    }
}

/// Late changes or many deletions that one device brought to a trip or space at one meeting. People are
/// told of them beside the list.
package struct ArrivalView: Codable, Sendable, Equatable {
    package enum Kind: String, Codable, Sendable, CaseIterable {
        /// It came long after it was written: the device was away.
        case late
        /// It was written before an undo that was about such changes, and came after it.
        case afterUndo
        /// It deletes many records, or an undo was about deletions.
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
    /// Records that are in conflict because of it, until somebody decides.
    package let conflicts: Int
    /// When the oldest change was written, by the clock of the device.
    package let written: Moment
    /// When the first change came to this device.
    package let received: Moment
    /// The draft that undoes exactly this.
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
    /// The commit's; empty for what no commit here says: an answer to an invitation, or that the space was revoked.
    package let id: String
    /// Absent for the person's own lists.
    package let space: Reference?
    /// A person; the device itself while its person is unknown.
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

/// A change by a commit, to one record or to several of one kind.
package struct ChangeView: Codable, Sendable, Equatable {
    package enum Kind: String, Codable, Sendable, CaseIterable {
        // Records.
        case added, changed, deleted, restored
        /// To or from another trip or space that this person can read: see ``ChangeView/whole``.
        case movedTo, movedFrom
        /// Chose between simultaneous values.
        case decided
        // The space itself.
        case createdSpace, renamedSpace, deletedSpace, restoredSpace, changedSchema
        /// Put at the end of lists, and back.
        case closedSpace, reopenedSpace
        case encryptedSpace, newKey
        /// They exchanged their recovery key.
        case exchangedKey
        // People and devices.
        /// Shared with a device that carries it without reading it.
        case sharedUnread
        case shared, changedRole, removed, left, addedDevice, redatedDevice
        /// The answer of a person who was given the space, or was asked to carry it without reading it.
        case joined, declined, carries
        // With a recovery key.
        case recoveredDevice, removedDevice
        /// The space was revoked from one device, whose person stays, or given back to it.
        case tookFromDevice, returnedToDevice
        case requested, withdrewRequest, refusedRequest
        /// Further changes of a commit, which are not listed.
        case more
    }

    package let kind: Kind
    /// The word for such a record, in the singular: `memory`, `photo`, or the collection's name.
    package let noun: String?
    package let count: Int
    /// Of the first few of them.
    package let names: [String]
    /// The fields that were changed, for one record; the rights that are asked for.
    package let fields: [String]
    /// The parts that came or went with them.
    package let parts: [Part]
    /// Their owner, if it was there before; for moved records, the other trip or space.
    package let whole: Whole?
    /// The person who was given the space or lost it; a device where the kind says so.
    package let person: Reference?
    /// True for the person of this device.
    package let isMe: Bool
    package let role: Role?
    /// True where the record shows another value, which was written at the same time.
    package var otherShown: Bool?

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
    /// Only changes that came here at this time or later; absent: since this person last looked, without
    /// this device's own changes.
    package var since: Moment?
    /// Includes changes that this person has seen, and this device's own.
    @MayBeAbsent package var whole: Bool
    /// Of one device, or of one person; by name or id prefix.
    package var device: String?
    package var person: String?
    /// The most changes to show; the newest ones are shown.
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

/// Says that a person looked at the changes.
package struct ChangeLook: Codable, Sendable, Hashable {
    /// Of this trip or space alone.
    package let trip: String?
    /// ``ChangeLog/place`` of the newest change that they saw.
    package let place: Int64

    package init(trip: String?, place: Int64) { (self.trip, self.place) = (trip, place) }
}
