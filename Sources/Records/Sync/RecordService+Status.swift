package import LocalAPI
internal import SyncCore

/// The sync status of records.
extension RecordService {
    /// The status of one record, or the number of records of a collection or space by status.
    package func status(ofSpace typed: String, _ scope: StandingScope) throws -> StandingView {
        let space = try directory.readable(typed)
        guard let collection = scope.collection else {
            guard scope.record == nil else {
                throw APIError(
                    code: .badInput, sentence: "A record is named together with its collection.",
                    hint: "For example: peersync record status SPACE COLLECTION RECORD")
            }
            let schema = try replica.requireSchema(of: space.id)
            return StandingView(
                space: space.reference,
                collections: try counts(schema.ownCollections, in: space, schema))
        }
        let place = try place(space, collection)
        guard let record = scope.record else {
            return StandingView(
                space: space.reference,
                collections: try counts([place.collection], in: space, place.schema))
        }
        let reader = reader(place)
        let entry = try findAny(record, in: place, reader)
        let id = entry.id.description
        return StandingView(
            space: space.reference,
            record: StandingView.Record(
                id: id, shortID: ShortIDs.alone(id),
                name: reader.title(entry.record, in: place.collection.name),
                collection: place.collection.name, deleted: entry.state.isDeleted,
                status: try RecordSyncStates(reader, isBulk: false)
                    .status(of: entry, in: place.collection)))
    }

    /// A shown record, or else a deleted or hidden one.
    private func findAny(
        _ typed: String, in place: Place, _ reader: RecordReader
    ) throws -> ShownEntry {
        do {
            return try find(typed, in: place, reader)
        } catch let error as APIError where error.code == .notFound {
            return try find(typed, in: place, reader) { _ in true }
        }
    }

    private func counts(
        _ collections: [CollectionSchema], in space: ReadableSpace, _ schema: Schema
    ) throws -> [StandingView.Collection] {
        let reader = RecordReader(replica, space.id, schema, isBulk: true)
        let states = try RecordSyncStates(reader, isBulk: true)
        return try collections.map { collection in
            var statuses: [String: Int] = [:]
            let unfinished = try reader.unfinished(in: collection.name)
            for entry in try unfinished + reader.all(in: collection.name) {
                let status = try states.status(of: entry, in: collection)
                let isOpen = status == .needsDeletion || status == .conflict
                let isShown = try reader.isShown(entry, in: collection.name)
                guard isShown || isOpen else { continue }
                statuses[status.rawValue, default: 0] += 1
            }
            return StandingView.Collection(name: collection.name, statuses: statuses)
        }
    }
}
