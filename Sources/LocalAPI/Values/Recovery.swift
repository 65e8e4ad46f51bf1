/// Which changes that do not count to bring back.
package struct RecoverRequest: Codable, Sendable, Hashable {
    /// A trip; without it, every trip and the person's own lists.
    package let trip: String?
    /// Only what this device wrote, also what was dismissed; without it, everything else.
    package let device: String?

    package init(trip: String? = nil, device: String? = nil) {
        (self.trip, self.device) = (trip, device)
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
    /// Grants and removals of members that do not count either: they have to be made anew.
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

/// What became of changes whose recovery was undone.
package struct RecoverUndoView: Codable, Sendable, Equatable {
    /// Changes that do not count again.
    package let changes: Int
    /// Trips where this person may not delete what was brought back.
    package let refused: [Reference]

    package init(changes: Int, refused: [Reference]) {
        (self.changes, self.refused) = (changes, refused)
    }
}
