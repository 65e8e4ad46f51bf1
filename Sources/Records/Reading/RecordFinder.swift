package import LocalAPI
internal import Store
package import SyncCore

/// Finds the records that a person means by a name or the beginning of an id, in one collection or in many,
/// by the rules of ``Lookup``. Reads only records that may be meant.
package struct RecordFinder {
    /// A collection to search.
    package struct Place {
        package let reader: RecordReader
        package let collection: String

        package init(_ reader: RecordReader, _ collection: String) {
            (self.reader, self.collection) = (reader, collection)
        }
    }

    /// A record that may be meant.
    package struct Match {
        package let place: Place
        package let entry: ShownEntry

        package var key: RecordKey {
            RecordKey(collection: place.collection, record: entry.id)
        }
        package var name: String { place.reader.title(entry.record, in: place.collection) }
        package var lookupEntry: Lookup.Entry {
            Lookup.Entry(id: entry.id.description, name: name)
        }
    }

    private let places: [Place]
    private let isWanted: (Presence) -> Bool

    package init(in places: [Place], where isWanted: @escaping (Presence) -> Bool = \.isShown) {
        (self.places, self.isWanted) = (places, isWanted)
    }

    /// The records that fit by the first fitting rule; several when ambiguous.
    package func matches(_ typed: String) throws -> [Match] {
        if let id = RecordID(text: typed) {
            let found = try places.compactMap { place -> Match? in
                let key = RecordKey(collection: place.collection, record: id)
                guard let entry = try place.reader.entry(key),
                    isWanted(try place.reader.presence(key))
                else { return nil }
                return Match(place: place, entry: entry)
            }
            if !found.isEmpty { return found }
        }
        for (hint, limit) in RecordFinder.hints(typed) {
            let found = meant(
                typed,
                among: try candidates {
                    try $0.reader.fitting(hint, in: $0.collection, limit: limit)
                })
            if !found.isEmpty { return found }
        }
        return meant(
            typed,
            among: try candidates {
                try $0.reader.found(typed, in: $0.collection, limit: Limits.namesLookedAt)
            })
    }

    private func meant(_ typed: String, among candidates: [Match]) -> [Match] {
        Lookup.matches(typed, among: candidates.map(\.lookupEntry)).map { candidates[$0] }
    }

    /// Reads the wanted records of each place.
    private func candidates(_ read: (Place) throws -> [ShownEntry]) throws -> [Match] {
        try places.flatMap { place in try read(place).map { Match(place: place, entry: $0) } }
            .filter { isWanted(try $0.place.reader.presence($0.key)) }
    }

    /// Suggestions: names that begin alike, or else the first ones.
    package func similar(to typed: String) throws -> [String] {
        let start = String(typed.prefix(RecordFinder.sureLetters))
        for hint in [StoredRecords.NameHint.nameStart(start), .any] {
            let known = try candidates {
                try $0.reader.fitting(hint, in: $0.collection, limit: Limits.namesLookedAt)
            }
            let similar = SimilarNames.of(typed, among: known.map(\.name))
            if !similar.isEmpty { return similar }
        }
        return []
    }

    /// Letters at the beginning of a name that are almost always typed correctly.
    private static let sureLetters = 1

    /// The record that is meant; throws `notFound` or `ambiguous`, in words for this kind of thing.
    package func one(_ typed: String, _ kind: NamedThing) throws -> Match {
        guard !Lookup.fold(typed).isEmpty else { throw APIError.emptyName }
        let found = try matches(typed)
        let similar = found.isEmpty ? try similar(to: typed) : []
        return try Lookup.single(
            typed, kind, found, by: \.lookupEntry,
            orElse: APIError.unknown(kind, ShownText.line(typed), similar: similar))
    }

    /// The deleted record that is meant. Throws ``APIError``, also when it is not deleted.
    package static func deleted(_ typed: String, in places: [Place]) throws -> Match {
        let found = try RecordFinder(in: places) { $0 == .deleted || $0 == .held }.matches(typed)
        let collection = places.first?.collection ?? ""
        if let match = try single(typed, of: collection, found) { return match }
        let name = ShownText.line(typed)
        let isShown = try !RecordFinder(in: places).matches(typed).isEmpty
        throw isShown
            ? RecordErrors.notDeleted(name)
            : APIError(
                code: .notFound,
                sentence: "There is no deleted \(collection) called \(Sentence.name(name)).",
                hint: "See what was deleted: peersync record list SPACE \(collection) --deleted")
    }

    /// The only record found in a collection; nil for none. Throws `ambiguous`.
    static func single(
        _ typed: String, of collection: String, _ found: [Match]
    ) throws(APIError) -> Match? {
        guard found.count > 1 else { return found.first }
        throw APIError(
            code: .ambiguous,
            sentence: """
                \(Sentence.name(ShownText.line(typed))) could mean several records of \(collection):
                """,
            hint: "Type more of the name, or the first letters of an id.",
            candidates: Array(
                Lookup.candidates(found.map(\.lookupEntry)).prefix(Limits.candidatesShown)))
    }

    /// Hints for the rules of ``Lookup``, in their order; nearly always the first one is enough.
    private static func hints(_ typed: String) -> [(hint: StoredRecords.NameHint, limit: Int)] {
        var hints: [(hint: StoredRecords.NameHint, limit: Int)] = [(.name(typed), .max)]
        let id = Lookup.fold(typed).filter { $0 != "-" }
        if id.utf8.count >= Lookup.leastIDCharacters { hints.append((.idStart(id), .max)) }
        // Names that are shown differently than written come last.
        return hints + [(.nameStart(typed), Limits.namesLookedAt), (.unusual, .max)]
    }
}

extension Limits {
    /// Candidates to list for an ambiguous name.
    package static let candidatesShown = 20
    /// Records to examine whose names begin as typed: more than people can tell apart.
    static let namesLookedAt = 200
}
