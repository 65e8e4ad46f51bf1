/// Selects changes that do not count, to recover them.
package struct RecoverRequest: Codable, Sendable, Hashable {
    /// A trip; without it, every trip and the person's own lists.
    package let trip: String?
    /// Only changes by this device, including dismissed ones; if absent, all others.
    package let device: String?

    package init(trip: String? = nil, device: String? = nil) {
        (self.trip, self.device) = (trip, device)
    }
}

/// The recovered changes.
package struct RecoverReport: Codable, Sendable, Equatable {
    package let recovered: [RecoveredChanges]
    /// Changes that this person may not write, or that failed.
    package let refused: Int
    /// Changes that count by themselves since they were looked for, or are not here any more.
    package let settled: Int
    /// Files from before their trip was encrypted that are not on this device: records that name them were
    /// not recovered.
    package let missing: LeftFiles
    /// Grants and removals of members that do not count either: they have to be made again.
    package let membershipChanges: Int

    package init(
        recovered: [RecoveredChanges], refused: Int, settled: Int, missing: LeftFiles,
        membershipChanges: Int
    ) {
        (self.recovered, self.refused, self.missing) = (recovered, refused, missing)
        (self.settled, self.membershipChanges) = (settled, membershipChanges)
    }
}

/// The recovered changes of one device in one trip.
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

/// The result of undoing a recovery.
package struct RecoverUndoView: Codable, Sendable, Equatable {
    /// Changes that no longer count.
    package let changes: Int
    /// Trips where this person may not delete the recovered records.
    package let refused: [Reference]

    package init(changes: Int, refused: [Reference]) {
        (self.changes, self.refused) = (changes, refused)
    }
}
