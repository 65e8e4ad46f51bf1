/// One line of a list of memories.
package struct MemorySummary: Codable, Sendable, Equatable {
    package let id: String
    package let shortID: String
    package let trip: Reference
    package let title: String
    package let at: Moment?
    package let position: Position?
    package let tags: [String]
    package let mediaCount: Int
    package let hasTrack: Bool
    package let status: RecordStatus

    package init(
        id: String, shortID: String, trip: Reference, title: String, at: Moment?,
        position: Position?, tags: [String], mediaCount: Int, hasTrack: Bool, status: RecordStatus
    ) {
        (self.id, self.shortID, self.trip, self.title) = (id, shortID, trip, title)
        (self.at, self.position, self.tags) = (at, position, tags)
        (self.mediaCount, self.hasTrack, self.status) = (mediaCount, hasTrack, status)
    }
}

/// One memory with everything in it.
package struct MemoryView: Codable, Sendable, Equatable, Identifiable {
    package let id: String
    package let shortID: String
    package let trip: Reference
    package let title: String
    package let text: String
    package let at: Moment?
    package let position: Position?
    package let locationName: String
    package let weather: String
    package let tags: [Reference]
    package let bucketItem: Reference?
    /// In the order people gave them.
    package let media: [MediaView]
    package let track: TrackView?
    /// The last author.
    package let author: Reference
    package let changed: Moment
    package let status: RecordStatus
    /// The fields of ``RecordView/conflicts``, with their values.
    package let conflicts: [FieldConflict]
    /// As ``RecordView/seen``.
    package let seen: String
    /// Sentences about it, for example photos that could not be decoded.
    package let notices: [String]
    /// The former author, for a memory that came from an archive or another trip.
    package var origin: OriginView?

    package init(
        id: String, shortID: String, trip: Reference, title: String, text: String, at: Moment?,
        position: Position?, locationName: String, weather: String, tags: [Reference],
        bucketItem: Reference?, media: [MediaView], track: TrackView?, author: Reference,
        changed: Moment, status: RecordStatus, conflicts: [FieldConflict],
        seen: String, notices: [String]
    ) {
        (self.id, self.shortID, self.trip, self.title) = (id, shortID, trip, title)
        (self.text, self.at, self.position, self.locationName) = (text, at, position, locationName)
        (self.weather, self.tags, self.bucketItem, self.media) = (weather, tags, bucketItem, media)
        (self.track, self.author, self.changed, self.status) = (track, author, changed, status)
        (self.conflicts, self.seen, self.notices) = (conflicts, seen, notices)
    }
}

/// A field that two people changed at once.
package struct FieldConflict: Codable, Sendable, Equatable {
    /// As the schema spells it; `deleted` when the question is whether the record is deleted.
    package let field: String
    /// Each surviving value once, the shown one first; no value is the shown one while they are merged.
    package let values: [ConflictView.Value]

    package init(field: String, values: [ConflictView.Value]) {
        (self.field, self.values) = (field, values)
    }
}
