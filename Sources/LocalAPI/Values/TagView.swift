/// A tag of the home space or of a trip.
package struct TagView: Codable, Sendable, Equatable, Identifiable {
    package let id: String
    package let shortID: String
    package let name: String
    package let category: String?
    /// Absent for a tag of the home space.
    package let trip: Reference?
    /// Memories that carry it, as shown on this device.
    package let memoryCount: Int
    /// True if it left its data set, and is only listed with `retired`.
    package let retired: Bool?

    package init(
        id: String, shortID: String, name: String, category: String?, trip: Reference?,
        memoryCount: Int, retired: Bool? = nil
    ) {
        (self.id, self.shortID, self.name) = (id, shortID, name)
        (self.category, self.trip, self.memoryCount) = (category, trip, memoryCount)
        self.retired = retired
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

/// Changes to a tag.
package struct TagChanges: Codable, Sendable, Hashable {
    package var name: String?
    /// Made when it does not exist yet; an empty one takes the tag out of its category.
    package var category: String?
    /// Name or id prefix; absent: wherever the tag is.
    package var trip: String?

    package init(name: String? = nil, category: String? = nil, trip: String? = nil) {
        (self.name, self.category, self.trip) = (name, category, trip)
    }
}
