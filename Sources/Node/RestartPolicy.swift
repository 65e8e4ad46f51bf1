package import SyncCore

/// Whether, and how soon, an agent that cannot write ends so that another one opens the store. It
/// decides; the agent acts.
package struct RestartPolicy: Sendable {
    package enum Reason: Hashable, Sendable {
        /// The next opening rebuilds the store.
        case damaged
        /// The store was opened for reading only, or not at all, as the disk was full.
        case roomReturned
    }

    /// When an agent was last started for a reason.
    private var last: [Reason: Duration] = [:]

    package init() {}

    /// `now` counts from any fixed moment. Nil: the agent does not end.
    package func delay(for reason: Reason, at now: Duration) -> Duration? {
        guard let last = last[reason] else { return .zero }
        let passed = now - last
        switch reason {
        // A disk that damages each new store is not written to without end.
        case .damaged: return passed > .seconds(Limits.damageRestartSeconds) ? .zero : nil
        // What looks like room may be none, under a quota for example.
        case .roomReturned: return max(.zero, .seconds(Limits.roomRestartSeconds) - passed)
        }
    }

    package mutating func began(for reason: Reason, at now: Duration) { last[reason] = now }
}

extension Limits {
    /// Seconds after which an agent whose store is damaged starts once more.
    package static let damageRestartSeconds: Int64 = 600
    /// Seconds between two starts because a full disk seems to have room again.
    package static let roomRestartSeconds: Int64 = 60
}
