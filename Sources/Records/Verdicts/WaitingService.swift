package import LocalAPI
internal import Store
internal import SyncCore

/// Lists everything that waits: for which device or person, since when, and why (requirement P10).
package struct WaitingService {
    private let replica: any Replica
    private let facts: StatusFacts

    package init(_ replica: any Replica, _ facts: StatusFacts) {
        (self.replica, self.facts) = (replica, facts)
    }

    package func waiting(_ scope: WhyScope) throws -> WaitingView {
        let directory = SpaceDirectory(replica)
        let wanted = try scope.space.map { try directory.readable($0, among: .withDeleted) }
        let places = Dictionary(try directory.readable(.withDeleted).map { ($0.id, $0) }) {
            first, _ in first
        }
        let spaces = facts.spaces.filter { wanted == nil || $0.space == wanted?.id }
        let items = try spaces.filter { $0.taken == nil }.flatMap { space in
            try self.items(in: space, places[space.space])
        }
        let words = StatusWords(replica)
        let decisions = StatusVerdict(facts).problems.filter { problem in
            (problem.traits.waitsForPerson || [.unanswered, .unsentLeave].contains(problem.kind))
                && (wanted == nil || problem.traits.space == wanted?.id)
        }
        let first = items.sorted { one, other in
            (one.since?.milliseconds ?? .max) < (other.since?.milliseconds ?? .max)
        }
        return WaitingView(items: first, decisions: decisions.map { words.view(of: $0) })
    }

    private func items(
        in space: SpaceFacts, _ place: ReadableSpace?
    ) throws -> [WaitingView.Item] {
        let balance = SpaceBalance(space)
        let reference =
            place?.reference
            ?? Reference(id: space.space.description, shortID: "", name: "")
        let words = WhyReasonWords(
            replica: replica, space: reference, noun: SpaceNoun(isTrip: place?.isTrip ?? false))
        let diagnosis = try diagnosis(of: space)
        var items: [WaitingView.Item] = []
        // Lost files wait until somebody adds them again.
        let lost = balance.fates[.lost] ?? FileTotals()
        var missing = SpaceVerdict(space, present: []).missing
        missing += WaitingCount(
            changes: 0, files: lost.files, bytes: Int64(clamping: lost.bytes))
        if missing != .nothing {
            items.append(
                item(
                    of: space.space, words, nil, (missing, .nothing), diagnosis.here.reasons,
                    (nil, [])))
        }
        for device in space.sync.holders.sorted() {
            let owed = balance.owed(to: device)
            guard owed.toSend != .nothing || owed.fromOthers != .nothing else { continue }
            items.append(
                item(
                    of: space.space, words, device, (owed.toSend, owed.fromOthers),
                    diagnosis.reasons(
                        for: device, sendsFiles: owed.toSend.files > 0,
                        onlyOthersHaveIt: owed.toSend == .nothing),
                    try changes(waitingFor: device, in: space)))
        }
        return items
    }

    private func item(
        of space: SpaceID, _ words: WhyReasonWords, _ device: DeviceID?,
        _ lacks: (WaitingCount, elsewhere: WaitingCount), _ reasons: [WhyFinding.Reason],
        _ changes: (since: Moment?, entries: [ChangeEntry])
    ) -> WaitingView.Item {
        let id = device ?? replica.local.device
        let reference = replica.reference(id)
        return WaitingView.Item(
            device: (reference, of: replica.author(with: id, in: space), here: device == nil),
            space: words.space, lacks: lacks, since: changes.since, changes: changes.entries,
            reasons: reasons.map { words.reason($0) },
            remedy: reasons.lazy.compactMap { words.remedy($0, id) }.first)
    }

    private func diagnosis(of space: SpaceFacts) throws -> WhyDiagnosis {
        var record = RecordSyncState()
        // Files that share one fate are only counted, and each has a reason all the same.
        let missing =
            space.files.missingOthers.isEmpty
            ? space.files.missing : try replica.store.files.missing(of: space.space)
        record.files = missing.map {
            RecordSyncState.File(blob: $0.blob, isHere: false, bytesHere: 0, size: $0.size)
        }
        var circumstances = WhyCircumstances(of: space.space)
        circumstances.here = facts.here
        circumstances.devices = Dictionary(facts.devices.map { ($0.device, $0) }) { $1 }
        circumstances.behind = space.sync.changesElsewhere(beyond: space.watermark)
        return WhyDiagnosis(record, space.sync, circumstances)
    }

    /// The first changes that a device has not acknowledged, and the arrival time of the first one here.
    private func changes(
        waitingFor device: DeviceID, in space: SpaceFacts
    ) throws -> (since: Moment?, entries: [ChangeEntry]) {
        let ack = space.sync.acks[device] ?? Watermark()
        guard space.watermark.count(beyond: ack, exceptOf: device) > 0 else { return (nil, []) }
        let commits = try replica.store.log.storedCommits(
            of: space.space, beyond: ack, exceptOf: device, limit: Limits.waitingCommits)
        var reader = try ChangeReader(replica, SpaceDirectory(replica))
        var entries: [ChangeEntry] = []
        for commit in commits where entries.count < Limits.waitingChanges {
            if let entry = try reader.entry(commit) { entries.append(entry) }
        }
        return (commits.first.map { Moment($0.receivedAt) }, entries)
    }
}

extension Limits {
    /// Changes to list for one device and space; more are only counted.
    static let waitingChanges = 20
    /// Commits that are read to find them: some change nothing that is listed.
    static let waitingCommits = 60
}
