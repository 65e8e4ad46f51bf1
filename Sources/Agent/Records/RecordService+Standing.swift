import LocalAPI
import SyncCore

/// Where records stand.
extension RecordService {
    /// Of one record, or how many records of a collection or space have which status.
    func standing(ofSpace typed: String, _ scope: StandingScope) throws -> StandingView {
        guard let collection = scope.collection else {
            guard scope.record == nil else { throw APIError.recordWithoutCollection }
            let (space, reference, trip) = try space(typed)
            let schema = try replica.requireSchema(of: space)
            let counts = try counts(schema.ownCollections, space, schema, trip)
            return StandingView(space: reference, collections: counts)
        }
        let place = try place(typed, collection)
        guard let record = scope.record else {
            return StandingView(
                space: place.reference,
                collections: try counts(
                    [place.collection], place.space, place.schema, place.trip))
        }
        let reader = reader(place)
        let entry = try findAny(record, in: place, reader)
        let standings = try Standings(
            self, place.space, place.schema, place.trip, memory: entry.id)
        let standing = try standings.standing(of: entry, in: place.collection)
        let id = entry.id.description
        return StandingView(
            space: place.reference,
            record: StandingView.Record(
                id: id, shortID: String(id.prefix(8)),
                name: reader.title(entry.record, in: place.collection.name),
                collection: place.collection.name, deleted: entry.state.isDeleted,
                status: standings.readers.status(of: standing)))
    }

    /// One that is shown, or else a deleted or hidden one.
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
        _ collections: [CollectionSchema], _ space: SpaceID, _ schema: Schema, _ trip: KnownTrip?
    ) throws -> [StandingView.Collection] {
        let reader = RecordReader(replica, space, schema, isBulk: true)
        let standings = try Standings(self, space, schema, trip)
        return try collections.map { collection in
            var statuses: [String: Int] = [:]
            for entry in try reader.all(in: collection.name) {
                let standing = try standings.standing(of: entry, in: collection)
                let status = standings.readers.status(of: standing)
                let isOpen = status == .needsDeletion || status == .conflict
                guard !entry.state.isDeleted || isOpen else { continue }
                statuses[status.rawValue, default: 0] += 1
            }
            return StandingView.Collection(name: collection.name, statuses: statuses)
        }
    }
}

/// Standings of any record of a space: those of memories take in their photos and track.
struct Standings {
    let plain: RecordStandings
    private let contents: TripContents?

    var readers: ReaderStandings { plain.readers }

    /// With `memory`, only that one's files are read.
    init(
        _ service: RecordService, _ space: SpaceID, _ schema: Schema, _ trip: KnownTrip?,
        memory: RecordID? = nil
    ) throws {
        plain = try RecordStandings(service.replica, space, schema, hasFiles: schema.hasFiles)
        contents = try trip.flatMap { trip in
            guard trip.isTrip else { return nil }
            return try TripContents(
                trip, of: service.journal, short: ShortIDs([]), memory: memory)
        }
    }

    /// Photos and track of a memory.
    func parts(of entry: ShownEntry, in collection: CollectionSchema) -> [ShownEntry] {
        guard let contents, collection.name == JournalSchema.Collection.memory else { return [] }
        return contents.files(of: entry.id)
    }

    func standing(
        of entry: ShownEntry, in collection: CollectionSchema
    ) throws -> RecordStanding {
        guard let contents else { return plain.standing(of: entry, in: collection) }
        switch collection.name {
        case JournalSchema.Collection.memory: return try contents.standing(of: entry)
        case JournalSchema.Collection.media, JournalSchema.Collection.track:
            return try contents.standing(ofFile: entry)
        default: return plain.standing(of: entry, in: collection)
        }
    }
}
