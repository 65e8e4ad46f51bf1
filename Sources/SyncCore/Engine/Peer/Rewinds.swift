/// Logs that one peer was asked for again, because they may have forked.
struct Rewinds {
    private var all: [LogID: Rewind] = [:]

    var areCoherent: Bool { all.values.allSatisfy(\.isCoherent) }
    /// Whether of none something came before it was asked for.
    var areUntouched: Bool { all.values.allSatisfy(\.isUntouched) }

    /// Notes logs that may have forked; returns whether one of them is to be asked for.
    mutating func suspect(
        _ logs: [LogID: UInt64], knowing here: Watermark
    ) throws(Misbehaviour) -> Bool {
        var isOwed = false
        for (log, sequence) in logs {
            let known = min(sequence, here.sequence(of: log))
            guard let next = (all[log] ?? Rewind()).next(at: known) else { throw Misbehaviour() }
            all[log] = next
            isOwed = isOwed || next.phase == .owed
        }
        return isOwed
    }

    /// What the peer is to be asked for again, in the order of the logs. A question counts as asked.
    mutating func ask(isQuestion: Bool) -> [LogAgain] {
        let pending = all.filter { $0.value.phase != .done }.sorted { $0.key < $1.key }
        if isQuestion {
            for (log, rewind) in pending where rewind.phase == .owed { all[log]?.phase = .asked }
        }
        return pending.map { log, rewind in LogAgain(log: log, after: rewind.after) }
    }

    /// The peer said how much it holds of what it was asked for.
    mutating func noteAnswer(
        _ watermark: Watermark, _ points: [ForkPoint], sent: Watermark,
        knowing forks: [LogID: ForkedLog]
    ) {
        // What it calls forked it will prove.
        for point in points where !forks.cuts(point.log, point.sequence) { all[point.log] = nil }
        for log in all.keys where all[log]?.phase == .asked {
            // Who tells less of it than it sent takes this device for none that may hold the space now: it
            // sends nothing either.
            guard watermark.covers(log, sent.sequence(of: log)) else {
                all[log] = nil
                continue
            }
            all[log]?.target = watermark.sequence(of: log)
        }
    }

    mutating func noteDelivery(of header: CommitHeader) {
        guard let rewind = all[header.log], rewind.phase == .asked,
            header.sequence == rewind.covered + 1
        else { return }
        all[header.log]?.covered = header.sequence
    }

    /// To be called when what came is applied.
    mutating func finish() {
        for (log, rewind) in all where rewind.phase == .asked && rewind.isDelivered {
            all[log]?.phase = .done
        }
    }

    mutating func forget(_ log: LogID) { all[log] = nil }
}
