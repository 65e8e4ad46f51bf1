internal import Records
internal import SyncCore

/// Ids of records that every device must find, or make, under the same id.
enum JournalID {
    typealias Collection = JournalSchema.Collection

    /// The id of a photo or track by what is written to it; nil for every other record.
    static func derived(
        _ record: RecordOperation, _ replica: any Replica, in space: SpaceID
    ) -> RecordID? {
        func value(_ field: String) -> Value? {
            record.writes.last { $0.field == field && $0.element == nil }?.value
        }
        guard let memory = value(JournalSchema.Field.memory)?.reference else { return nil }
        let ids = AttachmentIDs(replica, in: space, memory: memory)
        return switch record.collection {
        case Collection.track: ids.track
        case Collection.media: value(JournalSchema.Field.original)?.blob.map { ids.media($0) }
        default: nil
        }
    }

    /// The copy in a trip of a record of the person's own space.
    static func copy(_ source: RecordID, _ collection: String, in space: SpaceID) -> RecordID {
        .derived(space: space, collection: collection, source: source.bytes)
    }

    /// A tag or category that is made by name: two people who add the same name get one record.
    static func named(_ name: String, _ collection: String, in space: SpaceID) -> RecordID {
        .derived(
            space: space, collection: collection, source: Array("name:\(Lookup.fold(name))".utf8))
    }
}

/// Ids of the files of one memory.
struct AttachmentIDs {
    private let adder: PersonID
    /// Who made the memory; nil when its id does not say so.
    private let maker: PersonID?
    private let space: SpaceID
    private let memory: RecordID

    init(_ replica: any Replica, in space: SpaceID, memory: RecordID) {
        adder = replica.local.person
        maker = replica.membership(of: space)?.people.first { memory.isMade(by: $0, in: space) }
        (self.space, self.memory) = (space, memory)
    }

    /// Of a photo, with the mark of who adds it: added twice, on two devices even, it is one record, and
    /// of two people they are two of which one is shown.
    func media(_ blob: BlobID) -> RecordID {
        let id = RecordID.derived(
            space: space, collection: JournalSchema.Collection.media,
            source: memory.bytes + blob.bytes)
        return .made(by: adder, in: space, from: id.bytes)
    }

    /// Of the one track, with the mark of the memory.
    var track: RecordID {
        let id = RecordID.derived(
            space: space, collection: JournalSchema.Collection.track, source: memory.bytes)
        return maker.map { .made(by: $0, in: space, from: id.bytes) } ?? id
    }
}
