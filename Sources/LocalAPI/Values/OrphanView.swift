/// Changes by one device to one trip that do not count.
package struct OrphanView: Codable, Sendable, Equatable {
    package enum Reason: String, Codable, Sendable, CaseIterable {
        /// Its author had no right to it.
        case noRight
        /// The device wrote twice from one state, as after it was put back to an older one.
        case branch
        /// Damage on this disk took a change that it builds on: it counts once that one comes again.
        case gap
        /// The rest of what was written with it is not here: it counts once that comes.
        case incomplete
    }

    /// Absent for the person's own lists.
    package let trip: Reference?
    package let author: Reference
    /// True for the person of this device.
    package let isMine: Bool
    package let device: Reference
    /// Why it does not count.
    package let reason: Reason
    /// Whether this person dismissed it: then it is recovered only when its device is named.
    package let dismissed: Bool
    /// Commits.
    package let count: Int
    package let first: Moment
    package let last: Moment
    /// Their effect, if they counted.
    package let changes: [ChangeView]
    /// Whether this person's role allows them to recover these.
    package let recoverable: Bool

    package init(
        trip: Reference?, author: Reference, isMine: Bool, device: Reference, reason: Reason,
        dismissed: Bool, count: Int, first: Moment, last: Moment, changes: [ChangeView],
        recoverable: Bool
    ) {
        (self.trip, self.author, self.isMine) = (trip, author, isMine)
        (self.device, self.reason, self.dismissed) = (device, reason, dismissed)
        (self.count, self.first, self.last) = (count, first, last)
        (self.changes, self.recoverable) = (changes, recoverable)
    }
}
