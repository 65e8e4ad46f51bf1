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

extension SharedSpace {
    /// The peer said how much it holds of what it was asked for.
    mutating func noteAnswer(
        _ watermark: Watermark, _ points: [ForkPoint], knowing forks: [LogID: ForkedLog]
    ) {
        guard !rewinds.isEmpty else { return }
        // What it calls forked it will prove.
        for point in points where !forks.cuts(point.log, point.sequence) {
            rewinds[point.log] = nil
        }
        for log in rewinds.keys where rewinds[log]?.phase == .asked {
            // Who tells less of it than it sent takes this device for none that may hold the space now: it
            // sends nothing either.
            guard watermark.covers(log, knowledge.received.sequence(of: log)) else {
                rewinds[log] = nil
                continue
            }
            rewinds[log]?.target = watermark.sequence(of: log)
        }
    }

    mutating func noteDelivery(of header: CommitHeader) {
        guard let rewind = rewinds[header.log], rewind.phase == .asked,
            header.sequence == rewind.covered + 1
        else { return }
        rewinds[header.log]?.covered = header.sequence
    }

    /// To be called when what came is applied.
    mutating func finishRewinds() {
        guard receiving.unapplied == 0 else { return }
        for (log, rewind) in rewinds where rewind.phase == .asked && rewind.isDelivered {
            rewinds[log]?.phase = .done
        }
    }
}
