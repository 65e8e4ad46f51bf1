import Store
import SyncCore

/// The collections and fields of the journal, as journal.yaml spells them.
enum JournalSchema {
    enum Collection {
        static let personProfile = "person_profile"
        static let deviceProfile = "device_profile"
        static let trip = "trip"
        static let tagCategory = "tag_category"
        static let tag = "tag"
        static let bucketItem = "bucket_item"
        static let memory = "memory"
        static let media = "media"
        static let track = "track"
    }

    enum Field {
        static let name = "name"
        static let person = "person"
        static let active = "active"
        static let category = "category"
        static let title = "title"
        static let done = "done"
        static let text = "text"
        static let at = "at"
        static let position = "position"
        static let locationName = "location_name"
        static let weather = "weather"
        static let tags = "tags"
        static let bucketItem = "bucket_item"
        static let memory = "memory"
        static let order = "order"
        static let fileName = "file_name"
        static let mediaType = "media_type"
        static let original = "original"
        static let size = "size"
        static let thumbnail = "thumbnail"
        static let taken = "taken"
        static let width = "width"
        static let height = "height"
        static let problem = "problem"
        static let points = "points"
        static let lengthMetres = "length_metres"
        static let start = "start"
        static let end = "end"
    }

    /// The fields of a memory that people change, by their names in the local API.
    static let memoryFields: [(shown: String, field: String)] = [
        ("title", Field.title), ("text", Field.text), ("at", Field.at),
        ("position", Field.position), ("locationName", Field.locationName),
        ("weather", Field.weather), ("bucketItem", Field.bucketItem),
    ]
}

/// Ids of records that every device must find, or make, under the same id.
extension AgentNode {
    /// The one `trip` record of a space.
    func tripRecordID(in space: SpaceID) -> RecordID {
        derivedRecordID(space: space, collection: JournalSchema.Collection.trip, source: [])
    }

    /// The record that carries a space's name. Throws while its schema is not known here.
    func titleRecord(in space: SpaceID) throws -> RecordKey {
        try requireSchema(of: space).titleRecord(in: space)
    }

    func profileID(of person: PersonID, in space: SpaceID) -> RecordID {
        derivedRecordID(
            space: space, collection: JournalSchema.Collection.personProfile, source: person.bytes)
    }

    func profileID(of device: DeviceID, in space: SpaceID) -> RecordID {
        derivedRecordID(
            space: space, collection: JournalSchema.Collection.deviceProfile, source: device.bytes)
    }

    /// A photo of a memory: the same one added twice, on two devices even, is one record.
    func mediaID(of blob: BlobID, in memory: RecordID, space: SpaceID) -> RecordID {
        derivedRecordID(
            space: space, collection: JournalSchema.Collection.media,
            source: memory.bytes + blob.bytes)
    }

    /// The one track of a memory.
    func trackID(of memory: RecordID, space: SpaceID) -> RecordID {
        derivedRecordID(
            space: space, collection: JournalSchema.Collection.track, source: memory.bytes)
    }

    /// The copy in a trip of a record of the home space.
    func copyID(of source: RecordID, _ collection: String, in space: SpaceID) -> RecordID {
        derivedRecordID(space: space, collection: collection, source: source.bytes)
    }

    /// A tag or category that is made by name: two people who add the same name get one record.
    func namedID(_ name: String, _ collection: String, in space: SpaceID) -> RecordID {
        derivedRecordID(
            space: space, collection: collection,
            source: Array("name:\(NameFolding.fold(name))".utf8))
    }
}
