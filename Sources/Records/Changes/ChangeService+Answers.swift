internal import LocalAPI
internal import Store
internal import SyncCore

/// Accepted and declined invitations, for the list of changes: no commit has them.
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

    private func entry(
        _ answer: Answers.Answer, by device: DeviceID, in space: ReadableSpace
    ) -> ChangeEntry {
        let author = replica.author(with: device, in: space.id)
        let time = Moment(answer.time)
        return ChangeEntry(
            id: "", space: space.sharedReference, author: author, isMine: replica.isOwn(author),
            device: replica.reference(device), written: time, received: time,
            changes: [
                ChangeView(
                    answer.isYes ? answer.isOfVault ? .carries : .joined : .declined,
                    noun: space.isTrip ? "trip" : "space",
                    names: [space.name])
            ])
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
