/// One thing to do some day.
package struct BucketItemView: Codable, Sendable, Equatable, Identifiable {
    package let id: String
    package let shortID: String
    package let title: String
    package let done: Bool
    /// Absent for an item of the home space.
    package let trip: Reference?
    /// True if it left its data set, and is only listed with `retired`.
    package let retired: Bool?

    package init(
        id: String, shortID: String, title: String, done: Bool, trip: Reference?,
        retired: Bool? = nil
    ) {
        (self.id, self.shortID, self.title, self.done, self.trip) = (id, shortID, title, done, trip)
        self.retired = retired
    }
}

/// A new item of the bucket list.
package struct BucketItemDraft: Codable, Sendable, Hashable {
    package let title: String
    /// Name or id prefix; the home space when absent.
    package let trip: String?

    package init(title: String, trip: String?) { (self.title, self.trip) = (title, trip) }
}

/// Changes to an item of the bucket list.
package struct BucketItemChanges: Codable, Sendable, Hashable {
    package var title: String?
    package var done: Bool?
    /// Name or id prefix; absent: wherever the item is.
    package var trip: String?

    package init(title: String? = nil, done: Bool? = nil, trip: String? = nil) {
        (self.title, self.done, self.trip) = (title, done, trip)
    }
}

/// The replacement for a tag, or for an item of the bucket list.
package struct MergeDraft: Codable, Sendable, Hashable {
    /// Name or id prefix.
    package let into: String
    /// Name or id prefix; absent: wherever they are.
    package var trip: String?

    package init(into: String, trip: String?) { (self.into, self.trip) = (into, trip) }
}
