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

    /// The last start for a reason.
    private struct Start {
        let moment: Duration
        /// How many starts there were, each soon after the one before.
        var inARow = 1
    }

    private var last: [Reason: Start] = [:]

    package init() {}

    /// `now` counts from any fixed moment. Nil: the agent does not end.
    package func delay(for reason: Reason, at now: Duration) -> Duration? {
        guard let last = last[reason] else { return .zero }
        let passed = now - last.moment
        switch reason {
        // A disk that damages each new store is not written to without end.
        case .damaged: return passed > .seconds(Limits.damageRestartSeconds) ? .zero : nil
        // What looks like room may be none, under a quota for example, or go again.
        case .roomReturned: return max(.zero, RestartPolicy.pause(after: last.inARow) - passed)
        }
    }

    package mutating func began(for reason: Reason, at now: Duration) {
        var start = Start(moment: now)
        if let last = last[reason] {
            let calm = RestartPolicy.pause(after: last.inARow) + .seconds(Limits.roomCalmSeconds)
            if now - last.moment < calm { start.inARow += last.inARow }
        }
        last[reason] = start
    }

    private static func pause(after starts: Int) -> Duration {
        .seconds(
            min(
                Limits.roomRestartSeconds << Int64(min(starts, 8) - 1),
                Limits.roomRestartCapSeconds))
    }
}

extension Limits {
    /// Seconds after which an agent whose store is damaged starts once more.
    package static let damageRestartSeconds: Int64 = 600
    /// Seconds between the first two starts because a full disk seems to have room again; doubled each time.
    package static let roomRestartSeconds: Int64 = 60
    package static let roomRestartCapSeconds: Int64 = 480
    /// Seconds after such a pause in which no start is asked for: the next pause is a first one again.
    package static let roomCalmSeconds: Int64 = 480
}
