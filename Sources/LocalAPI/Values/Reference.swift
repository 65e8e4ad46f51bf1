/// Another thing, by id and by the name people know.
package struct Reference: Codable, Sendable, Hashable {
    package let id: String
    package let shortID: String
    package let name: String

    package init(id: String, shortID: String, name: String) {
        (self.id, self.shortID, self.name) = (id, shortID, name)
    }
}

/// Limits a list to one trip; without one, the person's home space is meant.
package struct ScopeFilter: Codable, Sendable, Hashable {
    /// Name or id prefix of a trip.
    package let trip: String?

    package init(trip: String? = nil) { self.trip = trip }
}

/// Limits a list of tags, or a bucket list, to one trip; without one, the person's home space is meant.
package struct ListFilter: Codable, Sendable, Hashable {
    /// Name or id prefix of a trip.
    package let trip: String?
    /// Also those that left their data set, and stay as memories refer to them.
    @MayBeAbsent package var retired: Bool

    package init(trip: String? = nil, retired: Bool = false) {
        self.trip = trip
        self.retired = retired
    }
}
