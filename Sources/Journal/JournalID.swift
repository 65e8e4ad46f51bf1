internal import Records
internal import SyncCore

/// Ids of records that every device must find, or make, under the same id.
enum JournalID {
    /// The copy in a trip of a record of the person's own space.
    static func copy(_ source: RecordID, _ collection: String, in space: SpaceID) -> RecordID {
        .derived(space: space, collection: collection, source: source.bytes)
    }

    /// A tag or category that is made by name: two people who add the same name get one record.
    static func named(_ name: String, _ collection: String, in space: SpaceID) -> RecordID {
        .derived(
            space: space, collection: collection, source: Array("name:\(Lookup.fold(name))".utf8))
    }

    /// The same, or of the ids that follow from the name the first one that is not taken.
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
