/// Changes of a device to redate, and how. When empty: those dated in the future, shifted so far that none
/// is dated after it came here.
package struct RedateDraft: Codable, Sendable, Hashable {
    /// From this time on, by the clock of the device.
    package let from: Moment?
    /// Before this time, by the clock of the device.
    package let to: Moment?
    /// How much later they are to be dated than the device's clock said; negative: earlier.
    package let offsetMilliseconds: Int64?
    /// Restores the original time of redated changes.
    package let undo: Bool?
    /// Only reports what would be redated.
    package let preview: Bool?

    package init(
        from: Moment? = nil, to: Moment? = nil, offsetMilliseconds: Int64? = nil,
        undo: Bool? = nil, preview: Bool? = nil
    ) {
        (self.from, self.to, self.offsetMilliseconds) = (from, to, offsetMilliseconds)
        (self.undo, self.preview) = (undo, preview)
    }
}

/// The redated changes, or their preview.
package struct RedateView: Codable, Sendable, Equatable {
    package let device: Reference
    /// The shift in relation to the device's clock; negative: earlier, 0: none.
    package let offsetMilliseconds: Int64
    /// False for a preview.
    package let done: Bool
    package let trips: [RedatedTrip]
    /// Trips in which this person may not redate them.
    package let refused: [Reference]

    package init(
        device: Reference, offsetMilliseconds: Int64, done: Bool, trips: [RedatedTrip],
        refused: [Reference]
    ) {
        (self.device, self.offsetMilliseconds, self.done) = (device, offsetMilliseconds, done)
        (self.trips, self.refused) = (trips, refused)
    }

    package var changes: Int { trips.reduce(0) { $0 + $1.changes } }
}

/// Changes of one trip, or of the person's own lists, with the times of the first and the last.
package struct RedatedTrip: Codable, Sendable, Equatable {
    /// Absent for the person's own lists.
    package let trip: Reference?
    package let changes: Int
    package let first: Moment
    package let last: Moment
    package let newFirst: Moment
    package let newLast: Moment

    package init(
        trip: Reference?, changes: Int, first: Moment, last: Moment, newFirst: Moment,
        newLast: Moment
    ) {
        (self.trip, self.changes, self.first, self.last) = (trip, changes, first, last)
        (self.newFirst, self.newLast) = (newFirst, newLast)
    }
}
