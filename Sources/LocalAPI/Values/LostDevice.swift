/// A report that a device is lost.
package struct LostDraft: Codable, Sendable, Hashable {
    /// Its writes from then on do not count. Absent: writes that are not here now.
    package let since: Moment?
    /// The person's recovery key, for trips where only it can revoke.
    package let recoveryKey: String?
    /// Only reports what would happen.
    package let preview: Bool?
    /// Devices that it let in, but that are not lost with it.
    package let keep: [String]?

    package init(
        since: Moment? = nil, recoveryKey: String? = nil, preview: Bool? = nil,
        keep: [String]? = nil
    ) {
        (self.since, self.recoveryKey, self.preview) = (since, recoveryKey, preview)
        self.keep = keep
    }
}

/// Who is told that a device is lost.
package enum LostCall: String, Codable, Sendable, CaseIterable {
    /// Every device of this person, and of people who share a trip with them.
    case everybody
    /// Nobody: the device is older than this one, so it takes the person's recovery key.
    case needsKey
    /// Nobody: the device belongs to another person, who has to report it.
    case notYours
}

package struct LostView: Codable, Sendable, Equatable {
    package let device: Reference
    package let person: Reference
    /// True for a device of this person.
    package let me: Bool
    /// False for a preview.
    package let done: Bool
    package let since: Moment?
    package let call: LostCall
    /// Devices that only it let in, and so are lost with it.
    package let lostWithIt: [Reference]
    package let trips: [LostTrip]
    /// True when it was lost or forgotten before, and nothing can be taken from it any more.
    @MayBeAbsent package var again: Bool

    package init(
        device: Reference, person: Reference, me: Bool, done: Bool, since: Moment?,
        call: LostCall, lostWithIt: [Reference] = [], trips: [LostTrip]
    ) {
        (self.device, self.person, self.me) = (device, person, me)
        (self.done, self.since, self.trips) = (done, since, trips)
        (self.call, self.lostWithIt) = (call, lostWithIt)
    }
}

/// A report that a lost device was found.
package struct FoundDraft: Codable, Sendable, Hashable {
    /// The person's recovery key, for losses that only it can withdraw.
    package let recoveryKey: String?

    package init(recoveryKey: String? = nil) { self.recoveryKey = recoveryKey }
}

package struct FoundView: Codable, Sendable, Equatable {
    package let device: Reference
    package let person: Reference
    /// Trips that it got back.
    package let trips: [Reference]

    package init(device: Reference, person: Reference, trips: [Reference]) {
        (self.device, self.person, self.trips) = (device, person, trips)
    }
}

/// One trip that a lost device has.
package struct LostTrip: Codable, Sendable, Equatable {
    package enum Outcome: String, Codable, Sendable, CaseIterable {
        /// It has no right to it any more, or will have none.
        case taken
        /// Only the person's recovery key can revoke it.
        case needsKey
        /// Neither this device nor the recovery key may.
        case notAllowed
    }

    /// Absent for the person's own lists.
    package let trip: Reference?
    package let outcome: Outcome
    /// How many changes it is known to hold, and of how many.
    package let changesHeld: Int
    package let changes: Int
    /// How many of the shown files it may have, by what it said; absent when it never said.
    package let filesHeld: Int?
    package let files: Int
    /// Changes that it made since the given time, which no longer count.
    package let discounted: Int
    /// Other devices that have heard of the revocation, and those that are not known to.
    package let heard: [Reference]
    package let unaware: [Reference]
    /// People who could revoke it, where this person cannot.
    package let ask: [Reference]
    /// Other devices to which it gave the trip and that still have it: a person who found the device may
    /// have done so.
    package let letIn: [Reference]
    /// For an encrypted trip after the revocation: whether it has a key that the device does not know.
    /// Otherwise an admin's device has yet to make one.
    package var newKey: Bool?
    /// What it may do, or may have done until now; absent when that was taken before.
    package var role: Role?
    /// True where it carries the trip without reading it, or did until now.
    package var carries: Bool?

    package init(
        trip: Reference?, outcome: Outcome, changesHeld: Int, changes: Int, filesHeld: Int?,
        files: Int, discounted: Int, heard: [Reference], unaware: [Reference], ask: [Reference],
        letIn: [Reference] = []
    ) {
        (self.trip, self.outcome) = (trip, outcome)
        (self.changesHeld, self.changes) = (changesHeld, changes)
        (self.filesHeld, self.files, self.discounted) = (filesHeld, files, discounted)
        (self.heard, self.unaware, self.ask, self.letIn) = (heard, unaware, ask, letIn)
    }
}

