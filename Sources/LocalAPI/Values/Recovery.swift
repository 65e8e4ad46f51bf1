/// What to bring back of changes that were quarantined.
package struct RecoverRequest: Codable, Sendable, Hashable {
    /// A trip; without it, every trip and the person's own lists.
    package let trip: String?
    /// Everything of this device that does not count; without it, what was quarantined because a
    /// device wrote twice from one state.
    package let device: String?
    /// Everything that does not count because who wrote it had no right to.
    package let orphans: Bool?

    package init(trip: String? = nil, device: String? = nil, orphans: Bool? = nil) {
        (self.trip, self.device, self.orphans) = (trip, device, orphans)
    }
}

/// What was brought back.
package struct RecoverReport: Codable, Sendable, Equatable {
    package let recovered: [RecoveredChanges]
    /// Changes that this person may not write, or that could not be.
    package let refused: Int
    /// Files from before their trip was encrypted that are not on this device: what names them did not
    /// come back.
    package let missing: LeftFiles
    /// Grants and removals of members that were quarantined too: they have to be made anew.
    package let membershipChanges: Int

    package init(
        recovered: [RecoveredChanges], refused: Int, missing: LeftFiles, membershipChanges: Int
    ) {
        (self.recovered, self.refused, self.missing) = (recovered, refused, missing)
        self.membershipChanges = membershipChanges
    }
}

/// What one device had written to one trip.
package struct RecoveredChanges: Codable, Sendable, Equatable {
    /// Absent for the person's own lists.
    package let trip: Reference?
    package let device: Reference
    package let person: Reference
    package let changes: Int

    package init(trip: Reference?, device: Reference, person: Reference, changes: Int) {
        (self.trip, self.device, self.person, self.changes) = (trip, device, person, changes)
    }
}
