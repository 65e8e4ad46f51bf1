package import LocalAPI
internal import Store
internal import SyncCore

/// Searches records of every kind for words, in all spaces that this device can read.
package struct SearchService: Sendable {
    private let replica: any Replica
    private var directory: SpaceDirectory { SpaceDirectory(replica) }

    package init(_ replica: any Replica) { self.replica = replica }

    /// Has the index of words get what found no room before, if there is some now. Not within a snapshot.
    package func prepare() async throws {
        try await replica.store.offloaded { try $0.records.indexAsRoomAllows() }
    }

    /// Best matches first. Leaves out records that are hidden, or do not meet the conditions.
    package func search(_ query: SearchQuery) throws -> SearchReport {
        let words = SearchTerms(query.words)
        guard !words.isEmpty else {
            throw APIError(
                code: .badInput, sentence: "There is no word to search for.",
                hint: "Give the beginning of a word: peersync search duomo")
        }
        if let near = query.near { try InputCheck.near(near) }
        let limit = query.limit ?? Limits.hitsShown
        guard 1...Limits.hitsAtMost ~= limit else {
            throw RecordErrors.badLimit(Limits.hitsAtMost)
        }
        let places = try places(query)
        guard try !replica.store.records.lacksWords(of: places.keys) else {
            throw APIError(
                code: .failed,
                sentence:
                    "Search is not ready: the disk is full, so the index of words could not be made.",
                hint: "Make room on the disk, and search again a little later.")
        }
        var found = try unfinished(query, in: places)
        var skipped = 0
        // One more than is shown says whether there are more; most often all that are found are wanted.
        var count = limit + 1
        while found.count <= limit {
            let page = try replica.store.records.search(
                query.words, spellings: LetterFolding.spellings, in: Array(places.keys),
                collection: query.kind,
                skipping: skipped, limit: count)
            for hit in page {
                guard let place = places[hit.space],
                    let entry = try place.reader.shown(hit.key.collection, hit.key.record),
                    place.reader.holds(words, entry, of: hit.key.collection),
                    isWanted(entry, of: hit.key.collection, in: place, query)
                else { continue }
                found.append((place, hit.key.collection, entry))
            }
            skipped += page.count
            guard page.count == count else { break }
            count = Limits.hitsReadAtOnce
        }
        let short = try ShortIDs(
            of: found.prefix(limit).map {
                RecordKey(collection: $0.collection, record: $0.entry.id)
            }, on: replica)
        return SearchReport(
            hits: found.prefix(limit).map { place, collection, entry in
                hit(entry, of: collection, in: place, words, short)
            }, more: found.count > limit)
    }

    private typealias Found = (place: Place, collection: String, entry: ShownEntry)

    /// Unfinished records are in no index.
    private func unfinished(
        _ query: SearchQuery, in places: [SpaceID: Place]
    ) throws -> [Found] {
        try places.sorted { $0.key < $1.key }.flatMap { _, place in
            try place.reader.unfinished(holding: query.words).sorted { $0.key < $1.key }
                .filter { query.kind == nil || query.kind == $0.key }
                .flatMap { collection, entries in
                    entries.filter { isWanted($0, of: collection, in: place, query) }
                        .map { (place, collection, $0) }
                }
        }
    }

    // MARK: Places

    private struct Place {
        let space: ReadableSpace
        let reader: RecordReader
        /// Records with the wanted tag; nil when none is wanted.
        let tags: Set<RecordID>?
    }

    private func places(_ query: SearchQuery) throws -> [SpaceID: Place] {
        var places: [SpaceID: Place] = [:]
        var (kinds, tagNames, isTagKnown): (Set<String>, [String], Bool) = ([], [], false)
        for space in try directory.readable(named: query.space, as: .space) {
            guard let schema = replica.schema(of: space.id) else { continue }
            kinds.formUnion(schema.ownCollections.map(\.name))
            let reader = RecordReader(replica, space.id, schema)
            let tags = try query.tag.map { tag in
                let known = try self.tags(in: reader)
                tagNames += known.map(\.name)
                let entries = known.map { Lookup.Entry(id: $0.id.description, name: $0.name) }
                return Set(Lookup.allMatches(tag, among: entries).map { known[$0].id })
            }
            isTagKnown = isTagKnown || tags?.isEmpty == false
            places[space.id] = Place(space: space, reader: reader, tags: tags)
        }
        if let kind = query.kind, !kinds.contains(kind) {
            let known = kinds.sorted()
            throw APIError(
                code: .notFound,
                sentence:
                    "There are no records of the kind \(Sentence.name(ShownText.line(kind))).",
                hint: APIError.didYouMean(ShownText.line(kind), among: known)
                    ?? "Known here: \(known.joined(separator: ", "))")
        }
        if let tag = query.tag, !isTagKnown {
            throw APIError.unknown(
                .tag, ShownText.line(tag), similar: SimilarNames.of(tag, among: tagNames))
        }
        return places
    }

    private func tags(in reader: RecordReader) throws -> [(id: RecordID, name: String)] {
        guard reader.schema.collection(Self.tagCollection) != nil else { return [] }
        return try reader.shown(in: Self.tagCollection).map {
            ($0.id, reader.title($0.record, in: Self.tagCollection))
        }
    }

    private static let tagCollection = "tag"

    // MARK: Conditions

    private func isWanted(
        _ entry: ShownEntry, of name: String, in place: Place, _ query: SearchQuery
    ) -> Bool {
        guard let collection = place.reader.schema.collection(name) else { return false }
        if let since = query.since {
            let dated = SearchService.date(of: entry, in: collection)
            let at = dated ?? place.reader.lastChange(of: entry.state).at
            guard at.milliseconds >= since.milliseconds else { return false }
        }
        if let near = query.near {
            let field = collection.fields.first { $0.type == .position }
            guard let value = field.flatMap({ entry.record.value($0.name)?.position }),
                let position = Position(value),
                position.distance(latitude: near.latitude, longitude: near.longitude)
                    <= near.radius
            else { return false }
        }
        guard let tags = place.tags else { return true }
        return collection.fields.contains { field in
            let values =
                entry.record.elements(field.name)
                + [entry.record.value(field.name)]
                .compactMap(\.self)
            return values.contains { $0.reference.map(tags.contains) ?? false }
        }
    }

    private static func date(of entry: ShownEntry, in collection: CollectionSchema) -> Moment? {
        let field = collection.fields.first { $0.type == .time }
        return field.flatMap { entry.record.value($0.name)?.time }.flatMap { Moment($0) }
    }

    private func hit(
        _ entry: ShownEntry, of name: String, in place: Place, _ words: SearchTerms,
        _ short: ShortIDs
    ) -> SearchHit {
        let id = entry.id.description
        let last = place.reader.lastChange(of: entry.state)
        let collection = place.reader.schema.collection(name)
        var hit = SearchHit(
            id: id, shortID: short[id], space: place.space.reference, collection: name,
            name: place.reader.title(entry.record, in: name),
            context: collection.map { words.context(in: entry.record, of: $0) } ?? "",
            at: collection.flatMap { SearchService.date(of: entry, in: $0) },
            changed: last.at, author: last.author)
        if place.space.known == nil { hit.own = true }
        return hit
    }
}

extension Limits {
    /// Hits to show by default, and at most.
    static let hitsShown = 20
    static let hitsAtMost = 1_000
    /// Records to read at a time where not all of the first ones are wanted.
    static let hitsReadAtOnce = 200
}