package struct RecoveryKeyDraft: Codable, Sendable, Hashable {
    package let recoveryKey: String

    package init(recoveryKey: String) { self.recoveryKey = recoveryKey }
}

/// The owner of a recovery key.
package struct RecoveryKeyView: Codable, Sendable, Equatable {
    /// Absent when the owner is unknown here.
    package let person: Reference?
    /// True for the person of this device.
    package let me: Bool
    /// True for one that this person had before they exchanged it.
    package let exchanged: Bool

    package init(person: Reference?, me: Bool, exchanged: Bool) {
        (self.person, self.me, self.exchanged) = (person, me, exchanged)
    }
}

/// An exchange of this person's recovery key for another one.
package struct KeyExchangeDraft: Codable, Sendable, Hashable {
    package let recoveryKey: String
    /// The new recovery key.
    package let newRecoveryKey: String
    /// Devices that the old key reported lost, but that are not.
    package let found: [String]?
    /// Only reports what would happen.
    package let preview: Bool?

    package init(
        recoveryKey: String, newRecoveryKey: String, found: [String]? = nil,
        preview: Bool? = nil
    ) {
        (self.recoveryKey, self.newRecoveryKey) = (recoveryKey, newRecoveryKey)
        (self.found, self.preview) = (found, preview)
    }
}

package struct KeyExchangeView: Codable, Sendable, Equatable {
    /// False for a preview.
    package let done: Bool
    /// Trips in which the old key is no longer valid.
    package let trips: [Reference]
    /// Trips in which this device cannot exchange it, because only the key let it in.
    package let elsewhere: [Reference]
    /// Devices that only the old key let in: they lose what it gave them.
    package let putOut: [Reference]
    /// Devices that the old key reported lost, and that stay so.
    package let stayLost: [Reference]
    /// Statements of the old key that should stay valid, but for which an exchange has no room.
    package let leftOut: Int

    package init(
        done: Bool, trips: [Reference], elsewhere: [Reference], putOut: [Reference],
        stayLost: [Reference], leftOut: Int
    ) {
        (self.done, self.trips) = (done, trips)
        (self.elsewhere, self.putOut, self.stayLost) = (elsewhere, putOut, stayLost)
        self.leftOut = leftOut
    }
}

/// The rights that a recovery key restored.
package struct RecoveryUseView: Codable, Sendable, Equatable {
    package let person: Reference
    /// Devices that were connected and asked.
    package let asked: [Reference]
    /// Devices that were connected, but not asked, because they are not paired with this one.
    package let strangers: [Reference]
    package let trips: [RecoveredTrip]

    package init(
        person: Reference, asked: [Reference], strangers: [Reference], trips: [RecoveredTrip]
    ) {
        (self.person, self.asked, self.strangers) = (person, asked, strangers)
        self.trips = trips
    }
}

package struct RecoveredTrip: Codable, Sendable, Equatable {
    package let trip: Reference
    package let role: Role?
    /// The device that wrote it down.
    package let from: Reference
    /// False while nothing of it has come yet.
    package let isHere: Bool

    package init(trip: Reference, role: Role?, from: Reference, isHere: Bool) {
        (self.trip, self.role, self.from, self.isHere) = (trip, role, from, isHere)
    }
}
