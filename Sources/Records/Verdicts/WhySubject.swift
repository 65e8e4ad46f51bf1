internal import LocalAPI
internal import Store
internal import SyncCore

/// A record or file in question.
struct WhySubject {
    /// A space with its records.
    struct Place {
        let space: ReadableSpace
        let reader: RecordReader
        /// Why its records cannot be shown; nil when they can.
        let obstacle: SchemaCache.Obstacle?
    }

    enum Thing {
        case record(RecordKey, ShownEntry)
        /// A blob by its own id.
        case file(BlobID)
    }

    let place: Place
    let thing: Thing
    let name: String

    var id: String {
        switch thing {
        case .record(let key, _): key.record.description
        case .file(let blob): blob.description
        }
    }

    var isDeleted: Bool {
        if case .record(_, let entry) = thing { entry.state.isDeleted } else { false }
    }
}

/// Finds the meant things in all spaces: shown records first, then files by their ids, then deleted
/// records.
struct WhySubjects {
    let replica: any Replica

    func find(_ typed: String, _ scope: WhyScope) throws -> [WhySubject] {
        let places = try SpaceDirectory(replica).readable(named: scope.space, as: .space)
            .map { try place($0) }
        // A file may be named in several spaces, with a different status in each.
        let files = try places.flatMap { try self.files(in: $0, typed) }
        for isDeleted in [false, true] {
            let records = try records(in: places, typed, isDeleted: isDeleted)
            let found = try unambiguous(typed, records + (isDeleted ? [] : files))
            if !found.isEmpty { return found }
        }
        try requireNotDeleted(typed)
        for place in places { try requireCounting(typed, in: place) }
        throw APIError.unknown(.thing, ShownText.line(typed))
    }

    /// Throws, with the person who deleted it, when a deleted space or something in one is meant.
    private func requireNotDeleted(_ typed: String) throws {
        let deleted = try SpaceDirectory(replica).readable(.withDeleted).filter {
            $0.known?.deletion != nil
        }
        let named = Lookup.matches(typed, among: deleted.compactMap(\.known?.entry)).first
        let places = try deleted.map { try place($0) }
        let holder = try records(in: places, typed, isDeleted: false).first?.place.space
        try (named.map { deleted[$0] } ?? holder)?.known?.requireContents(in: replica)
    }

    /// Throws, with the command that lists them, when only changes that do not count have the record that is meant.
    private func requireCounting(_ typed: String, in place: WhySubject.Place) throws {
        let entries = try replica.orphans.names(in: place.space.id, under: place.reader.schema)
            .sorted { $0.key < $1.key }
            .map { Lookup.Entry(id: $0.key.record.description, name: $0.value) }
        guard let first = Lookup.matches(typed, among: entries).first else { return }
        let known = entries[first].name
        let name = known.isEmpty ? ShownText.line(typed) : known
        let space = place.space.name
        throw APIError(
            code: .notFound,
            sentence: """
                \(Sentence.name(name)) is not in \(Sentence.name(space)): only changes that do not count have it.
                """,
            hint: "See why, and what helps: peersync orphans \(Sentence.quoted(space))")
    }

    private func place(_ space: ReadableSpace) throws -> WhySubject.Place {
        var obstacle: SchemaCache.Obstacle?
        if let pin = replica.store.ledger(of: space.id)?.schema {
            do throws(SchemaCache.Obstacle) {
                let schema = try replica.schemas.schema(pin)
                return WhySubject.Place(
                    space: space, reader: RecordReader(replica, space.id, schema), obstacle: nil)
            } catch {
                obstacle = error
            }
        }
        // Without the schema, only the ids of its records are shown.
        let names = try replica.store.records.counts(of: space.id).keys.sorted()
        let schema = Schema(
            id: replica.schemas.builtInSchema.id, name: "", version: 0,
            collections: names.map { CollectionSchema(name: $0, fields: []) })
        return WhySubject.Place(
            space: space, reader: RecordReader(replica, space.id, schema),
            obstacle: obstacle ?? .absent)
    }

    private func records(
        in places: [WhySubject.Place], _ typed: String, isDeleted: Bool
    ) throws -> [WhySubject] {
        let all = places.flatMap { place in
            place.reader.schema.ownCollections.map {
                (place, RecordFinder.Place(place.reader, $0.name))
            }
        }
        let bySpace = Dictionary(places.map { ($0.space.id, $0) }) { first, _ in first }
        return try RecordFinder(in: all.map(\.1)) { ($0 == .deleted) == isDeleted }
            .matches(typed).compactMap { match in
                bySpace[match.place.reader.space].map { place in
                    WhySubject(
                        place: place, thing: .record(match.key, match.entry), name: match.name)
                }
            }
    }

    /// Files whose ids begin as typed.
    private func files(in place: WhySubject.Place, _ typed: String) throws -> [WhySubject] {
        let beginning = typed.lowercased()
        guard beginning.utf8.count >= Lookup.leastIDCharacters else { return [] }
        return try replica.store.files.named(of: place.space.id, beginning: beginning)
            .map { WhySubject(place: place, thing: .file($0.blob), name: "") }
    }

    /// All of them when they are one thing, possibly in several spaces.
    private func unambiguous(_ typed: String, _ found: [WhySubject]) throws -> [WhySubject] {
        guard Set(found.map { WhySubjects.shownAs($0) }).count > 1 else { return found }
        let short = ShortIDs(found.map(\.id))
        throw APIError.ambiguous(
            .thing, ShownText.line(typed),
            candidates: found.prefix(Limits.candidatesShown).map { subject in
                Reference(
                    id: subject.id, shortID: short[subject.id], name: WhySubjects.label(subject))
            })
    }

    /// Equal for things that lists show once, such as a file that several people added to the same record.
    private static func shownAs(_ subject: WhySubject) -> String {
        guard case .record(let key, let entry) = subject.thing,
            let collection = subject.place.reader.schema.collection(key.collection),
            let owner = subject.place.reader.owner(of: entry, key.collection)
        else { return subject.id }
        let blobs = collection.fields.filter(\.type.isFile)
            .compactMap { entry.record.value($0.name)?.blob }
        guard !blobs.isEmpty else { return subject.id }
        return ([owner.record.description] + blobs.map(\.description)).joined(separator: " ")
    }

    /// `Milk (product, Home)`: tells it apart from others of the same name.
    private static func label(_ subject: WhySubject) -> String {
        let collection: String? =
            if case .record(let key, _) = subject.thing {
                Sentence.Changes.noun(key.collection)
            } else { nil }
        let place = [collection, subject.place.space.name].compactMap(\.self)
            .joined(separator: ", ")
        return "\(subject.name) (\(ShownText.line(place)))"
    }
}
