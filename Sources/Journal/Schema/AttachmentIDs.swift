internal import SyncCore

/// Ids of the files of one memory, equal on every device.
struct AttachmentIDs {
    private typealias Collection = JournalSchema.Collection

    private let adder: PersonID
    /// The person who made the memory; nil when its id does not tell.
    private let maker: PersonID?
    private let space: SpaceID
    private let memory: RecordID

    init(
        of memory: RecordID, in space: SpaceID, addedBy adder: PersonID, _ membership: Membership?
    ) {
        maker = membership?.people.first { memory.isMade(by: $0, in: space) }
        (self.adder, self.space, self.memory) = (adder, space, memory)
    }

    /// The id of a photo or track, from what is written to it; nil for every other record.
    static func id(
        of record: RecordOperation, in space: SpaceID, addedBy adder: PersonID,
        _ membership: Membership?
    ) -> RecordID? {
        func value(_ field: String) -> Value? {
            record.writes.last { $0.field == field && $0.element == nil }?.value
        }
        guard let memory = value(JournalSchema.Field.memory)?.reference else { return nil }
        let ids = AttachmentIDs(of: memory, in: space, addedBy: adder, membership)
        return switch record.collection {
        case Collection.track: ids.track
        case Collection.media: value(JournalSchema.Field.original)?.blob.map { ids.media($0) }
        default: nil
        }
    }

    /// The id of a photo, marked with the person who adds it: added twice, even on two devices, it is one
    /// record; added by two people it is two records, of which one is shown.
    func media(_ blob: BlobID) -> RecordID { marked(Collection.media, memory.bytes + blob.bytes) }

    /// The id of the only track, with the memory's mark.
    var track: RecordID { marked(Collection.track, memory.bytes) }

    /// The id to use when another memory has a photo or track of this id.
    func next(after id: RecordID, in collection: String) -> RecordID {
        marked(collection, id.bytes)
    }

    private func marked(_ collection: String, _ source: [UInt8]) -> RecordID {
        let id = RecordID.derived(space: space, collection: collection, source: source)
        let person = collection == Collection.media ? adder : maker
        return person.map { .made(by: $0, in: space, from: id.bytes) } ?? id
    }
}
