package import LocalAPI
package import Store
package import SyncCore

/// What one device brought to a space at one meeting: what it had written long before, or deletions of many records.
package struct Arrival: Hashable, Sendable {
    package let kind: ArrivalView.Kind
    package let space: SpaceID
    package let device: DeviceID
    /// Commits; of deletions those that delete something.
    package let changes: Int
    /// Records that it deletes.
    package let deletions: Int
    /// Records that are in conflict by it.
    package let conflicts: Int
    /// When the oldest commit was written.
    package let written: Milliseconds
    /// When the first commit came here.
    package let received: Milliseconds
    /// In this time nothing else of the device came to the space.
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

    /// Whether it is worth a person's look.
    package var isOfNote: Bool {
        switch kind {
        case .late: changes >= Limits.lateChanges || deletions > 0 || conflicts > 0
        case .deletions: deletions >= Limits.manyDeletions
        }
    }
}

/// Commits of one device that came to one space with no long pause between them, in storing order.
package struct Meeting: Hashable, Sendable {
    /// At least one.
    package let commits: [ArrivedCommit]
    /// When the next one of the device came; nil for none.
    package let next: Milliseconds?

    private init(_ commits: ArraySlice<ArrivedCommit>, next: Milliseconds?) {
        precondition(!commits.isEmpty, "a meeting without commits")
        (self.commits, self.next) = (Array(commits), next)
    }

    /// All that came of a device to a space, meeting by meeting.
    package static func split(_ commits: [ArrivedCommit]) -> [Meeting] {
        var meetings: [Meeting] = []
        var first = 0
        for index in commits.indices {
            let next = index + 1 < commits.count ? commits[index + 1].receivedAt : nil
            let (now, later) = (commits[index].receivedAt, next ?? Milliseconds(.max))
            guard max(now, later).value - now.value > Limits.meetingPauseMilliseconds else {
                continue
            }
            meetings.append(Meeting(commits[first...index], next: next))
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

    /// What the device had written before they met, where some of it was written long before; nil for a device that
    /// was not away. What it writes while they are connected is no part of it. By `behind` milliseconds its clock was
    /// once seen behind the one here: so much older than it is, what it writes may look.
    package func late(clockBehind behind: UInt64) -> Meeting? {
        let limit = Limits.lateMilliseconds + behind
        guard commits.contains(where: { $0.receivedAt.value > $0.clock.milliseconds + limit }),
            let newest = commits.last(where: { $0.clock.milliseconds < start.value })
        else { return nil }
        let count = commits.prefix { $0.receivedAt <= newest.receivedAt }.count
        return Meeting(
            commits.prefix(max(count, 1)),
            next: count < commits.count ? commits[count].receivedAt : next)
    }

    /// Whether another one, of any device and space, was at about the same time.
    package func isBeside(_ other: Meeting) -> Bool {
        max(start, other.start).value - min(start, other.start).value
            <= Limits.meetingPauseMilliseconds
    }

    /// The roundest times, as people type them, between which these came and nothing else of the device did.
    func span(now: Milliseconds) -> Range<Milliseconds> {
        let last = commits.map(\.receivedAt).max() ?? start
        let limit = min(next ?? now, now)
        let until = [60_000, 1_000].map { (last.value / $0 + 1) * $0 }
            .first { $0 <= limit.value }
        // The pause before them is longer than a minute.
        let since = start.value / 60_000 * 60_000
        return Milliseconds(since)..<Milliseconds(until ?? last.value + 1)
    }
}

/// Tells which device was away when changes came late: the one that brought them, or this one.
package struct Witnesses: Sendable {
    /// The devices that brought late changes at about the same time.
    package let bringers: Set<DeviceID>
    /// The devices of which something was stored here meanwhile, this one among them.
    package let writers: Set<DeviceID>
    package let own: DeviceID

    package init(bringers: Set<DeviceID>, writers: Set<DeviceID>, own: DeviceID) {
        (self.bringers, self.writers, self.own) = (bringers, writers, own)
    }

    /// A device on which nothing was stored meanwhile was off. Of two groups that meet again, the smaller one was
    /// away.
    package var isOwnAbsence: Bool {
        guard !writers.isEmpty else { return true }
        return bringers.count > writers.subtracting(bringers).union([own]).count
    }
}

extension Limits {
    /// From this age on, when they come, changes are from a device that was away: more than a weekend.
    package static let lateMilliseconds: UInt64 = 7 * 86_400_000
    /// Late changes that are told of, though they delete nothing and are in no conflict.
    package static let lateChanges = 20
    /// Records that one device deletes at one meeting before people are told: more than one tidies up in passing.
    package static let manyDeletions = 20
    /// A longer pause ends a meeting: devices that are connected send at once what is written.
    package static let meetingPauseMilliseconds: UInt64 = 600_000
    /// What is stored here so shortly before a meeting does not say that this device was on before: it was just
    /// switched on.
    package static let wakingMilliseconds: UInt64 = 3_600_000
    /// How long `status` tells of it, unless somebody looks: time enough to act.
    package static let arrivalNewsMilliseconds: UInt64 = 30 * 86_400_000
    /// Commits, the latest, among which late ones are looked for.
    static let commitsLookedBack = 5_000
    /// Commits of a space, the latest, among which deletions are looked for: each has to be decoded.
    static let deletionsLookedBack = 500
    /// Records in conflict that are looked at.
    static let arrivalConflicts = 1_000
    /// The latest arrivals, which are told.
    static let arrivalsTold = 10
}
