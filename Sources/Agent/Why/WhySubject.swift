import LocalAPI
import Store
import SyncCore

/// A record or file that somebody may ask about.
struct WhySubject {
    /// A space with its records.
    struct Place {
        let space: SpaceID
        let reference: Reference
        let trip: KnownTrip?
        /// Why its records cannot be shown.
        let schema: Result<Schema, SchemaCache.Obstacle>
    }

    enum Thing {
        case record(collection: String, entry: ShownEntry)
        /// A blob by its own id.
        case file(BlobID)
    }

    let place: Place
    let thing: Thing
    let name: String

    var id: String {
        switch thing {
        case .record(_, let entry): entry.id.description
        case .file(let blob): blob.description
        }
    }

    var isDeleted: Bool {
        if case .record(_, let entry) = thing { entry.state.isDeleted } else { false }
    }
}

/// Finds what a person means, in every space: shown records first, then files by their ids, then
/// deleted records.
struct WhySubjects {
    let service: RecordService

    private var replica: AgentNode { service.replica }

    func find(_ typed: String, _ scope: WhyScope) throws -> [WhySubject] {
        let places = try places(scope.space)
        let all = try places.flatMap { try records(in: $0) }
        let shown = all.filter { !$0.isDeleted }
        // The same file may be named in several spaces, and stands differently in each.
        let files = try places.flatMap { try self.files(in: $0, typed) }
        for candidates in [shown + files, all.filter(\.isDeleted)] {
            let found = try choose(typed, among: candidates)
            if !found.isEmpty { return found }
        }
        throw APIError.unknown(.thing, ShownText.line(typed))
    }

    private func choose(_ typed: String, among candidates: [WhySubject]) throws -> [WhySubject] {
        let entries = candidates.map { Lookup.Entry(id: $0.id, name: $0.name) }
        let found = Lookup.matches(typed, among: entries).map { candidates[$0] }
        guard Set(found.map(\.id)).count > 1 else { return found }
        let short = ShortIDs(found.map(\.id))
        throw APIError.ambiguous(
            .thing, ShownText.line(typed),
            candidates: found.prefix(Limits.candidatesShown).map { subject in
                APIError.Candidate(
                    id: subject.id, shortID: short[subject.id], name: WhySubjects.label(subject))
            })
    }

    /// `Milk (product, Home)`: what tells it from others of the name.
    private static func label(_ subject: WhySubject) -> String {
        let collection: String? =
            if case .record(let collection, _) = subject.thing { collection } else { nil }
        let place = [collection, subject.place.reference.name].compactMap(\.self)
            .joined(separator: ", ")
        return "\(subject.name) (\(ShownText.line(place)))"
    }

    private func places(_ typed: String?) throws -> [WhySubject.Place] {
        if let typed {
            let (space, reference, trip) = try service.space(typed)
            return [place(space, reference, trip)]
        }
        let short = try service.journal.trips.shortIDs()
        let trips = service.journal.trips
        return try trips.readablePlaces().map { space, trip in
            let id = space.description
            let own = Reference(id: id, shortID: short[id], name: "home")
            return place(space, trip.map { trips.reference($0, short) } ?? own, trip)
        }
    }

    private func place(
        _ space: SpaceID, _ reference: Reference, _ trip: KnownTrip?
    ) -> WhySubject.Place {
        guard let pin = replica.store.ledger(of: space)?.schema else {
            return WhySubject.Place(
                space: space, reference: reference, trip: trip, schema: .failure(.absent))
        }
        let schema: Result<Schema, SchemaCache.Obstacle>
        do throws(SchemaCache.Obstacle) {
            schema = .success(try replica.schemas.schema(pin))
        } catch {
            schema = .failure(error)
        }
        return WhySubject.Place(space: space, reference: reference, trip: trip, schema: schema)
    }

    private func records(in place: WhySubject.Place) throws -> [WhySubject] {
        guard case .success(let schema) = place.schema else { return try unread(in: place) }
        let reader = RecordReader(replica, place.space, schema)
        return try schema.ownCollections.flatMap { collection in
            try reader.all(in: collection.name).map { entry in
                WhySubject(
                    place: place, thing: .record(collection: collection.name, entry: entry),
                    name: reader.title(entry.record, in: collection.name))
            }
        }
    }

    /// Records of a space whose schema cannot be followed: they have ids, and nothing else is shown.
    private func unread(in place: WhySubject.Place) throws -> [WhySubject] {
        let names = try replica.store.recordCounts(of: place.space).keys.sorted()
        // One that knows their names and no fields.
        let schema = Schema(
            id: replica.schemas.journal.id, name: "", version: 0,
            collections: names.map { CollectionSchema(name: $0, fields: []) })
        let reader = RecordReader(replica, place.space, schema)
        return try schema.ownCollections.flatMap { collection in
            try reader.all(in: collection.name).map { entry in
                let name = ShownText.line(collection.name)
                return WhySubject(
                    place: place, thing: .record(collection: name, entry: entry), name: "")
            }
        }
    }

    /// Files whose ids begin as typed.
    private func files(in place: WhySubject.Place, _ typed: String) throws -> [WhySubject] {
        let beginning = typed.lowercased()
        guard beginning.utf8.count >= Lookup.leastIDCharacters else { return [] }
        return try replica.store.namedBlobs(of: place.space)
            .filter { $0.blob.description.hasPrefix(beginning) }
            .map { WhySubject(place: place, thing: .file($0.blob), name: "") }
    }
}
