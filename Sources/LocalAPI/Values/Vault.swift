/// A device that is to carry trips which it cannot read, or to carry them no more.
package struct VaultDraft: Codable, Sendable, Hashable {
    /// Name or id prefix of a known device.
    package let device: String
    /// Name or id prefix; absent: every encrypted trip and space of this person.
    package let trip: String?

    package init(device: String, trip: String? = nil) {
        (self.device, self.trip) = (device, trip)
    }
}

/// The trips that a device carries from now on, or no longer carries.
package struct VaultChange: Codable, Sendable, Equatable {
    package let device: Reference
    package let person: Reference
    /// Those that it was given, or that were taken from it.
    package let trips: [Reference]
    /// Those that were left as they are, each with the reason.
    package let left: [VaultRefusal]
    /// Trips of which files from before their encryption stay on the devices that read them.
    package let partly: [Reference]

    package init(
        device: Reference, person: Reference, trips: [Reference], left: [VaultRefusal],
        partly: [Reference] = []
    ) {
        (self.device, self.person, self.trips) = (device, person, trips)
        (self.left, self.partly) = (left, partly)
    }
}

package struct VaultRefusal: Codable, Sendable, Equatable {
    package let trip: Reference
    package let sentence: String

    package init(trip: Reference, sentence: String) {
        (self.trip, self.sentence) = (trip, sentence)
    }
}

/// Devices that carry trips of this one, and trips that this one carries for others.
package struct VaultList: Codable, Sendable, Equatable {
    package let vaults: [VaultView]
    /// With ``TripView/Details/carried``.
    package let carried: [TripView]

    package init(vaults: [VaultView], carried: [TripView]) {
        (self.vaults, self.carried) = (vaults, carried)
    }
}

/// One trip on one vault.
package struct VaultView: Codable, Sendable, Equatable {
    package let device: Reference
    package let person: Reference
    package let trip: Reference
    /// False until its person has accepted.
    package let accepted: Bool
    /// Items that it still lacks.
    package let waiting: WaitingCount

    package init(
        device: Reference, person: Reference, trip: Reference, accepted: Bool,
        waiting: WaitingCount
    ) {
        (self.device, self.person, self.trip) = (device, person, trip)
        (self.accepted, self.waiting) = (accepted, waiting)
    }
}

/// The known facts about a trip that this device carries without reading it.
package struct CarriedView: Codable, Sendable, Equatable {
    package let changes: Int
    package let filesHere: Int
    /// When the last change came here.
    package let newest: Moment?

    package init(changes: Int, filesHere: Int, newest: Moment?) {
        (self.changes, self.filesHere, self.newest) = (changes, filesHere, newest)
    }
}
