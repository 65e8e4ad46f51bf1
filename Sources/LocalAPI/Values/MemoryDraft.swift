/// A new memory.
package struct MemoryDraft: Codable, Sendable, Hashable {
    /// Name or id prefix of the trip.
    package var trip: String
    package var title = ""
    package var text = ""
    /// Taken from the first photo with a time when absent.
    package var at: Moment?
    /// Taken from the first photo with a position when absent.
    package var position: Position?
    package var locationName = ""
    package var weather = ""
    /// Names; a tag that does not exist yet is made.
    package var tags: [String] = []
    /// Title or id prefix of a bucket-list item.
    package var bucketItem: String?
    /// Absolute paths, in order.
    package var photoPaths: [String] = []
    /// Absolute path of a GPX file.
    package var trackPath: String?
    /// Also when other memories of the trip have some of the files already.
    package var again = false

    package init(trip: String) {
        self.trip = trip
    }

    /// Everything but the trip may be absent.
    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        trip = try fields.decode(String.self, forKey: .trip)
        title = try fields.decodeIfPresent(String.self, forKey: .title) ?? ""
        text = try fields.decodeIfPresent(String.self, forKey: .text) ?? ""
        at = try fields.decodeIfPresent(Moment.self, forKey: .at)
        position = try fields.decodeIfPresent(Position.self, forKey: .position)
        locationName = try fields.decodeIfPresent(String.self, forKey: .locationName) ?? ""
        weather = try fields.decodeIfPresent(String.self, forKey: .weather) ?? ""
        tags = try fields.decodeIfPresent([String].self, forKey: .tags) ?? []
        bucketItem = try fields.decodeIfPresent(String.self, forKey: .bucketItem)
        photoPaths = try fields.decodeIfPresent([String].self, forKey: .photoPaths) ?? []
        trackPath = try fields.decodeIfPresent(String.self, forKey: .trackPath)
        again = try fields.decodeIfPresent(Bool.self, forKey: .again) ?? false
    }
}

/// What to change in a memory; what is absent stays as it is.
package struct MemoryChanges: Codable, Sendable, Hashable {
    package var title: String?
    package var text: String?
    package var at: Moment?
    package var position: Position?
    package var locationName: String?
    package var weather: String?
    /// Title or id prefix of a bucket-list item.
    package var bucketItem: String?
    package var addTags: [String] = []
    package var removeTags: [String] = []
    /// Absolute paths, appended in order.
    package var addPhotoPaths: [String] = []
    /// Names or id prefixes of media of this memory.
    package var removeMedia: [String] = []
    /// Absolute path of a GPX file; takes the place of a track that is there.
    package var trackPath: String?
    /// Fields to empty.
    package var clear: [ClearableField] = []
    /// From ``MemoryView/replaces``; `nil` replaces whatever this device shows now.
    package var replaces: [String: [String]]?

    package init() {}

    /// Everything may be absent.
    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        title = try fields.decodeIfPresent(String.self, forKey: .title)
        text = try fields.decodeIfPresent(String.self, forKey: .text)
        at = try fields.decodeIfPresent(Moment.self, forKey: .at)
        position = try fields.decodeIfPresent(Position.self, forKey: .position)
        locationName = try fields.decodeIfPresent(String.self, forKey: .locationName)
        weather = try fields.decodeIfPresent(String.self, forKey: .weather)
        bucketItem = try fields.decodeIfPresent(String.self, forKey: .bucketItem)
        addTags = try fields.decodeIfPresent([String].self, forKey: .addTags) ?? []
        removeTags = try fields.decodeIfPresent([String].self, forKey: .removeTags) ?? []
        addPhotoPaths = try fields.decodeIfPresent([String].self, forKey: .addPhotoPaths) ?? []
        removeMedia = try fields.decodeIfPresent([String].self, forKey: .removeMedia) ?? []
        trackPath = try fields.decodeIfPresent(String.self, forKey: .trackPath)
        clear = try fields.decodeIfPresent([ClearableField].self, forKey: .clear) ?? []
        replaces = try fields.decodeIfPresent([String: [String]].self, forKey: .replaces)
    }

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

    package init() {}

    /// A circle on Earth.
    package struct Near: Codable, Sendable, Hashable {
        package let latitude: Double
        package let longitude: Double
        /// Metres.
        package let radius: Double

        package init(latitude: Double, longitude: Double, radius: Double) {
            self.latitude = latitude
            self.longitude = longitude
            self.radius = radius
        }
    }
}
