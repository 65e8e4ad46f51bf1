internal import Records
internal import SyncCore

/// Ids that are equal on every device for records that people regard as one.
enum JournalID {
    /// The copy in a trip of a record of the person's own space.
    static func copy(_ source: RecordID, _ collection: String, in space: SpaceID) -> RecordID {
        .derived(space: space, collection: collection, source: source.bytes)
    }

    /// A tag or category by name: two people who add the same name get one record.
    static func named(_ name: String, _ collection: String, in space: SpaceID) -> RecordID {
        .derived(
            space: space, collection: collection, source: Array("name:\(Lookup.fold(name))".utf8))
    }

    /// The same; if that id is taken, the first free one derived from the name.
    static func free(
        _ name: String, _ collection: String, in space: SpaceID, isTaken: (RecordID) -> Bool
    ) -> RecordID {
        var id = named(name, collection, in: space)
        while isTaken(id) {
            id = .derived(space: space, collection: collection, source: id.bytes)
        }
        return id
    }
}
