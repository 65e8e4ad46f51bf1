/// When this device says what it holds of the files of each space: after they changed, not too often.
package struct FileReports: Sendable {
    private struct Report {
        /// Files changed since the last one.
        var isDue = false
        /// Of these, new commits name files, or files got lost: whoever was refused one may have it by
        /// now, also where the report is the same as before.
        var mayAnswerRefusals = false
        /// It is being signed and stored.
        var isSigning = false
    }

    private var reports: [SpaceID: Report] = [:]
    /// When some were asked for last, on the monotonic clock.
    private var last: UInt64 = 0

    package init() {}

    /// Files of spaces came or went.
    package mutating func changed(_ spaces: some Sequence<SpaceID>) {
        for space in spaces { reports[space, default: Report()].isDue = true }
    }

    /// Files are named or lost that others may have been refused.
    package mutating func needed(_ spaces: some Sequence<SpaceID>) {
        for space in spaces {
            reports[space, default: Report()].isDue = true
            reports[space]?.mayAnswerRefusals = true
        }
    }

    package var nextDeadline: UInt64? {
        reports.values.contains(where: \.isDue) ? last + Limits.holdingsIntervalMilliseconds : nil
    }

    /// The spaces of which a report has to be made now.
    package mutating func begin(at now: UInt64) -> [SpaceID] {
        guard let due = nextDeadline, now >= due else { return [] }
        last = now
        let begun = reports.filter(\.value.isDue).keys.sorted()
        for space in begun {
            reports[space]?.isDue = false
            reports[space]?.isSigning = true
        }
        return begun
    }

    /// A report is signed. Whether it may answer those who were refused files.
    package mutating func signed(_ space: SpaceID) -> Bool {
        guard let report = reports[space] else { return false }
        reports[space]?.mayAnswerRefusals = false
        notSigned(space)
        return report.mayAnswerRefusals
    }

    /// Nothing was signed, or nobody waits for it any more.
    package mutating func notSigned(_ space: SpaceID) {
        reports[space]?.isSigning = false
        guard let report = reports[space], !report.isDue, !report.mayAnswerRefusals else { return }
        reports[space] = nil
    }

    /// Whether the last report on a space is still true.
    package func isCurrent(_ space: SpaceID) -> Bool {
        reports[space].map { !$0.isDue && !$0.isSigning } ?? true
    }
}

/// Spaces of which this device has to say something that it could not store.
package struct UnstoredStatements: Sendable {
    private var spaces: Set<SpaceID> = []
    /// When it is tried again, on the monotonic clock.
    package private(set) var due: UInt64?

    package init() {}

    package mutating func note(_ space: SpaceID, at now: UInt64) {
        spaces.insert(space)
        due = due ?? now + Limits.pullIntervalMilliseconds
    }

    /// All of them, to be tried now.
    package mutating func take() -> [SpaceID] {
        defer { self = UnstoredStatements() }
        return spaces.sorted()
    }
}
