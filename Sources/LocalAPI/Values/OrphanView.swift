/// What one device wrote to one trip that does not count, because it had no right to.
package struct OrphanView: Codable, Sendable, Equatable {
    /// Absent for the person's own lists.
    package let trip: Reference?
    package let author: Reference
    /// True for the person of this device.
    package let isMine: Bool
    package let device: Reference
    /// Commits.
    package let count: Int
    package let first: Moment
    package let last: Moment
    /// What they would change.
    package let changes: [ChangeView]
    /// Whether this person may write them anew, as far as their role says.
    package let rescuable: Bool

    package init(
        trip: Reference?, author: Reference, isMine: Bool, device: Reference, count: Int,
        first: Moment, last: Moment, changes: [ChangeView], rescuable: Bool
    ) {
        (self.trip, self.author, self.isMine) = (trip, author, isMine)
        (self.device, self.count, self.first, self.last) = (device, count, first, last)
        (self.changes, self.rescuable) = (changes, rescuable)
    }
}

/// What became of an undone rescue.
package struct RescueUndoView: Codable, Sendable, Equatable {
    /// Changes that are without effect again.
    package let changes: Int
    /// Trips where this person may not delete what the rescue brought back.
    package let refused: [Reference]

    package init(changes: Int, refused: [Reference]) {
        (self.changes, self.refused) = (changes, refused)
    }
}
