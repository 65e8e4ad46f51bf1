package import LocalAPI
internal import Store
package import SyncCore

/// Deleting and restoring spaces: an ordinary deletion of the record with the name. All devices stop
/// listing the space, but keep its content.
extension SpaceService {
    /// Returns the space as it was.
    package func delete(_ typed: String) async throws -> TripView {
        let space = try directory.readable(typed, among: .shared, as: .trip)
        guard let known = space.known else { throw APIError.unknown(.trip, space.name) }
        let before = try views.view(known, directory.shortIDs())
        let title = try title(of: space)
        try await records.delete(title.entry, in: title.place, title.reader, .delete)
        return before
    }

    /// Undoes a deletion, for everybody; nothing was lost.
    package func restore(_ typed: String, as kind: NamedThing = .trip) async throws -> TripView {
        let space = try directory.readable(typed, among: .deleted, as: kind)
        let title = try title(of: space)
        try await records.restore(title.entry, in: title.place, title.reader, .restore)
        return try views.view(of: space.id, called: space.name)
    }

    /// Deleted spaces, with the writes that their deletions had not seen.
    package func deleted() throws -> [TripView] { try views.list(directory.list(.deleted)) }

    /// Deleted spaces to tell this person of: with the number of devices whose work the deletion had not
    /// seen, or deleted by somebody else since this person last looked at the changes.
    package func deletedToTell() throws -> [(space: SpaceID, unseen: Int)] {
        let deleted = try directory.list(.deleted)
        guard !deleted.isEmpty else { return [] }
        let marks = try ReadMarkers(of: replica)
        return try deleted.compactMap { known in
            guard let deletion = known.deletion else { return nil }
            let authors = Set(
                try UnseenChanges(replica).commits(in: known).map(\.commit.header.log.device))
            let place = try replica.store.log.arrival(of: deletion.last.id.commit)?.place ?? 0
            let isNews = !deletion.isMine && place > marks.place(in: known.space)
            return isNews || !authors.isEmpty ? (known.space, authors.count) : nil
        }
    }

    private var records: RecordService { RecordService(replica) }

    /// The record with a space's name and its deletion.
    private func title(
        of space: ReadableSpace
    ) throws -> (entry: ShownEntry, place: RecordService.Place, reader: RecordReader) {
        let key = try replica.requireSchema(of: space.id).titleRecord(in: space.id)
        let place = try records.place(space, key.collection)
        let reader = records.reader(place)
        guard let entry = try reader.entry(key) else {
            throw SpaceErrors.notFetchedYet(space: space.name)
        }
        return (entry, place, reader)
    }
}
