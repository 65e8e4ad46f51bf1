package import LocalAPI
internal import Store
package import SyncCore

/// Deleting and restoring spaces: an ordinary deletion of the record with the name. All devices stop
/// listing the space, but keep its content.
extension SpaceService {
    /// Returns the space as it was.
    package func delete(_ typed: String) async throws -> TripView {
        let space = try directory.shared(typed)
        guard let known = space.known else { throw APIError.unknown(.trip, space.name) }
        let before = try view(known, directory.shortIDs())
        let title = try title(of: space)
        try await records.delete(title.entry, in: title.place, title.reader, .delete)
        return before
    }

    /// Undoes a deletion, for everybody; nothing was lost.
    package func restore(_ typed: String, as kind: NamedThing = .trip) async throws -> TripView {
        let space = try directory.findDeleted(typed, as: kind)
        let title = try title(of: space)
        try await records.restore(title.entry, in: title.place, title.reader, .restore)
        return try view(of: space.id, called: space.name)
    }

    /// Deleted spaces, with the writes that their deletions had not seen.
    package func deleted() throws -> [TripView] { try views(of: directory.deleted()) }

    /// Deleted spaces to tell this person of: with the number of devices whose work the deletion had not
    /// seen, or deleted by somebody else since this person last looked at the changes.
    package func deletedToTell() throws -> [(space: SpaceID, unseen: Int)] {
        let deleted = try directory.deleted()
        guard !deleted.isEmpty else { return [] }
        let marks = try ReadMarkers(of: replica)
        return try deleted.compactMap { known in
            guard let deletion = known.deletion else { return nil }
            let authors = Set(try unseen(in: known).map(\.commit.header.log.device))
            let place = try replica.store.log.arrival(of: deletion.last.id.commit)?.place ?? 0
            let isNews = !deletion.isMine && place > marks.place(in: known.space)
            return isNews || !authors.isEmpty ? (known.space, authors.count) : nil
        }
    }

    /// Work in a deleted space that none of its deletions had seen.
    func unseen(in space: KnownSpace) throws -> [StoredCommit] {
        guard let deletion = space.deletion else { return [] }
        return try replica.store.spaces.commits(of: space.space, unseenBy: deletion.writes)
    }

    /// The same by device, each with its latest commit.
    func unseenWork(in space: KnownSpace) throws -> [(work: UnseenWork, last: StoredCommit)] {
        let unseen = try unseen(in: space)
        guard !unseen.isEmpty, let schema = replica.schema(of: space.space) else { return [] }
        let reports = CommitReports(RecordReader(replica, space.space, schema))
        return try Dictionary(grouping: unseen, by: \.commit.header.log.device).values
            .compactMap { commits in
                try commits.last.map { (try UnseenWork(commits, until: $0, reports), $0) }
            }.sorted { $0.last.place < $1.last.place }
    }

    /// Throws when a space was deleted meanwhile: nobody would see new writes.
    func requireNotDeleted(_ space: ReadableSpace) throws {
        guard let known = space.known, known.deletion == nil,
            try !replica.store.spaces.deletions(of: space.id).isEmpty
        else { return }
        try directory.known(space.id)?.requireContents()
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
            throw APIError.notFetchedYet(trip: space.name)
        }
        return (entry, place, reader)
    }
}

extension UnseenWork {
    /// The work of one device.
    fileprivate init(
        _ commits: [StoredCommit], until last: StoredCommit, _ reports: CommitReports
    ) throws {
        let replica = reports.reader.replica
        let device = last.commit.header.log.device
        let author = replica.author(with: device, in: last.space)
        self.init(
            author: author, isMine: replica.isOwn(author),
            device: replica.reference(device), written: Moment(last.clock),
            changes: try reports.changes(of: commits))
    }
}
