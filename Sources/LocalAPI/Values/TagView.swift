/// A tag of the home space or of a trip.
package struct TagView: Codable, Sendable, Equatable {
    package let id: String
    package let shortID: String
    package let name: String
    package let category: String?
    /// Absent for a tag of the home space.
    package let trip: Reference?
    /// Memories that carry it, as shown on this device.
    package let memoryCount: Int

    package init(
        id: String, shortID: String, name: String, category: String?, trip: Reference?,
        memoryCount: Int
    ) {
        (self.id, self.shortID, self.name) = (id, shortID, name)
        (self.category, self.trip, self.memoryCount) = (category, trip, memoryCount)
    }
}

/// A new tag.
package struct TagDraft: Codable, Sendable, Hashable {
    package let name: String
    /// Made when it does not exist yet.
    package let category: String?
    /// Name or id prefix; the home space when absent.
    package let trip: String?

    package init(name: String, category: String?, trip: String?) {
        (self.name, self.category, self.trip) = (name, category, trip)
    }
}
