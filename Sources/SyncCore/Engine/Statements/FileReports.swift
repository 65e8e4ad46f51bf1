/// When this device says what it holds of the files of each space: after they changed, not too often.
package struct FileReports: Sendable {
    /// Spaces whose files changed since their last report.
    private var due: Set<SpaceID> = []
    /// Spaces in which new commits named files, or files got lost: those who were refused one may have it
    /// by now, also where the report is the same as before.
    private var refused: Set<SpaceID> = []
    /// Spaces whose report is being signed and stored.
    private var signing: Set<SpaceID> = []
    /// When some were asked for last, on the monotonic clock.
    private var last: UInt64 = 0

    package init() {}

    /// Files of spaces came or went.
    package mutating func changed(_ spaces: some Sequence<SpaceID>) { due.formUnion(spaces) }

    /// Files are named or lost that others may have been refused.
    package mutating func needed(_ spaces: some Sequence<SpaceID>) {
        for space in spaces {
            due.insert(space)
            refused.insert(space)
        }
    }

    package var nextDeadline: UInt64? {
        due.isEmpty ? nil : last + Limits.holdingsIntervalMilliseconds
    }

    /// The spaces of which a report has to be made now.
    package mutating func begin(at now: UInt64) -> [SpaceID] {
        guard let deadline = nextDeadline, now >= deadline else { return [] }
        defer { due = [] }
        last = now
        signing.formUnion(due)
        return due.sorted()
    }

    /// A report is signed. Whether it may answer those who were refused files.
    package mutating func signed(_ space: SpaceID) -> Bool {
        signing.remove(space)
        return refused.remove(space) != nil
    }

    /// Nothing was signed, or nobody waits for it any more.
    package mutating func notSigned(_ space: SpaceID) { signing.remove(space) }

    /// Whether the last report on a space is still true.
    package func isCurrent(_ space: SpaceID) -> Bool {
        !due.contains(space) && !signing.contains(space)
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

    func isDue(at now: Instant) -> Bool { due.map { now.monotonic >= $0 } ?? false }

    /// All of them, to be tried now.
    package mutating func drain() -> [SpaceID] {
        precondition(
            spaces.isEmpty == (due == nil), "\(spaces.count) spaces wait until \(due ?? 0)")
        defer { self = UnstoredStatements() }
        return spaces.sorted()
    }
}
