/// What to bring back of changes that were set aside.
package struct RescueDraft: Codable, Sendable, Hashable {
    /// A trip; without it, every trip and the person's own lists.
    package let trip: String?
    /// Everything of this device that does not count; without it, what was set aside because a
    /// device wrote twice from one state.
    package let device: String?

    package init(trip: String? = nil, device: String? = nil) {
        self.trip = trip
        self.device = device
    }
}

/// What was brought back.
package struct RescueReport: Codable, Sendable, Equatable {
    package let rescued: [RescuedChanges]
    /// Changes that this person may not write, or that could not be.
    package let refused: Int
    /// Grants and removals of members that were set aside too: they have to be made anew.
    package let membershipChanges: Int

    package init(rescued: [RescuedChanges], refused: Int, membershipChanges: Int) {
        self.rescued = rescued
        self.refused = refused
        self.membershipChanges = membershipChanges
    }
}

/// What one device had written to one trip.
package struct RescuedChanges: Codable, Sendable, Equatable {
    /// Absent for the person's own lists.
    package let trip: Reference?
    package let device: Reference
    package let person: Reference
    package let changes: Int

    package init(trip: Reference?, device: Reference, person: Reference, changes: Int) {
        self.trip = trip
        self.device = device
        self.person = person
        self.changes = changes
    }
}
