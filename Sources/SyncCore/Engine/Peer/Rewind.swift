/// A log that a peer is asked for again because it may have forked: first a little, then all of it.
struct Rewind: Equatable {
    enum Phase {
        /// To be asked with the next watermark.
        case owed
        /// Asked; what the peer holds of the log is still coming.
        case asked
        /// The peer sent all it holds, and that proved nothing.
        case done
    }

    var phase = Phase.done
    /// The position asked from; 0: from the start.
    var after: UInt64 = 0
    /// How often this was asked.
    var times = 0
    /// The last commit the peer says it holds; nil until its answer came.
    var target: UInt64?
    /// Up to where the log came again, without a gap: what was on its way before does not count.
    var covered: UInt64 = 0

    /// Whether it was asked for at most twice, the second time from the start, and came on from there.
    var isCoherent: Bool {
        (times == 1 || times == 2 && after == 0) && covered >= after
    }

    /// Whether nothing came of it before it was asked for.
    var isUntouched: Bool { phase != .owed || target == nil && covered == after }

    var isDelivered: Bool { target.map { covered >= $0 } ?? false }

    /// What becomes of it when the log is suspected (again) because of something at a position; nil
    /// when the peer was asked for all of it already, and for nothing.
    func next(at sequence: UInt64) -> Rewind? {
        guard phase == .done else { return self }
        if times > 0 && after == 0 { return nil }
        let start = sequence > Limits.forkSearch ? sequence - Limits.forkSearch : 0
        let after = times == 0 ? start : 0
        precondition(times < 2, "a log is asked for \(times + 1) times")
        return Rewind(phase: .owed, after: after, times: times + 1, covered: after)
    }
}
