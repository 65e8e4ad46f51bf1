package import Records
internal import SyncCore

/// The collections and fields of the journal, with their names in journal.yaml. Its collection `setting` is not
/// among them: it is for a person's other programs, which keep settings in the home space.
enum JournalSchema {
    enum Collection {
        static let tagCategory = "tag_category"
        static let tag = "tag"
        static let bucketItem = "bucket_item"
        static let memory = "memory"
        static let media = "media"
        static let track = "track"
    }

    enum Field {
        static let name = "name"
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
        static let caption = "caption"
        static let camera = "camera"
        static let direction = "direction"
        static let width = "width"
        static let height = "height"
        static let problem = "problem"
        static let points = "points"
        static let lengthMetres = "length_metres"
        static let start = "start"
        static let end = "end"
    }
}

extension BuiltInSchema {
    /// The journal, the schema of trips and of every person's own space.
    package static let journal = BuiltInSchema(
        document: PackageResources.journal_yaml,
        titleWrites: [Write(field: JournalSchema.Field.active, value: .boolean(true))],
        sharedNames: [JournalSchema.Collection.tag, JournalSchema.Collection.tagCategory],
        counted: (
            JournalSchema.Collection.memory,
            [JournalSchema.Collection.media, JournalSchema.Collection.track]
        ), derivedID: AttachmentIDs.id
    ) { collection, record in
        guard collection == JournalSchema.Collection.media else { return nil }
        let type = record?.value(JournalSchema.Field.mediaType)?.text ?? ""
        return type.hasPrefix("image/") ? "photo" : type.hasPrefix("video/") ? "video" : "file"
    }
}

extension SchemaCache {
    /// A loader that knows the journal. Throws ``SchemaLoader/Failure`` only when the program was built
    /// wrong.
    package convenience init() throws {
        try self.init(.journal)
    }
}
