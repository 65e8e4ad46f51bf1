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

    package func exportMedia(_ media: String, _ target: ExportTarget) async throws -> ExportedFile {
        let places = try readers(in: nil).flatMap { trip in
            [Collection.media, Collection.track].map { RecordFinder.Place(trip.reader, $0) }
        }
        // The same file of one memory is one, whoever added it again.
        var seen: Set<[UInt8]> = []
        let found = try RecordFinder(in: places).matches(media).filter { match in
            let record = match.entry.record
            let owner = record.value(Field.memory)?.reference?.bytes ?? []
            return seen.insert(owner + (record.value(Field.original)?.blob?.bytes ?? [])).inserted
        }
        let match = try Lookup.single(
            media, .media, found, by: \.lookupEntry,
            orElse: APIError.unknown(.media, ShownText.line(media)))
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
