/// One thing to do some day.
package struct BucketItemView: Codable, Sendable, Equatable {
    package let id: String
    package let shortID: String
    package let title: String
    package let done: Bool
    /// Absent for an item of the home space.
    package let trip: Reference?

    package init(id: String, shortID: String, title: String, done: Bool, trip: Reference?) {
        (self.id, self.shortID, self.title, self.done, self.trip) = (id, shortID, title, done, trip)
    }
}

/// A new item of the bucket list.
package struct BucketItemDraft: Codable, Sendable, Hashable {
    package let title: String
    /// Name or id prefix; the home space when absent.
    package let trip: String?

    package init(title: String, trip: String?) { (self.title, self.trip) = (title, trip) }
}
