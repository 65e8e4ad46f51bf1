internal import LocalAPI
package import SyncCore

/// Records of any schema.
///
/// Stateless: every call reads what is shown now, and a change is durable when its call returns.
package struct RecordService: Sendable {
    package let replica: any Replica

    package init(_ replica: any Replica) { self.replica = replica }

    package var directory: SpaceDirectory { SpaceDirectory(replica) }

    /// The collection of a space that a person named.
    package struct Place: Sendable {
        package let space: ReadableSpace
        package let schema: Schema
        package let collection: CollectionSchema

        package func key(_ record: RecordID) -> RecordKey {
            RecordKey(collection: collection.name, record: record)
        }
    }

    package func place(_ space: String, _ collection: String) throws -> Place {
        try place(directory.readable(space), collection)
    }

    package func place(_ space: ReadableSpace, _ collection: String) throws -> Place {
        let schema = try replica.requireSchema(of: space.id)
        guard let known = schema.collection(collection) else {
            throw APIError.unknownCollection(
                ShownText.line(collection), among: schema.ownCollections.map(\.name))
        }
        return Place(space: space, schema: schema, collection: known)
    }

    package func reader(_ place: Place, isBulk: Bool = false) -> RecordReader {
        RecordReader(replica, place.space.id, place.schema, isBulk: isBulk)
    }

    /// The record that a person means by its name or the beginning of its id.
    func find(
        _ typed: String, in place: Place, _ reader: RecordReader,
        among isWanted: @escaping (Presence) -> Bool = \.isShown
    ) throws -> ShownEntry {
        try find(typed, in: place.collection.name, reader, among: isWanted)
    }

    func find(
        _ typed: String, in collection: String, _ reader: RecordReader,
        among isWanted: @escaping (Presence) -> Bool = \.isShown
    ) throws -> ShownEntry {
        let finder = RecordFinder(
            in: [RecordFinder.Place(reader, collection)], where: isWanted)
        let found = try finder.matches(typed)
        guard let match = try RecordFinder.single(typed, of: collection, found) else {
            throw RecordErrors.unknownRecord(
                collection, ShownText.line(typed), similar: try finder.similar(to: typed))
        }
        return match.entry
    }
}
