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

/// One memory with everything in it. In JSON, the properties of its parts stand side by side.
@dynamicMemberLookup
package struct MemoryView: Codable, Sendable, Equatable, Identifiable {
    package let content: Content
    package var state: State

    package init(_ content: Content, _ state: State) {
        (self.content, self.state) = (content, state)
    }

    package init(from decoder: any Decoder) throws {
        content = try Content(from: decoder)
        state = try State(from: decoder)
    }

    package func encode(to encoder: any Encoder) throws {
        try encoder.encode(inOneObject: content, state)
    }

    package var id: String { content.id }

    package subscript<Value>(dynamicMember path: KeyPath<Content, Value>) -> Value {
        content[keyPath: path]
    }

    package subscript<Value>(dynamicMember path: KeyPath<State, Value>) -> Value {
        state[keyPath: path]
    }
}

extension MemoryView {
    /// Its fields, and its photos and track.
    package struct Content: Codable, Sendable, Equatable {
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

        package init(
            id: String, shortID: String, trip: Reference, title: String, text: String, at: Moment?,
            position: Position?, locationName: String, weather: String, tags: [Reference],
            bucketItem: Reference?, media: [MediaView], track: TrackView?
        ) {
            (self.id, self.shortID, self.trip, self.title) = (id, shortID, trip, title)
            (self.text, self.at, self.position) = (text, at, position)
            (self.locationName, self.weather, self.tags) = (locationName, weather, tags)
            (self.bucketItem, self.media, self.track) = (bucketItem, media, track)
        }
    }

    /// Its last change, how far it is synced, and what is to be settled.
    package struct State: Codable, Sendable, Equatable {
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
            author: Reference, changed: Moment, status: RecordStatus, conflicts: [FieldConflict],
            seen: String, notices: [String]
        ) {
            (self.author, self.changed, self.status) = (author, changed, status)
            (self.conflicts, self.seen, self.notices) = (conflicts, seen, notices)
        }
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
