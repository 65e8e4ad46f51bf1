/// Commits that somebody else brings a peer: looked after when that should have happened.
struct LateChecks {
    private struct Check {
        let sequence: UInt64
        let due: UInt64
    }

    private var checks: [LogID: Check] = [:]

    var next: UInt64? { checks.values.map(\.due).min() }

    /// Whether a later look at the log is due that a commit can wait for.
    func cover(_ log: LogID, _ sequence: UInt64, at now: UInt64) -> Bool {
        checks[log].map { $0.due > now } ?? false
    }

    /// An earlier check of the log stays.
    mutating func add(_ log: LogID, through sequence: UInt64, due: UInt64) {
        checks[log] = checks[log] ?? Check(sequence: sequence, due: due)
    }

    mutating func clear() { checks = [:] }

    /// The logs that are due, with the sequence each was about.
    mutating func take(at now: UInt64) -> [LogID: UInt64] {
        let due = checks.filter { $0.value.due <= now }
        for log in due.keys { checks[log] = nil }
        return due.mapValues(\.sequence)
    }

    /// What the peer has by now need not be looked after.
    mutating func settle(_ known: Watermark) {
        checks = checks.filter { !known.covers($0.key, $0.value.sequence) }
    }
}
