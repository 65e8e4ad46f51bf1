package import LocalAPI
package import Store
package import SyncCore

/// Something unusual that a device brought to a space at one meeting: changes from long before, changes that an
/// undo was about, or many deletions.
package struct Arrival: Hashable, Sendable {
    package let kind: ArrivalView.Kind
    package let space: SpaceID
    package let device: DeviceID
    /// The number of commits; for deletions, of those that delete something.
    package let changes: Int
    /// Records that it deletes.
    package let deletions: Int
    /// Records that are in conflict because of it.
    package let conflicts: Int
    /// When the oldest commit was written.
    package let written: Milliseconds
    /// When the first commit came here.
    package let received: Milliseconds
    /// During this time nothing else came from the device to the space.
    package let span: Range<Milliseconds>

    package init(
        _ kind: ArrivalView.Kind, of meeting: Meeting, in space: SpaceID, by device: DeviceID,
        deletions: Int, conflicts: Int, now: Milliseconds
    ) {
        (self.kind, self.space, self.device) = (kind, space, device)
        changes = meeting.commits.count
        (self.deletions, self.conflicts) = (deletions, conflicts)
        (written, received, span) = (meeting.written, meeting.start, meeting.span(now: now))
    }

    package var ageSeconds: Int {
        Int(clamping: (max(received, written).value - written.value) / 1000)
    }

    /// Whether people should be told of it.
    package var isOfNote: Bool {
        switch kind {
        case .late: changes >= Limits.lateChanges || deletions > 0 || conflicts > 0
        case .afterUndo: true
        case .deletions: deletions >= Limits.manyDeletions
        }
    }
}

/// Commits from one device to one space without a long pause in between, in the order in which they came to be shown.
package struct Meeting: Hashable, Sendable {
    /// At least one.
    package let commits: [ArrivedCommit]
    /// When the device's commit before them came; nil for none.
    private let previous: Milliseconds?
    /// When the device's next commit came; nil for none.
    package let next: Milliseconds?

    private init(
        _ commits: ArraySlice<ArrivedCommit>, after previous: Milliseconds?, next: Milliseconds?
    ) {
        precondition(!commits.isEmpty, "a meeting without commits")
        (self.commits, self.previous, self.next) = (Array(commits), previous, next)
    }

    /// Splits everything that came from a device to a space, since its commit at `earlier` if there was one, into
    /// meetings.
    package static func split(
        _ commits: [ArrivedCommit], after earlier: Milliseconds? = nil
    ) -> [Meeting] {
        var meetings: [Meeting] = []
        var first = 0
        for index in commits.indices {
            let next = index + 1 < commits.count ? commits[index + 1].receivedAt : nil
            let (now, later) = (commits[index].receivedAt, next ?? Milliseconds(.max))
            guard max(now, later).value - now.value > Limits.meetingPauseMilliseconds else {
                continue
            }
            let previous = first > 0 ? commits[first - 1].receivedAt : earlier
            meetings.append(Meeting(commits[first...index], after: previous, next: next))
            first = index + 1
        }
        return meetings
    }

    /// When it began.
    package var start: Milliseconds { commits[0].receivedAt }

    /// When the oldest of them was written.
    package var written: Milliseconds {
        Milliseconds(commits.map(\.clock.milliseconds).min() ?? 0)
    }

    /// The part that the device had written before they met, if some of it is old; nil for a device that
    /// was not away. Excludes what it writes while they are connected. `behind` is the largest known lag of
    /// its clock in milliseconds, by which its commits may look older than they are.
    package func late(clockBehind behind: UInt64) -> Meeting? {
        let limit = Limits.lateMilliseconds + behind
        guard commits.contains(where: { $0.receivedAt.value > $0.clock.milliseconds + limit }),
            let newest = commits.last(where: { $0.clock.milliseconds < start.value })
        else { return nil }
        let count = commits.prefix { $0.receivedAt <= newest.receivedAt }.count
        return Meeting(
            commits.prefix(max(count, 1)), after: previous,
            next: count < commits.count ? commits[count].receivedAt : next)
    }

    /// The part from the first to the last of certain commits, with those that came at the same moments; nil without
    /// any.
    package func part(where isMeant: (ArrivedCommit) -> Bool) -> Meeting? {
        let times = commits.filter(isMeant).map(\.receivedAt)
        guard let start = times.min(), let end = times.max(),
            let first = commits.firstIndex(where: { $0.receivedAt >= start }),
            let last = commits.lastIndex(where: { $0.receivedAt <= end }), first <= last
        else { return nil }
        return Meeting(
            commits[first...last],
            after: first > 0 ? commits[first - 1].receivedAt : previous,
            next: last + 1 < commits.count ? commits[last + 1].receivedAt : next)
    }

    /// Whether another meeting, of any device and space, was at about the same time.
    package func isBeside(_ other: Meeting) -> Bool {
        max(start, other.start).value - min(start, other.start).value
            <= Limits.meetingPauseMilliseconds
    }

    /// The roundest times, as people type them, that enclose this meeting and nothing else of the device.
    package func span(now: Milliseconds) -> Range<Milliseconds> {
        let last = commits.map(\.receivedAt).max() ?? start
        let limit = min(next ?? now, now)
        let until = [60_000, 1_000].map { (last.value / $0 + 1) * $0 }
            .first { $0 <= limit.value }
        let since = [60_000, 1_000].map { start.value / $0 * $0 }
            .first { $0 > previous?.value ?? 0 }
        return Milliseconds(since ?? start.value)..<Milliseconds(until ?? last.value + 1)
    }
}

/// Finds out which device was away when changes came late: the one that brought them, or this one.
package struct Witnesses: Sendable {
    /// The devices that brought late changes at about the same time.
    package let bringers: Set<DeviceID>
    /// The devices from which something was stored here meanwhile, including this one.
    package let writers: Set<DeviceID>
    package let own: DeviceID

    package init(bringers: Set<DeviceID>, writers: Set<DeviceID>, own: DeviceID) {
        (self.bringers, self.writers, self.own) = (bringers, writers, own)
    }

    /// A device on which nothing was stored meanwhile was off. When two groups meet again, the smaller one
    /// was away.
    package var isOwnAbsence: Bool {
        guard !writers.isEmpty else { return true }
        return bringers.count > writers.subtracting(bringers).union([own]).count
    }
}

extension Limits {
    /// Changes of at least this age come from a device that was away: longer than a weekend.
    package static let lateMilliseconds: UInt64 = 7 * 86_400_000
    /// People are told of at least so many late changes, even without deletions and conflicts.
    package static let lateChanges = 20
    /// Records that a device deletes at one meeting before people are told: more than somebody tidies up in
    /// passing.
    package static let manyDeletions = 20
    /// A longer pause ends a meeting: connected devices send at once what is written.
    package static let meetingPauseMilliseconds: UInt64 = 600_000
    /// Commits stored here so shortly before a meeting do not prove that this device was on before: it was
    /// just switched on.
    package static let wakingMilliseconds: UInt64 = 3_600_000
    /// How long `status` shows an arrival, unless somebody looks: time enough to act.
    package static let arrivalNewsMilliseconds: UInt64 = 30 * 86_400_000
    /// The latest commits, to be searched for late ones.
    static let commitsLookedBack = 5_000
    /// The latest commits of a space, to be searched for deletions: each has to be decoded.
    static let deletionsLookedBack = 500
    /// Records in conflict to look at.
    static let arrivalConflicts = 1_000
    /// The latest arrivals, to be shown.
    static let arrivalsTold = 10
}
