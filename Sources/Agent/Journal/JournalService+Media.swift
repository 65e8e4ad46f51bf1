import LocalAPI
import SyncCore

/// Photos, tracks and other files.
extension JournalService {
    /// Files of memories that are shown, in the order of the memories' ids.
    func media(_ filter: MediaFilter) async throws -> [MediaView] {
        let trips = try searched(filter.trip)
        if let memory = filter.memory {
            let found = try findMemory(memory, in: trips)
            return try files(of: [found.memory], in: found.trip)
        }
        return try trips.flatMap { try files(of: memories(in: $0), in: $0) }
    }

    func exportMedia(_ media: String, _ target: ExportTarget) async throws -> ExportedFile {
        guard target.path.hasPrefix("/") else {
            throw APIError.relativePath(ShownText.line(target.path))
        }
        let all = try trips.readableTrips().flatMap { trip in
            let contents = try TripContents(trip, of: self, short: ShortIDs([]))
            return try memories(in: trip).flatMap { contents.files(of: $0.id) }
        }
        let file = try Lookup.find(media, .media, among: all) {
            Lookup.Entry(id: $0.id.description, name: $0.record.line(Field.fileName))
        }
        let name = file.record.line(Field.fileName)
        guard let blob = file.record.value(Field.original)?.blob else {
            throw APIError.originalNotHere(name)
        }
        do {
            let written = try await replica.media.export(
                blob, suggestedName: file.record.value(Field.fileName)?.text ?? "",
                to: target.path)
            return ExportedFile(
                path: written.path, bytes: Int64(clamping: written.bytes),
                sha256: hexadecimal(written.sha256.bytes))
        } catch MediaLibrary.Failure.notHere {
            throw APIError.originalNotHere(name)
        } catch let failure as MediaLibrary.Failure {
            throw APIError(failure)
        }
    }

    private func memories(in trip: KnownTrip) throws -> [ShownEntry] {
        try replica.shown(trip.space, Collection.memory)
    }

    private func files(of memories: [ShownEntry], in trip: KnownTrip) throws -> [MediaView] {
        let views = try views(of: trip)
        return try memories.flatMap { memory in
            let reference = views.reference(memory)
            let media = try views.contents.media(of: memory.id).map {
                try views.view(media: $0, of: reference)
            }
            let track = try views.contents.track(of: memory.id).map {
                try views.view(trackAsMedia: $0, of: reference)
            }
            return media + [track].compactMap(\.self)
        }
    }
}
