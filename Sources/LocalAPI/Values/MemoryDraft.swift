/// A new memory.
package struct MemoryDraft: Codable, Sendable, Hashable {
    /// Name or id prefix of the trip.
    package var trip: String
    @MayBeAbsent package var title: String
    @MayBeAbsent package var text: String
    /// Taken from the first photo with a time when absent.
    package var at: Moment?
    /// Taken from the first photo with a position when absent.
    package var position: Position?
    @MayBeAbsent package var locationName: String
    @MayBeAbsent package var weather: String
    /// Names; a tag that does not exist yet is made.
    @MayBeAbsent package var tags: [String]
    /// Title or id prefix of a bucket-list item.
    package var bucketItem: String?
    /// Absolute paths, in order.
    @MayBeAbsent package var photoPaths: [String]
    /// Absolute path of a GPX file.
    package var trackPath: String?
    /// Adds it even when other memories of the trip have some of the files already.
    @MayBeAbsent package var again: Bool

    package init(trip: String) { self.trip = trip }
}

/// Changes to a memory; absent fields stay unchanged.
package struct MemoryChanges: Codable, Sendable, Hashable {
    package var title: String?
    package var text: String?
    package var at: Moment?
    package var position: Position?
    package var locationName: String?
    package var weather: String?
    /// Title or id prefix of a bucket-list item.
    package var bucketItem: String?
    @MayBeAbsent package var addTags: [String]
    @MayBeAbsent package var removeTags: [String]
    /// Absolute paths, appended in order.
    @MayBeAbsent package var addPhotoPaths: [String]
    /// Names or id prefixes of media of this memory.
    @MayBeAbsent package var removeMedia: [String]
    /// Absolute path of a GPX file; takes the place of a track that is there.
    package var trackPath: String?
    /// Fields to empty.
    @MayBeAbsent package var clear: [ClearableField]
    /// Changes it even when memories of the trip have some of the files already.
    @MayBeAbsent package var again: Bool
    /// From ``MemoryView/State/seen``; if absent, replaces what this device shows now.
    package var seen: String?

    package init() {}

    /// A field that can be emptied.
    package enum ClearableField: String, Codable, Sendable, CaseIterable {
        case at, position, locationName, weather, bucketItem, track
    }
}

/// Which memories to list; conditions combine with "and".
package struct MemoryFilter: Codable, Sendable, Hashable {
    /// Name or id prefix.
    package var trip: String?
    package var tag: String?
    /// Inclusive.
    package var since: Moment?
    /// Exclusive.
    package var until: Moment?
    package var near: Near?
    /// Found in title, text, location name or weather.
    package var text: String?
    /// The deleted ones instead.
    @MayBeAbsent package var deleted: Bool
    /// Only the first ones by time, so many or all that are left, and with the last of them all of its time.
    /// Those without a time come last, all together. Goes with a trip and times, not with the rest.
    package var limit: Int?
    /// With `limit`: only what comes behind this time, the time of the last memory before it.
    package var after: Moment?

    package init() {}

    /// A circle on Earth.
    package struct Near: Codable, Sendable, Hashable {
        package let latitude: Double
        package let longitude: Double
        /// Metres.
        package let radius: Double

        package init(latitude: Double, longitude: Double, radius: Double) {
            (self.latitude, self.longitude, self.radius) = (latitude, longitude, radius)
        }
    }
}

extension MemoryFilter: PartFilter {
    package func next(behind part: [MemorySummary]) -> MemoryFilter? {
        guard let limit, part.count >= limit, let last = part.last?.at else { return nil }
        var next = self
        next.after = last
        return next
    }
}
