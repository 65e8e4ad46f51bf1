internal import LocalAPI
internal import Store
internal import SyncCore

/// Accepted and declined invitations, and revocations, for the list of changes: no commit here has them.
extension ChangeService {
    /// As a filter of changes wants it, the newest first; `marks` are nil where it is no matter what was looked at.
    func answers(
        _ filter: ChangeFilter, in space: ReadableSpace?, after marks: ReadMarkers?,
        of isMeant: (DeviceID) -> Bool
    ) throws -> [ChangeEntry] {
        let answers = Answers(replica.store)
        let since = Milliseconds(UInt64(clamping: filter.since?.milliseconds ?? 0))
        let spaces = try space.map { [$0] } ?? directory.readable(.withDeleted)
        return try spaces.flatMap { space in
            try answers.all(in: space.id).filter {
                $0.time >= since && marks?.hasSeen($0.time, in: space.id) != true
            }.compactMap { answer in
                answer.author.flatMap { isMeant($0) ? entry(answer, by: $0, in: space) : nil }
            }
        }.sorted { $0.received.milliseconds > $1.received.milliseconds }
    }

    /// Nil for a revocation that counts no more, or of which the commit is here.
    private func entry(
        _ answer: Answers.Answer, by device: DeviceID, in space: ReadableSpace
    ) -> ChangeEntry? {
        guard let (change, written) = told(answer, in: space) else { return nil }
        let author = replica.author(with: device, in: space.id)
        return ChangeEntry(
            id: "", space: space.sharedReference, author: author, isMine: replica.isOwn(author),
            device: replica.reference(device), written: Moment(written),
            received: Moment(answer.time), changes: [change])
    }

    /// With the time at which it was written, as far as it is known.
    private func told(
        _ answer: Answers.Answer, in space: ReadableSpace
    ) -> (ChangeView, written: Milliseconds)? {
        func answered(_ kind: ChangeView.Kind) -> (ChangeView, written: Milliseconds) {
            let noun = space.isTrip ? "trip" : "space"
            return (ChangeView(kind, noun: noun, names: [space.name]), answer.time)
        }
        switch answer.kind {
        case .joined: return answered(.joined)
        case .declined: return answered(.declined)
        case .carries: return answered(.carries)
        case .revoked(let commit):
            guard let notice = replica.revocationNotice(of: space.id), notice.commit == commit,
                let schema = replica.schema(of: space.id)
            else { return nil }
            let reports = CommitReports(RecordReader(replica, space.id, schema))
            return (reports.change(by: notice), notice.written)
        case nil: return nil
        }
    }
}

extension [ChangeEntry] {
    /// Both lists in one, the newest first, as they are.
    func merged(with answers: [ChangeEntry]) -> [ChangeEntry] {
        var rest = answers[...]
        var all: [ChangeEntry] = []
        for entry in self {
            let later = rest.prefix { $0.received.milliseconds >= entry.received.milliseconds }
            all += later + [entry]
            rest = rest.dropFirst(later.count)
        }
        return all + rest
    }
}
