internal import LocalAPI
internal import Store
internal import SyncCore

/// Work in deleted spaces that none of their deletions had seen.
struct UnseenChanges {
    private let replica: any Replica

    init(_ replica: any Replica) { self.replica = replica }

    /// In storing order; empty for a space that is not deleted.
    func commits(in space: KnownSpace) throws -> [StoredCommit] {
        guard let deletion = space.deletion else { return [] }
        return try replica.store.spaces.commits(of: space.space, unseenBy: deletion.writes)
    }

    /// By device, each with its latest commit; the device that wrote last comes last.
    func byDevice(in space: KnownSpace) throws -> [(work: UnseenWork, last: StoredCommit)] {
        let unseen = try commits(in: space)
        guard !unseen.isEmpty, let schema = replica.schema(of: space.space) else { return [] }
        let reports = CommitReports(RecordReader(replica, space.space, schema))
        return try Dictionary(grouping: unseen, by: \.commit.header.log.device).values
            .compactMap { commits in
                try commits.last.map { (try UnseenWork(commits, until: $0, reports), $0) }
            }.sorted { $0.last.place < $1.last.place }
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
