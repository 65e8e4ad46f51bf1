package import LocalAPI
internal import Records
internal import SyncCore

/// Photos, tracks and other files.
extension JournalService {
    /// Files of memories that are shown, in the order of the memories' ids.
    package func media(_ filter: MediaFilter) throws -> [MediaView] {
        if let typed = filter.memory {
            let found = try findMemory(typed, in: filter.trip)
            return try views(of: found).files(of: found.entry)
        }
        return try trips(filter.trip).flatMap { trip -> [MediaView] in
            let memories = try shown(trip.id, Collection.memory)
            let views = MemoryViews(try MemoryContents(trip, records, memories: memories))
            return try memories.flatMap { try views.files(of: $0) }
        }
    }

    /// The photo or other file that a person means, and its trip.
    private func findFile(
        _ typed: String, in collections: [String]
    ) throws -> (match: RecordFinder.Match, trip: ReadableSpace) {
        let readers = try readers(in: nil)
        let places = readers.flatMap { trip in
            collections.map { RecordFinder.Place(trip.reader, $0) }
        }
        // A file that was added to a memory twice counts as one.
        var seen: Set<[UInt8]> = []
        let finder = RecordFinder(in: places)
        let found = try finder.matches(typed).filter { match in
            let record = match.entry.record
            let owner = record.value(Field.memory)?.reference?.bytes ?? []
            return seen.insert(owner + (record.value(Field.original)?.blob?.bytes ?? [])).inserted
        }
        let unknown = APIError.unknown(
            .media, ShownText.line(typed),
            similar: found.isEmpty ? try finder.similar(to: typed) : [])
        let match = try Lookup.single(
            typed, .media, found, by: \.lookupEntry, orElse: unknown)
        guard let trip = readers.first(where: { $0.reader === match.place.reader })?.trip else {
            throw unknown
        }
        return (match, trip)
    }

    /// Changes the caption of a photo, or its place among the photos of its memory.
    package func editMedia(_ media: String, _ changes: MediaChanges) async throws -> MediaView {
        guard changes != MediaChanges() else { throw APIError.nothingToChange }
        let (match, trip) = try findFile(media, in: [Collection.media])
        let place = try records.place(trip, Collection.media)
        var wanted = RecordChanges(space: trip.reference.id, collection: Collection.media)
        if let caption = changes.caption {
            guard place.collection.field(Field.caption) != nil else {
                throw APIError(
                    code: .conflict,
                    sentence: "Photos of \(Sentence.name(trip.name)) have no captions yet.",
                    hint:
                        "An admin adds them for everybody: peersync trip upgrade \(Sentence.quoted(trip.name))"
                )
            }
            wanted.fields[Field.caption] = caption.isEmpty ? .null : .text(caption)
        }
        let memory = match.entry.record.value(Field.memory)?.reference
        guard let memory, let owner = try match.place.reader.shown(Collection.memory, memory) else {
            throw APIError.unknown(.media, match.name)
        }
        if let place = changes.place {
            let found = FoundMemory(entry: owner, trip: trip, reader: match.place.reader)
            let photos = try views(of: found).contents.media(of: memory)
            wanted.place = try beside(place, among: photos, of: match.entry.id)
        }
        if !wanted.fields.isEmpty || wanted.place != nil {
            _ = try await records.changeRecord(match.entry.id.description, wanted)
        }
        let now = try findMemory(memory.description, in: trip.reference.id)
        let id = match.entry.id.description
        guard let view = try views(of: now).files(of: now.entry).first(where: { $0.id == id })
        else { throw APIError.unknown(.media, match.name) }
        return view
    }

    /// A place among the photos of a memory, as a place among all photos of the trip; nil when the photo
    /// has it already.
    private func beside(
        _ place: RecordPlace, among photos: [ShownEntry], of photo: RecordID
    ) throws -> RecordPlace? {
        func id(_ typed: String) throws -> String {
            let found = try Lookup.find(typed, .media, among: photos) {
                Lookup.Entry(id: $0.id.description, name: $0.record.line(Field.fileName))
            }
            guard found.id != photo else { throw APIError.besideItself }
            return found.id.description
        }
        guard
            [place.before != nil, place.after != nil, place.first == true].count(where: \.self) == 1
        else {
            throw APIError(
                code: .badInput, sentence: "Say one place: --first, --before or --after.",
                hint: "For example: peersync media edit tower.jpg --first")
        }
        if let before = place.before { return RecordPlace(before: try id(before)) }
        if let after = place.after { return RecordPlace(after: try id(after)) }
        guard let first = photos.first, first.id != photo else { return nil }
        return RecordPlace(before: first.id.description)
    }

    package func exportMedia(_ media: String, _ target: ExportTarget) async throws -> ExportedFile {
        let match = try findFile(media, in: [Collection.media, Collection.track]).match
        let file = match.entry.record
        let name = file.line(Field.fileName)
        guard let blob = file.value(Field.original)?.blob else {
            throw APIError.originalNotHere(name)
        }
        return try await replica.export(
            blob, called: name, of: match.place.reader.space,
            suggestedName: file.value(Field.fileName)?.text ?? "",
            to: target.path)
    }
}
