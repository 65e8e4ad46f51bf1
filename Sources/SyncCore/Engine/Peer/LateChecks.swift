/// Commits that somebody else brings a peer: looked after when that should have happened.
package struct LateChecks {
    private struct Check {
        /// Through which sequence, and when.
        var next: (sequence: UInt64, due: UInt64)
        /// The same of what came of the log since.
        var last: (sequence: UInt64, due: UInt64)
    }

    private var checks: [LogID: Check] = [:]

    package init() {}

    package var next: UInt64? { checks.values.map(\.next.due).min() }

    package var isEmpty: Bool { checks.isEmpty }

    /// When a log is looked at that is being waited for.
    package func due(of log: LogID, after now: UInt64) -> UInt64? {
        checks[log].map(\.next.due).flatMap { $0 > now ? $0 : nil }
    }

    /// A check of the log that stands comes first; once the peer has what that one is about, this one
    /// stands.
    package mutating func add(_ log: LogID, through sequence: UInt64, due: UInt64) {
        var check = checks[log] ?? Check(next: (sequence, due), last: (sequence, due))
        if sequence > check.last.sequence { check.last = (sequence, max(due, check.last.due)) }
        precondition(
            check.next.sequence <= check.last.sequence && check.next.due <= check.last.due,
            "\(log) is looked at through \(check.last.sequence) before \(check.next.sequence)")
        checks[log] = check
    }

    package mutating func clear() { checks = [:] }

    /// The logs that are due, with the sequence each was about.
    package mutating func drain(at now: UInt64) -> [LogID: UInt64] {
        let due = checks.filter { $0.value.next.due <= now }
        for log in due.keys { checks[log] = nil }
        return due.mapValues(\.next.sequence)
    }

    /// What the peer has by now need not be looked after.
    package mutating func settle(_ known: Watermark) {
        for (log, check) in checks where known.covers(log, check.next.sequence) {
            checks[log] =
                known.covers(log, check.last.sequence)
                ? nil : Check(next: check.last, last: check.last)
        }
        Invariants.check(
            checks.allSatisfy { !known.covers($0.key, $0.value.next.sequence) },
            "a log is looked after that has come")
    }
}
