/// Data that was on this device before its database was damaged or lost, and has not come back. It counts if
/// another device sends it, dismissed or not.
package struct DamageView: Codable, Sendable, Equatable {
    /// Absent for the person's own lists.
    package let trip: Reference?
    /// The device that wrote it; absent if nothing of the trip or the lists is left.
    package let device: Reference?
    /// How many changes of that device are missing; absent if nothing is left.
    package let changes: Int?
    /// The other devices that said they have these changes; they may have lost them since.
    package let holders: [Reference]
    /// Whether `status` and `peersync doctor` stop reporting it.
    package let dismissed: Bool

    package init(
        trip: Reference?, device: Reference?, changes: Int?, holders: [Reference], dismissed: Bool
    ) {
        (self.trip, self.device, self.changes) = (trip, device, changes)
        (self.holders, self.dismissed) = (holders, dismissed)
    }

    /// Whether it can be dismissed. Own lists of which nothing is left are started again instead.
    package var isDismissible: Bool { trip != nil || changes != nil }
}

/// Whether losses that are known now are dismissed.
package struct DamageDismissal: Codable, Sendable, Equatable {
    /// False to report everything again.
    package let dismissed: Bool

    package init(dismissed: Bool) { self.dismissed = dismissed }
}
